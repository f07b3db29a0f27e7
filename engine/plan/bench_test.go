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
		s.end(id, limitedFor(s.now, time.Hour))
	}
}

// limitedFor is a refusal by a limit that lasts for so long, as its provider says.
func limitedFor(now time.Time, d time.Duration) run.Verdict {
	return run.Verdict{
		Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily,
		Reset: now.Add(d), How: run.HowStated,
	}
}

// refuse ends the first so many lanes with a fault that nobody waits for, each with a
// session of its own, so that their jobs come back to the queue.
func (s *bench) refuse(lanes int, c run.Class) {
	for id := range run.LaneID(lanes) {
		s.now = s.now.Add(time.Millisecond)
		s.end(id+1, run.Verdict{Class: c, Session: fmt.Sprint("session ", id), Usage: run.Usage{Output: int64(id)}})
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
			if len(s.state.Lanes) > lanes+5000 { // the same history beside either number of lanes
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
		for b.Loop() {
			s.blink(s.state.Open[0])
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
					s.end(ask.Lane, limitedFor(s.now, time.Hour))
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

// BenchmarkTickBlocked looks at a run whose jobs all came back from a login that does
// not work: the program waits until the operator mends it.
func BenchmarkTickBlocked(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		s := newBench(benchProgram(lanes, lanes))
		s.refuse(lanes, run.ClassAuth)
		for b.Loop() {
			s.decide(run.Tick{})
		}
	})
}

// BenchmarkTickRequeued looks at a run in which one lane works, on a target of its own,
// and all other jobs came back to the queue, each with a session and a budget of time.
func BenchmarkTickRequeued(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		p := benchProgram(lanes, lanes)
		p.Agents["codex"] = run.Agent{Preset: "codex", Family: "codex"}
		for i := range p.Tasks {
			p.Tasks[i].Deadline = run.Duration(10 * time.Hour)
		}
		p.Tasks[lanes-1].Order = []run.Target{{Agent: "codex"}}
		s := newBench(p)
		s.refuse(lanes-1, run.ClassAuth)
		for b.Loop() {
			s.decide(run.Tick{})
		}
	})
}

// BenchmarkSuspectedServedBesideParked is two decisions on one lane that works, on a
// target that is free for it alone: a sign of a limit, and a sign that it passed. All
// other lanes are parked, and would go elsewhere if they could.
func BenchmarkSuspectedServedBesideParked(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		s := besideParked(b, lanes)
		for b.Loop() {
			s.blink(run.LaneID(lanes))
		}
	})
}

// BenchmarkSuspectedServedAfterAChange is the same, each time after something that may
// change where lanes go.
func BenchmarkSuspectedServedAfterAChange(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		s := besideParked(b, lanes)
		for b.Loop() {
			s.state.Unsettle()
			s.blink(run.LaneID(lanes))
		}
	})
}

// BenchmarkPatientAfterAChange is two decisions on the one lane that works, on a target
// that is free for all. All other lanes are parked and are patient, and each time something
// has changed that may change where lanes go.
func BenchmarkPatientAfterAChange(b *testing.B) {
	scaled(b, func(b *testing.B, lanes int) {
		p := benchProgram(lanes, lanes)
		p.Patience = run.Duration(10 * time.Hour)
		p.Order = append(p.Order, run.Target{Agent: "codex"})
		p.Agents["codex"] = run.Agent{Preset: "codex", Family: "codex"}
		p.Tasks[lanes-1].Order = p.Order[1:]
		s := newBench(p)
		for id := run.LaneID(1); id < run.LaneID(lanes); id++ {
			s.end(id, limitedFor(s.now, time.Hour))
		}
		if got := s.state.Counts.Parks; got != lanes-1 || s.state.Counts.Swaps > 0 {
			b.Fatalf("%d lanes are parked, %d have swapped", got, s.state.Counts.Swaps)
		}
		for b.Loop() {
			s.state.Unsettle()
			s.blink(run.LaneID(lanes))
		}
	})
}

// besideParked is a run in which the last lane works, on a target that is free for it
// alone, and all others are parked and have no patience left.
func besideParked(b *testing.B, lanes int) *bench {
	p := benchProgram(lanes, lanes)
	p.Patience = run.Defaults().Patience
	p.Order = []run.Target{{Agent: "claude"}, {Agent: "codex"}}
	p.Agents["codex"] = run.Agent{Preset: "codex", Family: "codex"}
	p.Agents["other"] = run.Agent{Preset: "codex", Family: "other"}
	p.Tasks[lanes-1].Order = []run.Target{{Agent: "other"}}
	s := newBench(p)
	for range p.Order { // each target refuses them in turn
		for id := run.LaneID(1); id < run.LaneID(lanes); id++ {
			if s.state.Lane(id).Running() != nil {
				s.end(id, limitedFor(s.now, time.Hour))
			}
		}
	}
	if got := len(s.state.Open); got != lanes || s.state.Counts.Parks != lanes-1 {
		b.Fatalf("%d lanes are open, %d were parked", got, s.state.Counts.Parks)
	}
	s.now = s.now.Add(10 * time.Minute)
	s.decide(run.Tick{})
	return s
}

// blink shows a sign of a limit in the stream of a lane, and a sign that it passed.
func (s *bench) blink(lane run.LaneID) {
	a := s.attempt(lane)
	s.decide(run.Suspected{Lane: lane, Attempt: a, Why: "retry notice"})
	s.decide(run.Served{Lane: lane, Attempt: a, Sign: "text"})
}
