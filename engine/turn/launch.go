package turn

import (
	"slices"
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// Start routes a lane that has just been opened. Target is where the router sent
// it, or the target it is to wait for.
func Start(d *run.Decision, l *run.Lane, target run.Target) {
	d.Record(l.ID, run.TurnStarted{})
	d.Record(l.ID, run.LaneRouted{Why: "start", To: target})
	order := d.State.Program.OrderFor(l.Job)
	for _, t := range order {
		if t == target {
			break
		}
		breaker.Refuse(d, l, t, order)
	}
	acquire(d, l, run.WokenDue)
}

// acquire gets a lane going on its target: at once, by permit, after a wait, or
// on another target. Why is what wakes it if it is parked.
func acquire(d *run.Decision, l *run.Lane, why run.Woken) {
	s := d.State
	if s.BudgetOf(l) != nil {
		broke(d, l)
		return
	}
	if end := deadline(s, l.Job, d.Now); !end.IsZero() && !d.Now.Before(end) {
		lapse(d, l)
		return
	}
	if s.Paused {
		hold(d, l)
		return
	}
	keys := breaker.Keys(s, l.Target)
	if len(keys) == 0 {
		launch(d, l, l.Target, nil, why)
		return
	}
	if breaker.Usable(s, l.Target, d.Now) &&
		d.Ask(run.AskPermit{Lane: l.ID, Target: l.Target, Keys: keys, Why: why}) {
		return
	}
	breaker.Refuse(d, l, l.Target, s.Program.OrderFor(l.Job))
	await(d, l)
}

// Answered goes on with a lane that asked for a permit.
func Answered(d *run.Decision, l *run.Lane, p run.PermitAnswered) {
	s := d.State
	over := l.State.Final() || l.State == run.LaneWorking
	idle := over || stopping(s, l)
	if p.Granted && !idle && !s.Paused && s.BudgetOf(l) == nil && current(s, p, d.Now) {
		launch(d, l, p.Target, p.Keys, p.Why)
		return
	}
	if p.Granted { // too late: things have changed since it was asked for
		for _, k := range p.Keys {
			if w := s.Window(k); w == nil || w.Permit == nil {
				d.Do(run.ReleasePermit{Key: k})
			}
		}
	} else if !idle {
		refusedElsewhere(d, l, p)
	}
	switch {
	case over:
	case idle && l.Wait == nil:
		end(d, l, run.LaneStopped)
	case idle: // it ends at its boundary
	case s.BudgetOf(l) != nil:
		broke(d, l)
	case p.Target != l.Target && l.Wait == nil && spent(l.Last.Class):
		leave(d, l, l.Last, nil)
	default:
		acquire(d, l, p.Why)
	}
}

// refusedElsewhere takes note that another process probes: its answer is ours, or
// its permit lapses.
func refusedElsewhere(d *run.Decision, l *run.Lane, p run.PermitAnswered) {
	for _, k := range p.Keys {
		w := d.State.Window(k)
		if w == nil || w.Permit != nil {
			continue
		}
		breaker.Taken(d, w)
		if p.Why == run.WokenOperator {
			what := "not woken: "
			if p.Target != l.Target {
				what = "not swapped: "
			}
			d.Record(l.ID, run.Notice{Message: what + k.String() + " is being probed by " + p.Holder})
		}
	}
}

// spent reports whether an end of this class leaves nothing to try on its target.
func spent(c run.Class) bool {
	return faulty(c) || c == run.ClassAuth || c == run.ClassBilling || c == run.ClassContextOverflow
}

// current reports whether granted permits are just those that are needed now.
func current(s *run.State, p run.PermitAnswered, now time.Time) bool {
	open := s.WindowsOn(p.Target)
	for _, w := range open {
		if w.Permit != nil || !slices.Contains(p.Keys, w.WindowKey) {
			return false
		}
		if p.Why != run.WokenOperator && !w.Usable(now) {
			return false
		}
	}
	return len(open) == len(p.Keys)
}

// leaves says why a lane leaves its target: for what it waits or would have to wait, or
// for how its last attempt ended there, if that has left nothing to try.
func leaves(s *run.State, l *run.Lane) run.Class {
	last := l.Last.Class
	if l.Wait != nil && !l.Wait.Window.IsZero() {
		return l.Wait.Reason
	}
	again := !spent(last) || last == run.ClassContextOverflow && l.Rung < run.Rungs
	if gate, _ := breaker.Gate(s, l.Target); gate != nil && again {
		return reasonOf(gate, l)
	}
	return last
}

// launch starts an attempt.
func launch(d *run.Decision, l *run.Lane, t run.Target, permits []run.WindowKey, why run.Woken) {
	s := d.State
	if t != l.Target {
		if why == run.WokenDue || why == run.WokenCleared {
			why = run.WokenSwap
		}
		reason := leaves(s, l)
		wake(d, l, why)
		_, back := l.HasLeft(t)
		d.Record(l.ID, run.ProviderFallback{
			From: l.Target, To: t, Reason: reason, Counted: !back && why != run.WokenOperator,
		})
	} else {
		wake(d, l, why)
	}
	id := s.Attempts + 1
	for _, k := range permits {
		d.Record(l.ID, run.PermitGranted{Key: k, Attempt: id, Lapses: d.Now.Add(policy.ProbeTimeout)})
	}
	end := deadline(s, l.Job, d.Now)
	e := spawn(s, l, run.Attempt{ID: id, Target: t, Resume: l.Sessions[t], Permits: permits}, end)
	d.Record(l.ID, run.AttemptStarted{
		Attempt: id, Target: t, Resume: e.Resume, Permits: permits, Handoff: len(e.Work) > 0, Deadline: end,
	})
	d.Do(e)
}

// spawn is what starts the agent of an attempt.
func spawn(s *run.State, l *run.Lane, a run.Attempt, deadline time.Time) run.Spawn {
	if a.Summary != nil { // what it summarises is what the next one is not given
		a.Resume, deadline = l.Sessions[a.Target], a.Summary.Until
	}
	e := run.Spawn{
		Lane: l.ID, Attempt: a.ID, Target: a.Target, Resume: a.Resume, Probe: len(a.Permits) > 0, Deadline: deadline,
		MaxCostUSD: costLeft(s, l),
	}
	if s.Program.Handoff {
		e.Work = unknownTo(s, l, a)
		share(&e, l)
		summarise(s, l, a, &e)
	}
	return e
}

// share says how much of the work so far is handed over. What a rung leaves is reckoned
// from the conversation that was too long: what that began with had been cut already,
// and the second rung never leaves more than the first, however much was done since.
func share(e *run.Spawn, l *run.Lane) {
	e.Keep = keep(l.Rung)
	first, last := begun(l, e.Attempt)
	if l.Rung == 0 || first == nil || first.Handed == 0 {
		return
	}
	e.Keep, e.Given, e.Since = 1, first.Handed, first.ID
	if last.Class != run.ClassContextOverflow || e.Target != first.Target {
		return
	}
	e.Keep = keep(l.Rung) / keep(l.Rung-1)
	if l.Rung > 1 {
		e.Most = first.Handed
	}
}

// begun is the attempt with which the conversation began that an attempt follows, and
// the last one of it; nil if it began in another lane.
func begun(l *run.Lane, id run.AttemptID) (first, last *run.Attempt) {
	for i := len(l.Attempts) - 1; i >= 0; i-- {
		a := &l.Attempts[i]
		if a.ID == id || a.Summary != nil {
			continue
		}
		if last == nil {
			last = a
		}
		if a.Target == last.Target && a.Resume == "" {
			return a, last
		}
	}
	return nil, last
}

// maxSources bounds the attempts whose work is handed over; what is older than so many
// would not fit into a prompt.
const maxSources = 64

// unknownTo lists the attempts of a job that a model served and that are no part of
// the session that an attempt resumes, the oldest first. Earlier lanes of the job
// count too.
func unknownTo(s *run.State, l *run.Lane, a run.Attempt) []run.Source {
	var work []run.Source
	for ; l != nil && len(work) < maxSources; l = s.Lane(l.Job.From) {
		for _, b := range slices.Backward(l.Attempts) {
			if a.Resume != "" && b.Target == a.Target && b.Session == a.Resume {
				slices.Reverse(work)
				return work
			}
			if !b.ServedAt.IsZero() && b.Summary == nil && len(work) < maxSources {
				work = append(work, run.Source{Lane: l.ID, Attempt: b.ID})
			}
		}
	}
	slices.Reverse(work)
	return work
}

// keep is the share of the first conversation that an overflow rung leaves.
func keep(rung int) float64 {
	switch rung {
	case 0:
		return 1
	case 1:
		return 0.75
	}
	return 0.5
}

// deadline is when a job's budget of time ends: the run's, or the task's from
// its first spawn, whichever comes first; zero means never.
func deadline(s *run.State, j run.Job, now time.Time) time.Time {
	end := s.Deadline()
	if d := s.Program.Tasks[j.Task].Deadline.D(); d > 0 {
		first := j.FirstSpawn
		if first.IsZero() {
			first = now
		}
		if own := first.Add(d); end.IsZero() || own.Before(end) {
			end = own
		}
	}
	return end
}

// wake ends the park of a lane, if it is in one.
func wake(d *run.Decision, l *run.Lane, why run.Woken) {
	w := l.Wait
	if w == nil || w.Inline {
		return
	}
	if w.Released && why == run.WokenDue {
		why = run.WokenCleared
	}
	waited := max(d.Now.Sub(w.Since), 0)
	d.Record(l.ID, run.TurnWoken{Reason: why, WaitedMs: run.MillisOf(waited)})
}
