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
					Attempt: x.attempt, Exit: l.exit, Verdict: l.verdict, DurationMs: run.MillisOf(max(0, past(at, d.now).Sub(began))),
				}
			})
		}
	}
	if x.state == run.LaneWorking {
		x.state = run.LaneOpen
	}
	d.count(x, l)
	switch {
	case x.state == l.state && (l.state != run.LaneParked || l.wake.Equal(x.wake)):
	case x.state == l.state:
		x.wake = l.wake
		d.say(x, d.now, run.ParkMoved{WakeAt: l.wake, How: l.how})
	case l.state == run.LaneParked:
		x.state, x.wake = l.state, l.wake
		d.say(x, at, run.TurnParked{
			Reason: l.verdict.Class, PlannedMs: run.MillisOf(max(0, l.wake.Sub(x.last))), WakeAt: l.wake, How: l.how, Streak: 1,
		})
	case l.state == run.LaneOpen: // the limit is over
		d.wake(x, d.now)
	default:
		x.state, x.why = l.state, l.why
		d.over(x, l)
	}
}

// count accounts what has been used since it was last counted.
func (d *draft) count(x *told, l *lane) {
	u := l.usage.Less(x.counted)
	if u == (run.Usage{}) || !x.spawned {
		return
	}
	x.counted = l.usage
	good := l.verdict.Class == run.ClassSuccess
	d.add(x, l.ended, func() run.Body {
		if good {
			return run.UsageCounted{Attempt: x.attempt, Usage: u}
		}
		return run.UsageIncomplete{Attempt: x.attempt, Usage: u}
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
