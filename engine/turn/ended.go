package turn

import (
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// Ended takes the end of an attempt: it accounts it, tells the breaker, and goes
// on with the lane.
func Ended(d *run.Decision, l *run.Lane, a *run.Attempt, e run.Ended) {
	if !a.EndedAt.IsZero() {
		return
	}
	said := e.Verdict // what the stream says, whatever we asked of the process
	v := said
	v.Class = classOf(a, said.Class)
	running := l.Running() == a
	if v.Session != "" && v.Session != a.Session {
		d.Record(l.ID, run.SessionLearned{Attempt: a.ID, Session: v.Session, Model: v.Model})
	}
	if said.Class == run.ClassSuccess && a.ServedAt.IsZero() {
		Served(d, l, a, "success")
	}
	at := d.Now
	if !e.At.IsZero() {
		at = e.At
	}
	d.Record(l.ID, run.AttemptEnded{
		Attempt: a.ID, Exit: e.Exit, Verdict: v, DurationMs: run.MillisOf(max(at.Sub(a.StartedAt), 0)), At: e.At,
		Brief: !a.ServedAt.IsZero() && at.Sub(a.ServedAt) < policy.ProgressMin && ofProvider(v.Class),
	})
	account(d, l, a)
	breaker.Unsuspect(d, l.ID, a, "the attempt ended")
	if !a.ServedAt.IsZero() && !faulty(v.Class) {
		breaker.Healthy(d, l, a)
	}
	limited := said.Class == run.ClassRateLimited && d.State.Program.Breaker.On
	probing := holds(d.State, a)
	half := breaker.HalfOpen(d.State, a)
	switch {
	case limited, said.Class == run.ClassOverloaded && d.State.Program.Breaker.On && probing:
		breaker.Refused(d, l, a, said)
	case said.Class == run.ClassAuth, said.Class == run.ClassBilling:
		breaker.LoginFailed(d, l, a, said)
	default:
		if half != nil && faulty(v.Class) {
			breaker.ProbeFailed(d, l, half, "the agent ended with "+v.Class.String())
		}
		breaker.Released(d, a, "the agent ended with "+v.Class.String())
	}
	if running {
		next(d, l, a, v, probing, half != nil)
	}
}

// account adds what an attempt has used that has ended to the sums, and takes note of
// budgets that are spent by it. Work that is done is done, whatever it cost.
func account(d *run.Decision, l *run.Lane, a *run.Attempt) {
	if a.Class == run.ClassSuccess {
		d.Record(l.ID, run.UsageCounted{Attempt: a.ID, Usage: a.Usage})
	} else {
		d.Record(l.ID, run.UsageIncomplete{Attempt: a.ID, Usage: a.Usage})
		Overspent(d, l, l.Used())
	}
	Overspent(d, nil, d.State.Usage)
}

// faulty reports whether a class counts against the health of a family.
func faulty(c run.Class) bool {
	return c == run.ClassTransport || c == run.ClassStalled || c == run.ClassIncomplete
}

// ofProvider reports whether a class is a fault of the provider that is waited for.
func ofProvider(c run.Class) bool {
	return faulty(c) || c == run.ClassRateLimited || c == run.ClassOverloaded
}

// Served takes the first sign that a model answers an attempt, or the first after
// a suspicion.
func Served(d *run.Decision, l *run.Lane, a *run.Attempt, sign string) {
	if !a.EndedAt.IsZero() || (!a.ServedAt.IsZero() && !a.Suspected) {
		return
	}
	d.Record(l.ID, run.AttemptServed{Attempt: a.ID, Sign: sign})
	breaker.Served(d, l, a)
}

// Suspected takes a sign of a limit in the stream of an attempt.
func Suspected(d *run.Decision, l *run.Lane, a *run.Attempt, h run.Suspected) {
	if !a.EndedAt.IsZero() {
		return
	}
	patience := time.Duration(-1)
	if p := d.State.Program.Patience; p != run.Off && canSwap(d.State, l) {
		since := a.StartedAt
		for _, at := range []time.Time{a.SeenAt, h.LastServed} {
			if at.After(since) {
				since = at
			}
		}
		patience = max(p.D()-l.Waited-d.Now.Sub(since), 0)
	}
	breaker.Suspect(d, l, a, h.Why, patience)
}

// classOf is the class of an end that we may have asked for ourselves.
func classOf(a *run.Attempt, said run.Class) run.Class {
	switch {
	case said == run.ClassSuccess:
		return said
	case a.Ending == run.EndingStop, a.Ending == run.EndingSwap, a.Ending == run.EndingSummary:
		return run.ClassCancelled
	case a.Ending == run.EndingDeadline:
		return run.ClassDeadline
	case a.Ending == run.EndingStall:
		return run.ClassStalled
	case a.Ending == run.EndingBudget:
		return run.ClassFailed
	case said == run.ClassCancelled:
		return run.ClassIncomplete // nobody here asked for it
	}
	return said
}

// holds reports whether an attempt holds a permit that has not settled.
func holds(s *run.State, a *run.Attempt) bool {
	for _, k := range a.Permits {
		if w := s.Window(k); w != nil && w.Permit != nil && w.Permit.Attempt == a.ID {
			return true
		}
	}
	return false
}

// next decides what a lane does after its attempt. Probing is set if that held a
// permit, half if it was one of an open health: then there is no ladder.
func next(d *run.Decision, l *run.Lane, a *run.Attempt, v run.Verdict, probing, half bool) {
	s := d.State
	switch {
	case v.Class == run.ClassSuccess && a.Summary == nil:
		end(d, l, run.LaneDone)
		return
	case stopping(s, l):
		end(d, l, run.LaneStopped)
		return
	case s.BudgetOf(l) != nil:
		broke(d, l)
		return
	case a.Ending == run.EndingStop: // the run was resumed while its agent was ending
		acquire(d, l, run.WokenDue)
		return
	case !l.Next.IsZero():
		follow(d, l)
		return
	case a.Summary != nil:
		summarised(d, l, a, v)
		return
	}
	switch v.Class {
	case run.ClassFailed:
		if a.Resume != "" && a.ServedAt.IsZero() {
			// The agent refused to resume: it starts afresh, with the task.
			d.Record(l.ID, run.SessionLost{Attempt: a.ID})
			acquire(d, l, run.WokenDue)
			return
		}
		fail(d, l, v)
	case run.ClassDeadline:
		fail(d, l, v)
	case run.ClassContextOverflow:
		overflow(d, l, v)
	case run.ClassAuth, run.ClassBilling:
		settle(d, l, v, nil)
	case run.ClassRateLimited:
		if s.Program.Breaker.On {
			acquire(d, l, run.WokenDue)
			return
		}
		alone(d, l, v)
	case run.ClassOverloaded:
		overloaded(d, l, a, v, probing)
	default:
		if half || !retry(d, l, v) {
			settle(d, l, v, nil)
		}
	}
}

// overloaded climbs the ladder; once it is spent the window takes over.
func overloaded(d *run.Decision, l *run.Lane, a *run.Attempt, v run.Verdict, probing bool) {
	if !d.State.Program.Breaker.On {
		alone(d, l, v)
		return
	}
	if probing {
		acquire(d, l, run.WokenDue)
		return
	}
	// A wait that was stated is never undercut by the ladder, nor does it go on
	// for ever outside of a window that others see.
	stated := v.How.Said() && v.Reset.After(d.Now)
	switch {
	case stated && l.Burned <= d.State.Program.Retry.MaxRetries && statedInline(d, l, v):
		return
	case !stated && retry(d, l, v):
		return
	}
	breaker.Refused(d, l, a, v)
	acquire(d, l, run.WokenDue)
}

// retry schedules the next rung of the ladder, if there is one and it fits.
func retry(d *run.Decision, l *run.Lane, v run.Verdict) bool {
	s := d.State
	ladder := s.Program.Retry
	taken := l.Retries
	if l.Rested && faulty(v.Class) {
		taken = 0 // what failed before a long wait says nothing of a line that was cut after it
	}
	if modeOf(s, l.Job) == run.WaitNever || taken >= ladder.MaxRetries {
		return false
	}
	draw := policy.Draw(s.Seed, int(l.ID), len(l.Attempts), "retry")
	delay := policy.Backoff(ladder.Base.D(), ladder.Cap.D(), taken+1, draw)
	at := d.Now.Add(run.MillisOf(delay).D())
	if end := deadline(s, l.Job, d.Now); !end.IsZero() && !at.Before(end) {
		return false
	}
	enter(d, l, waitPlan{inline: true, retry: taken + 1, at: at, reason: v.Class})
	return true
}

// statedInline waits for a short wait that was stated, never less than asked.
func statedInline(d *run.Decision, l *run.Lane, v run.Verdict) bool {
	hint := v.Reset.Sub(d.Now)
	if !v.How.Said() || hint <= 0 || hint > policy.InlineMax || modeOf(d.State, l.Job) == run.WaitNever {
		return false
	}
	if a, bounded := bounds(d, l, true).Allowance(); bounded && hint > a {
		return false
	}
	enter(d, l, waitPlan{inline: true, at: v.Reset, how: v.How, reason: v.Class})
	return true
}

// alone waits for a limit without the breaker: the ladder, then parks of the
// lane's own.
func alone(d *run.Decision, l *run.Lane, v run.Verdict) {
	hint := v.Reset.Sub(d.Now)
	stated := v.How.Said() && hint > 0
	if stated && statedInline(d, l, v) {
		return
	}
	if !stated && retry(d, l, v) {
		return
	}
	s := d.State
	b := bounds(d, l, stated)
	if modeOf(s, l.Job) != run.WaitPark {
		settle(d, l, v, &gaveUp{bounds: b, hint: hint, stated: stated, resets: v.Reset})
		return
	}
	if impatient(s, l, d.Now, stated, hint) && elsewhere(d, l, "patience") {
		return
	}
	wait, ok := policy.Park{
		Bounds: b, Hint: hint, Streak: l.Streak,
		Draw: policy.Draw(s.Seed, int(l.ID), len(l.Attempts), "park"),
	}.Plan()
	if !ok {
		settle(d, l, v, &gaveUp{bounds: b, hint: hint, stated: stated, resets: v.Reset})
		return
	}
	plan := waitPlan{at: d.Now.Add(fit(wait, b)), how: v.How, reason: v.Class, look: patienceEnds(s, l, d.Now)}
	if a, bounded := b.Allowance(); bounded {
		plan.ceiling, plan.allowance = d.Now.Add(a), &a
	}
	if !stated {
		plan.how = run.HowAssumed
	}
	enter(d, l, plan)
}

// fit rounds a wait to whole milliseconds without leaving the allowance.
func fit(wait time.Duration, b policy.Bounds) time.Duration {
	up := run.MillisOf(wait).D()
	if a, bounded := b.Allowance(); bounded && up > a {
		return wait
	}
	return up
}

// overflow restarts an agent whose conversation was too long with less of it.
func overflow(d *run.Decision, l *run.Lane, v run.Verdict) {
	if l.Rung >= run.Rungs || modeOf(d.State, l.Job) == run.WaitNever {
		settle(d, l, v, nil)
		return
	}
	d.Record(l.ID, run.OverflowRung{Rung: l.Rung + 1, Keep: keep(l.Rung + 1)})
	acquire(d, l, run.WokenDue)
}
