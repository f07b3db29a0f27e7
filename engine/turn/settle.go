package turn

import (
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// gaveUp is a wait that could not fit.
type gaveUp struct {
	bounds policy.Bounds
	hint   time.Duration
	stated bool
	resets time.Time
}

// settle ends what a lane can do on its target: it goes to another one, or the
// turn ends.
func settle(d *run.Decision, l *run.Lane, v run.Verdict, g *gaveUp) {
	if faulty(v.Class) {
		breaker.Exhausted(d, l, l.Target, v.Class)
	}
	leave(d, l, v, g)
}

// leave sends a lane elsewhere once its target can do no more for it, or ends its
// turn.
func leave(d *run.Decision, l *run.Lane, v run.Verdict, g *gaveUp) {
	if canSwap(d.State, l) {
		if elsewhere(d, l, "failover") {
			return
		}
		d.Record(l.ID, run.LaneRouted{Why: "failover"})
	} else if to, ok := back(d, l); ok && goTo(d, l, to, "return") {
		return
	}
	if v.Class == run.ClassContextOverflow {
		fail(d, l, v)
		return
	}
	block(d, l, v, g)
}

// giveUp settles a wait for a window that cannot fit. The router has been asked.
func giveUp(d *run.Decision, l *run.Lane, r reach) {
	v := l.Last
	v.Class = reasonOf(r.gate, l)
	g := &gaveUp{bounds: r.bounds, hint: r.wait, stated: r.stated}
	if r.gate.How.Said() {
		g.resets = r.gate.Until
	}
	if canSwap(d.State, l) {
		d.Record(l.ID, run.LaneRouted{Why: "failover"})
	}
	block(d, l, v, g)
}

// Expire fails a lane whose job came back to a budget of time that had ended.
func Expire(d *run.Decision, l *run.Lane) {
	d.Record(l.ID, run.TurnStarted{})
	fail(d, l, run.Verdict{Class: run.ClassDeadline})
}

// Expires is when a job's own budget of time leaves no room for work; zero means
// never.
func Expires(s *run.State, j run.Job) time.Time {
	d := s.Program.Tasks[j.Task].Deadline.D()
	if d == 0 || j.FirstSpawn.IsZero() {
		return time.Time{}
	}
	return j.FirstSpawn.Add(d - policy.WakeReserve)
}

// lapse ends a wait whose allowance has ended.
func lapse(d *run.Decision, l *run.Lane) {
	if !d.State.Paused && elsewhere(d, l, "failover") {
		return
	}
	v := l.Last
	if l.Wait != nil {
		v.Class = l.Wait.Reason
	}
	g := &gaveUp{bounds: bounds(d, l, false)}
	if w := d.State.Gate(l); w != nil && w.How.Said() {
		g.resets = w.Until
	}
	wake(d, l, run.WokenDeadline)
	block(d, l, v, g)
}

// block ends a turn for a provider's fault: its task goes back to the queue.
func block(d *run.Decision, l *run.Lane, v run.Verdict, g *gaveUp) {
	wake(d, l, run.WokenDeadline)
	exhausted(d, l, true)
	e := run.Error{Message: message(v), Retryable: true}
	if g != nil {
		e.ResetsAt = g.resets
		if g.stated {
			e.HintS = seconds(g.hint)
		}
		if a, bounded := g.bounds.Allowance(); bounded {
			e.CeilingS = seconds(a)
		}
		if !g.bounds.Deadline.IsZero() {
			e.HeadroomS = seconds(max(g.bounds.Deadline.Sub(g.bounds.Now), 0))
		}
	}
	d.Record(l.ID, e)
	job := again(l)
	if !d.State.Program.Breaker.On && g != nil {
		// No window holds it back, so the job does it itself.
		job.NotBefore = d.Now.Add(policy.ParkCap)
		if !g.resets.IsZero() {
			job.NotBefore = g.resets
		}
	}
	endTurn(d, l, run.LaneBlocked, v.Class)
	d.Record(0, run.TaskRequeued{Job: job})
}

// fail ends a turn on the agent's own account, or at its deadline.
func fail(d *run.Decision, l *run.Lane, v run.Verdict) {
	wake(d, l, run.WokenDeadline)
	exhausted(d, l, false)
	d.Record(l.ID, run.Error{Message: message(v)})
	endTurn(d, l, run.LaneFailed, v.Class)
}

// exhausted says what was tried, if anything was retried.
func exhausted(d *run.Decision, l *run.Lane, retryable bool) {
	if l.Retried {
		d.Record(l.ID, run.RetriesExhausted{Attempts: l.Burned, Reasons: l.Reasons, Retryable: retryable})
	}
}

// end ends a turn and its lane without an error.
func end(d *run.Decision, l *run.Lane, st run.LaneState) {
	endTurn(d, l, st, l.Last.Class)
}

func endTurn(d *run.Decision, l *run.Lane, st run.LaneState, class run.Class) {
	d.Record(l.ID, run.TurnEnded{State: st, Class: class, Target: l.Target})
	d.Record(l.ID, run.LaneEnded{State: st, Class: class})
}

// message says in one line why a turn ended without success.
func message(v run.Verdict) string {
	var what string
	switch v.Class {
	case run.ClassRateLimited:
		what = "rate limited"
	case run.ClassContextOverflow:
		what = "the conversation is too long"
	case run.ClassAuth:
		what = "not logged in"
	case run.ClassBilling:
		what = "the account must be paid or entitled first"
	case run.ClassDeadline:
		what = "the budget of time ended"
	case run.ClassTransport:
		what = "the connection to the provider failed"
	case run.ClassFailed:
		what = "the agent failed"
	case run.ClassIncomplete:
		what = "the agent ended without saying how"
	case run.ClassStalled:
		what = "the agent " + v.Stall()
	case run.ClassOverloaded:
		what = "the provider has no capacity"
	default:
		what = v.Class.String()
	}
	return what
}

func seconds(d time.Duration) *float64 {
	s := d.Seconds()
	return &s
}
