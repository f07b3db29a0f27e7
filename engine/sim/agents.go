package sim

import (
	"strconv"
	"time"

	"example.com/layover/engine/run"
)

// Agents is how the simulated agent programs behave.
type Agents struct {
	// Start passes from the start of a process to its first call.
	Start time.Duration
	// Call is the mean length of a call; they are uniform on half of it to three
	// halves. Sign passes from the start of an answered call to its first output.
	Call, Sign time.Duration
	// Inside is how long an agent retries a refused call by itself, if it does: a
	// bare 429, or a login that is refused; an overload too if InsideOver is set.
	// Zero means not at all.
	Inside     time.Duration
	InsideOver bool
	// Hangs, Dies, Fails, Overflows and Cancels are the shares of the calls at which
	// an agent falls silent, dies, fails on its own account, has too long a
	// conversation, or says that it was cancelled.
	Hangs, Dies, Fails, Overflows, Cancels float64
	// Mute is the share of the attempts that show no sign before their end.
	Mute float64
	// Long is the share of the handoffs that are too long to be given whole.
	Long float64
	// Stall is how long silence is borne.
	Stall time.Duration
}

// insideDelays are the waits between the retries of an agent by itself.
var insideDelays = []time.Duration{
	500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second,
}

func insideDelay(n int) time.Duration { return insideDelays[min(n, len(insideDelays)-1)] }

// process is one simulated agent.
type process struct {
	s        *Sim
	spawn    run.Spawn
	job      Job
	provider *Provider
	mute     bool

	// served is when a model last answered it; negative if none has.
	served time.Duration
	// told is set once its sign has been told, until it is suspected.
	told, suspected bool
	calls           int // answered to their end
	ending          bool
	gone            bool
	ended           run.Ended
	endedAt         time.Duration
}

// Job is one task of one iteration.
type Job struct{ Task, Iteration int }

// later does something to the process after a while, unless it is gone by then.
func (p *process) later(d time.Duration, do func()) {
	p.s.after(d, p, func() {
		if !p.gone {
			do()
		}
	})
}

// call makes the next call.
func (p *process) call() {
	s, a := p.s, p.s.world.Agents
	switch x := s.draw.Float64(); {
	case a.Hangs > 0 && x < a.Hangs:
		p.hang()
		return
	case x < a.Hangs+a.Dies:
		p.end(run.Verdict{Class: run.ClassIncomplete})
		return
	case x < a.Hangs+a.Dies+a.Fails:
		p.end(run.Verdict{Class: run.ClassFailed})
		return
	case x < a.Hangs+a.Dies+a.Fails+a.Overflows:
		p.end(run.Verdict{Class: run.ClassContextOverflow})
		return
	case x < a.Hangs+a.Dies+a.Fails+a.Overflows+a.Cancels:
		p.end(run.Verdict{Class: run.ClassCancelled})
		return
	}
	p.ask(0, s.now)
}

// ask asks the provider; tries counts the retries by itself, since is the first.
func (p *process) ask(tries int, since time.Duration) {
	s := p.s
	f := p.provider.Ask(p.spawn.Target.Model, s.now, s.draw)
	if f == nil {
		p.answered()
		return
	}
	s.Refused++
	p.later(time.Second+s.drawn(time.Second), func() {
		if p.retriesInside(f) && s.now+insideDelay(tries)-since <= s.world.Agents.Inside {
			if tries >= 1 {
				p.notice()
			}
			if !p.gone && !p.ending {
				p.later(insideDelay(tries), func() { p.ask(tries+1, since) })
			}
			return
		}
		v := run.Verdict{Class: f.Class, Kind: f.Kind, Scope: f.Scope, How: f.How}
		if f.In >= 0 && f.How != 0 {
			v.Reset = s.wall().Add(f.In)
			if up := v.Reset.Truncate(time.Second); up.Before(v.Reset) {
				v.Reset = up.Add(time.Second)
			}
			if f.How == run.HowText { // which names a minute
				v.Reset = v.Reset.Truncate(time.Minute)
			}
		}
		p.end(v)
	})
}

func (p *process) retriesInside(f *Refusal) bool {
	a := p.s.world.Agents
	switch f.Class {
	case run.ClassRateLimited:
		return a.Inside > 0 && f.Kind == run.KindThrottle && f.In < 0
	case run.ClassOverloaded:
		return a.Inside > 0 && a.InsideOver
	case run.ClassAuth:
		return a.Inside > 0
	}
	return false
}

// notice shows in the stream that the agent retries.
func (p *process) notice() {
	p.suspected = true
	h := run.Suspected{Lane: p.spawn.Lane, Attempt: p.spawn.Attempt, Why: "it retries after status 429"}
	if p.served >= 0 {
		h.LastServed = p.s.wallAt(p.served)
	}
	p.s.tell(h)
}

// answered goes through an answered call to the next one.
func (p *process) answered() {
	s, a := p.s, p.s.world.Agents
	length := a.Call/2 + s.drawn(a.Call)
	sign := min(a.Sign, length)
	p.later(sign, func() {
		p.served = s.now
		if (!p.told || p.suspected) && !p.mute {
			p.told, p.suspected = true, false
			s.tell(run.Served{Lane: p.spawn.Lane, Attempt: p.spawn.Attempt, Sign: "text"})
		}
		if p.gone || p.ending {
			return
		}
		p.later(length-sign, func() {
			p.calls++
			s.spend(p)
			if p.gone || p.ending {
				return
			}
			if p.spawn.Summarise || s.did(p.job) {
				p.end(run.Verdict{Class: run.ClassSuccess})
				return
			}
			p.call()
		})
	})
}

// used is what the process has used of tokens.
func (p *process) used() run.Usage { return run.Usage{Input: 1000, Output: 100 * int64(p.calls)} }

// hang is silent until somebody has had enough.
func (p *process) hang() {
	p.later(p.s.world.Agents.Stall, func() {
		p.s.tell(run.RanAway{Lane: p.spawn.Lane, Attempt: p.spawn.Attempt})
		p.later(5*time.Second, func() { // nobody owns the run: its guard ends it
			p.end(run.Verdict{Class: run.ClassStalled})
		})
	})
}

// end ends the process with what its stream says.
func (p *process) end(v run.Verdict) {
	if p.gone {
		return
	}
	p.gone, p.endedAt = true, p.s.now
	if !p.spawn.Summarise {
		v.Session = p.spawn.Resume
	}
	if v.Session == "" && p.served >= 0 {
		v.Session = sessionOf(p.spawn.Attempt)
	}
	v.Usage = p.used()
	p.ended = run.Ended{Lane: p.spawn.Lane, Attempt: p.spawn.Attempt, Verdict: v}
	if v.Class != run.ClassSuccess {
		p.ended.Exit.Code = 1
	}
	p.s.left(p)
	p.s.tell(p.ended)
}

// kill ends the process because the run asks for it.
func (p *process) kill() {
	if p.gone || p.ending {
		return
	}
	p.ending = true
	p.s.after(p.s.drawn(2*time.Second), p, func() {
		p.end(run.Verdict{Class: run.ClassIncomplete})
	})
}

func sessionOf(id run.AttemptID) string { return "session-" + strconv.Itoa(int(id)) }
