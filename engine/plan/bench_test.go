package plan_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
)

// bench is a run of many lanes in which nothing happens but what a benchmark does.
type bench struct {
	state run.State
	now   time.Time
}

// benchProgram has so many tasks of one target, of which some are open at once.
func benchProgram(tasks, parallel int) run.Program {
	p := run.Defaults()
	p.Name, p.Parallel, p.Iterations, p.Patience = "bench", parallel, 1<<30, run.Off
	p.Order = []run.Target{{Agent: "claude"}}
	p.Agents = map[string]run.Agent{"claude": {Preset: "claude", Family: "claude"}}
	for i := range tasks {
		p.Tasks = append(p.Tasks, run.Task{Name: fmt.Sprintf("task-%d", i), Prompt: "do it", Wait: run.WaitPark})
	}
	return p
}

func newBench(p run.Program) *bench {
	s := &bench{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	s.decide(run.Begin{RunID: "bench", Program: p, Seed: 1, Epoch: s.now, Speed: 1})
	return s
}

func (s *bench) decide(h run.Happening) []run.Effect {
	_, effects := plan.Decide(&s.state, h, s.now)
	return effects
}

// attempt is the latest of a lane.
func (s *bench) attempt(lane run.LaneID) run.AttemptID {
	l := s.state.Lane(lane)
	return l.Attempts[len(l.Attempts)-1].ID
}

// limit ends every attempt under way with a limit that lasts for an hour, so that
// every lane is parked on one window.
func (s *bench) limit() {
	for _, id := range append([]run.LaneID(nil), s.state.Open...) {
		s.end(id, run.Verdict{
			Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily,
			Reset: s.now.Add(time.Hour), How: run.HowStated,
		})
	}
}

func (s *bench) end(id run.LaneID, v run.Verdict) {
	s.decide(run.Ended{Lane: id, Attempt: s.attempt(id), Verdict: v})
}

// scaled runs a benchmark on 10 lanes and on 1,000 and reports how many times as
// much a decision costs on the latter.
func scaled(b *testing.B, one func(b *testing.B, lanes int)) {
	var base float64
	for _, lanes := range []int{10, 1000} {
		b.Run(fmt.Sprintf("lanes=%d", lanes), func(b *testing.B) {
			b.ReportAllocs()
			one(b, lanes)
			each := float64(b.Elapsed().Nanoseconds()) / float64(max(b.N, 1))
			if lanes == 10 {
				base = each
				return
			}
			if base > 0 { // the smaller one was not left out
				b.ReportMetric(each/base, "x-of-10-lanes")
			}
		})
	}
}

// BenchmarkTickParked looks at a run whose lanes all wait for one window.
func BenchmarkTickParked(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		s := newBench(benchProgram(lanes, lanes))
		s.limit()
		for b.Loop() {
			s.decide(run.Tick{})
		}
	})
}

// BenchmarkTickAlone looks at a run whose lanes each wait for an instant of their own.
func BenchmarkTickAlone(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		p := benchProgram(lanes, lanes)
		p.Breaker.On = false
		s := newBench(p)
		s.limit()
		for b.Loop() {
			s.decide(run.Tick{})
		}
	})
}

// BenchmarkTickQueued looks at a run in which four lanes work and the rest of the
// tasks wait for their turn.
func BenchmarkTickQueued(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		s := newBench(benchProgram(lanes, 4))
		for b.Loop() {
			s.decide(run.Tick{})
		}
	})
}

// BenchmarkServedEnded is two decisions on one lane of those that work: it is
// served, and ends with success. Every lane after the last opens all of them anew.
func BenchmarkServedEnded(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		p := benchProgram(lanes, lanes)
		s := newBench(p)
		for b.Loop() {
			if len(s.state.Lanes) > 50*lanes { // keep the history short
				b.StopTimer()
				s = newBench(p)
				b.StartTimer()
			}
			id := s.state.Open[0]
			s.decide(run.Served{Lane: id, Attempt: s.attempt(id), Sign: "text"})
			s.end(id, run.Verdict{Class: run.ClassSuccess})
		}
	})
}

// BenchmarkSuspectedServed is two decisions on one lane of those that work: a sign
// of a limit in its stream, and a sign that it passed.
func BenchmarkSuspectedServed(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		s := newBench(benchProgram(lanes, lanes))
		id := s.state.Open[0]
		a := s.attempt(id)
		for b.Loop() {
			s.decide(run.Suspected{Lane: id, Attempt: a, Why: "retry notice"})
			s.decide(run.Served{Lane: id, Attempt: a, Sign: "text"})
		}
	})
}

// BenchmarkProbeRefused is three decisions: the window on which all lanes wait
// comes due, the first of them probes it, and is refused for another hour.
func BenchmarkProbeRefused(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		p := benchProgram(lanes, lanes)
		s := newBench(p)
		s.limit()
		n := 0
		for b.Loop() {
			if n++; n > 2000 { // keep the history short
				b.StopTimer()
				s, n = newBench(p), 0
				s.limit()
				b.StartTimer()
			}
			s.now = s.now.Add(time.Hour)
			for _, e := range s.decide(run.Tick{}) {
				if ask, ok := e.(run.AskPermit); ok {
					s.decide(run.PermitAnswered{Lane: ask.Lane, Target: ask.Target, Keys: ask.Keys, Why: ask.Why, Granted: true})
					s.end(ask.Lane, run.Verdict{
						Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily,
						Reset: s.now.Add(time.Hour), How: run.HowStated,
					})
				}
			}
		}
	})
}

// BenchmarkApplyPark applies the two facts of a park of one lane among many that
// are parked.
func BenchmarkApplyPark(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		p := benchProgram(lanes, lanes)
		p.Breaker.On = false
		s := newBench(p)
		s.limit()
		lane := run.LaneID(lanes / 2)
		apply := func(body run.Body) {
			if err := s.state.Apply(run.Fact{Seq: s.state.Seq + 1, At: s.now, Lane: lane, Body: body}); err != nil {
				b.Fatal(err)
			}
		}
		parked := run.TurnParked{Reason: run.ClassRateLimited, WakeAt: s.now.Add(30 * time.Minute), How: run.HowStated, Streak: 1}
		for b.Loop() {
			apply(run.TurnWoken{Reason: run.WokenDue})
			apply(parked)
		}
	})
}
