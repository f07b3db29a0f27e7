package turn

import (
	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

// Look goes on with a lane at which something is due: the end of its wait, of
// its patience, of its budget, or the boundary at which a soft stop takes hold.
func Look(d *run.Decision, l *run.Lane) {
	s := d.State
	if a := l.Running(); a != nil {
		lookRunning(d, l, a)
		return
	}
	if l.State.Final() {
		return
	}
	w := l.Wait
	woken := w != nil && d.State.Gate(l) == nil && !w.WakeAt.IsZero() && !d.Now.Before(w.WakeAt)
	gate := s.Gate(l)
	usable := gate != nil && gate.Usable(d.Now)
	if stopping(s, l) {
		if woken || usable || (!l.StopAt.IsZero() && !d.Now.Before(l.StopAt)) {
			wake(d, l, run.WokenStop)
			end(d, l, run.LaneStopped)
		}
		return
	}
	switch {
	case w == nil || woken || usable:
		acquire(d, l, run.WokenDue)
	case !w.Ceiling.IsZero() && !d.Now.Before(w.Ceiling),
		!l.Deadline.IsZero() && !d.Now.Before(l.Deadline):
		lapse(d, l)
	case !w.LookAt.IsZero() && !d.Now.Before(w.LookAt):
		Reconsider(d, l)
	}
}

// lookRunning ends an attempt whose budget of time has ended, or whose stream
// has been suspected for longer than the lane has patience for.
func lookRunning(d *run.Decision, l *run.Lane, a *run.Attempt) {
	switch {
	case a.Ending != 0:
	case !l.Deadline.IsZero() && !d.Now.Before(l.Deadline):
		Finish(d, l, a, run.EndingDeadline)
	case !a.LookAt.IsZero() && !d.Now.Before(a.LookAt):
		if !abandon(d, l, a) {
			d.Record(l.ID, run.LaneRouted{Why: "patience"})
		}
	}
}

// abandon ends a suspected attempt for a target that is free.
func abandon(d *run.Decision, l *run.Lane, a *run.Attempt) bool {
	to, ok := route(d, l)
	if ok {
		d.Record(l.ID, run.LaneRouted{Why: "patience", To: to, Next: true})
		Finish(d, l, a, run.EndingSwap)
	}
	return ok
}

// Finish asks an attempt to end.
func Finish(d *run.Decision, l *run.Lane, a *run.Attempt, why run.Ending) {
	d.Record(l.ID, run.AttemptEnding{Attempt: a.ID, Why: why})
	d.Do(run.End{Lane: l.ID, Attempt: a.ID, Why: why})
}

// Reconsider asks a lane whose patience is spent whether it would rather go
// elsewhere, because a target may have become free.
func Reconsider(d *run.Decision, l *run.Lane) {
	if a := l.Running(); a != nil {
		if a.Suspected && a.Ending == 0 && a.LookAt.IsZero() && d.State.Program.Patience != run.Off && !stopping(d.State, l) {
			abandon(d, l, a)
		}
		return
	}
	w := l.Wait
	if w == nil || l.State.Final() || stopping(d.State, l) || w.Window.IsZero() || w.Released {
		return
	}
	gate := d.State.Gate(l)
	if gate == nil {
		acquire(d, l, run.WokenCleared)
		return
	}
	stated := gate.How.Said() && gate.Permit == nil && gate.Until.After(d.Now)
	if !impatient(d.State, l, d.Now, stated, gate.Until.Sub(d.Now)) {
		return
	}
	if elsewhere(d, l, "patience") || w.LookAt.IsZero() || w != l.Wait {
		return
	}
	if w.LookAt.After(d.Now) {
		return
	}
	// Nobody is free: wait on, without looking again until something changes.
	d.Record(l.ID, run.LaneRouted{Why: "patience"})
}

// Wake ends a wait because the operator asks: by permit where a window is open.
func Wake(d *run.Decision, l *run.Lane) {
	s := d.State
	if l.Wait == nil {
		d.Record(l.ID, run.Notice{Message: "not woken: " + s.Label(l) + " is not waiting"})
		return
	}
	keys := breaker.Keys(s, l.Target)
	for _, k := range keys {
		if w := s.Window(k); w.Permit != nil {
			holder := s.Lane(w.Permit.Lane)
			d.Record(l.ID, run.Notice{Message: "not woken: " + k.String() + " is being probed by " + s.Label(holder)})
			return
		}
	}
	if len(keys) == 0 {
		launch(d, l, l.Target, nil, run.WokenOperator)
		return
	}
	d.Ask(run.AskPermit{Lane: l.ID, Target: l.Target, Keys: keys, Why: run.WokenOperator})
}
