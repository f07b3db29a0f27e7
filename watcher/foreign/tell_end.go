package foreign

import (
	"example.com/layover/engine/run"
)

// close tells of the end of an attempt and of its lane, and what becomes known after it.
func (d *draft) close(x *told, l *lane) {
	if l.state == run.LaneWorking {
		return
	}
	at := l.ended
	if x.state == run.LaneWorking || !same(x.verdict, l.verdict) {
		x.verdict = l.verdict
		if x.spawned {
			began := x.began
			d.add(x, at, func() run.Body {
				return run.AttemptEnded{
					Attempt: x.attempt, Exit: l.exit, Verdict: l.verdict, DurationMs: run.MillisOf(max(0, past(at, d.late).Sub(began))),
				}
			})
		}
	}
	if x.state == run.LaneWorking {
		x.state = run.LaneOpen
	}
	switch {
	case x.state == l.state && x.hold.same(l.hold):
	case l.state == run.LaneWaiting, l.state == run.LaneParked:
		d.hold(x, l.hold)
	case l.state == run.LaneOpen: // the limit is over
		d.wake(x, x.hold.wake)
	default:
		x.state, x.hold, x.why = l.state, hold{}, l.why
		d.over(x, l)
	}
}

// hold tells what a lane waits for that nobody works in.
func (d *draft) hold(x *told, h hold) {
	was := x.state
	switch {
	case h.state == run.LaneWaiting:
		if was == run.LaneParked {
			d.wake(x, d.late)
		}
		d.say(x, h.since, run.RetryScheduled{
			Retry: h.retry, Reason: h.class, DelayMs: run.MillisOf(h.delay), WakeAt: first(h.wake, x.last), How: h.how,
		})
	case was == run.LaneParked:
		d.say(x, d.late, run.ParkMoved{WakeAt: h.wake, How: h.how})
	default:
		d.add(x, h.since, func() run.Body {
			return run.TurnParked{Reason: h.class, PlannedMs: run.MillisOf(max(0, h.wake.Sub(first(h.since, h.wake)))), WakeAt: h.wake, How: h.how, Streak: 1}
		})
	}
	x.state, x.hold = h.state, h
}

// count accounts what has been used since it was last counted.
func (d *draft) count(x *told, l *lane) {
	u := l.usage.Less(x.counted)
	if u == (run.Usage{}) || !x.spawned {
		return
	}
	x.counted = l.usage
	burned := l.state.Final() && l.verdict.Class != run.ClassSuccess
	d.add(x, l.ended, func() run.Body {
		if burned {
			return run.UsageIncomplete{Attempt: x.attempt, Usage: u}
		}
		return run.UsageCounted{Attempt: x.attempt, Usage: u}
	})
}

// over tells of the end of a lane.
func (d *draft) over(x *told, l *lane) {
	if l.state == run.LaneFailed {
		why := l.why
		if why == "" {
			why = class(l.verdict)
		}
		d.say(x, l.ended, run.Error{Message: why, ResetsAt: l.verdict.Reset})
	}
	d.say(x, l.ended, run.TurnEnded{State: l.state, Class: l.verdict.Class, Target: l.target})
	d.say(x, l.ended, run.LaneEnded{State: l.state, Class: l.verdict.Class, Why: l.why})
}

// same reports whether two verdicts say the same, but for their evidence.
func same(a, b run.Verdict) bool {
	return a.Class == b.Class && a.Kind == b.Kind && a.Scope == b.Scope && a.Model == b.Model && a.Reset.Equal(b.Reset) &&
		a.How == b.How && a.Session == b.Session && a.Message == b.Message
}
