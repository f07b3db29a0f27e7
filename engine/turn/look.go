package turn

import (
	"time"

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
	if l.State.Final() || asked(d, l) {
		return
	}
	w := l.Wait
	woken := w == nil
	if w != nil {
		gate := s.Gate(l)
		woken = gate == nil && reached(w.WakeAt, d.Now) || gate != nil && gate.Usable(d.Now)
	}
	over := reached(l.Deadline, d.Now) || w != nil && reached(w.Ceiling, d.Now)
	looks := w != nil && reached(w.LookAt, d.Now)
	switch stop := stopping(s, l); {
	case stop && (woken || over || reached(l.StopAt, d.Now)):
		wake(d, l, run.WokenStop)
		end(d, l, run.LaneStopped)
	case woken && !stop:
		acquire(d, l, run.WokenDue)
	case over && !stop:
		lapse(d, l)
	case looks:
		Reconsider(d, l)
		if l.Wait == w && reached(w.LookAt, d.Now) {
			// Nobody is free: wait on, without looking again until something changes.
			d.Record(l.ID, run.LaneRouted{Why: "patience"})
		}
	}
}

// asked reports whether the permit of a lane's target has been asked for in this
// decision: its answer comes next, and everybody is looked at again.
func asked(d *run.Decision, l *run.Lane) bool { return d.Asked(breaker.Keys(d.State, l.Target)) }

// reached reports whether an instant has come; zero never comes.
func reached(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// lookRunning ends an attempt whose budget of time has ended, or whose stream
// has been suspected for longer than the lane has patience for.
func lookRunning(d *run.Decision, l *run.Lane, a *run.Attempt) {
	switch {
	case a.Ending != 0:
	case !l.Deadline.IsZero() && !d.Now.Before(l.Deadline):
		Finish(d, l, a, run.EndingDeadline)
	case a.Summary != nil && reached(a.Summary.Until, d.Now):
		Finish(d, l, a, run.EndingSummary)
	case !a.LookAt.IsZero() && !d.Now.Before(a.LookAt):
		if !free(d.State, l) || !abandon(d, l, a) {
			d.Record(l.ID, run.LaneRouted{Why: "patience"})
		}
	}
}

// abandon ends a suspected attempt for a target that is free. A probe is left to
// its own retries while it holds its permit: to end it early would lose the answer.
func abandon(d *run.Decision, l *run.Lane, a *run.Attempt) bool {
	to, ok := route(d, l)
	ok = ok && !holds(d.State, a)
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

// free reports whether a lane may be sent elsewhere now: neither a stop nor a
// pause is under way.
func free(s *run.State, l *run.Lane) bool { return !stopping(s, l) && !s.Paused }

// Reconsider asks a lane whether it would rather go elsewhere, or give up, because
// a target may have become free or a window has changed.
func Reconsider(d *run.Decision, l *run.Lane) {
	s := d.State
	if l.State.Final() || !free(s, l) {
		return
	}
	if a := l.Running(); a != nil {
		if a.Suspected && a.Ending == 0 && a.LookAt.IsZero() && s.Program.Patience != run.Off {
			abandon(d, l, a)
		}
		return
	}
	w := l.Wait
	switch {
	case w == nil || w.Released:
	case w.Window.IsZero():
		if !w.Inline && !w.WakeAt.IsZero() && impatient(s, l, d.Now, w.How.Said(), w.WakeAt.Sub(d.Now)) {
			elsewhere(d, l, "patience")
		}
	case s.Gate(l) == nil:
		acquire(d, l, run.WokenCleared)
	case d.Waits(l.ID): // it has asked for its permit
	case asked(d, l) || s.Gate(l).Permit != nil || s.Gate(l).Usable(d.Now): // somebody probes it, or will at once
		if impatient(s, l, d.Now, false, 0) {
			elsewhere(d, l, "patience")
		}
	case w.Ceiling.IsZero() && s.Program.Patience == run.Off: // nothing bounds its wait
	default:
		await(d, l)
	}
}

// Rests reports whether lanes that wait alike would all stay where they are if asked
// whether they would rather go elsewhere, see [Reconsider]: no other target of their order
// is free, or they have patience left for a window that is not said to last for longer.
func Rests(s *run.State, r run.Restless, now time.Time) bool {
	if r.Window.IsZero() {
		return !anyOther(s, r, now)
	}
	gate, at := breaker.Gate(s, r.Target)
	if gate == nil || gate.WindowKey != r.Window {
		return false // what they wait for has changed
	}
	wait, stated := lasts(gate, at, now)
	if r.Inline && !short(wait, stated) {
		return false // they are to park
	}
	return r.Patient && !(stated && wait > s.Program.Patience.D()) || !anyOther(s, r, now)
}

// anyOther reports whether another target than theirs is free for lanes that wait alike.
func anyOther(s *run.State, r run.Restless, now time.Time) bool {
	for _, t := range s.Program.OrderFor(run.Job{Task: r.Task}) {
		if t != r.Target && s.Installed(t) && !breaker.Blocked(s, t, now) {
			return true
		}
	}
	return false
}

// SettledUntil is until when a lane that waits and would do nothing now, see [Reconsider],
// would do nothing by itself; zero means for ever. Windows have instants of their own.
func SettledUntil(s *run.State, l *run.Lane, now time.Time) time.Time {
	if l.Job.FirstSpawn.IsZero() && s.Program.Tasks[l.Job.Task].Deadline > 0 {
		return now // its budget of time has not begun, and ends later with every moment
	}
	until := deadline(s, l.Job, now)
	if w := l.Wait; w != nil && !w.Ceiling.IsZero() && (until.IsZero() || w.Ceiling.Before(until)) {
		until = w.Ceiling
	}
	if left := s.Program.Patience.D() - waited(l, now); left > 0 && (until.IsZero() || now.Add(left).Before(until)) {
		until = now.Add(left)
	}
	return until
}

// Wake ends a wait because the operator asks: by permit where a window is open.
func Wake(d *run.Decision, l *run.Lane) {
	s := d.State
	if why := unmoved(s, l); why != "" || l.Wait == nil {
		if why == "" {
			why = s.Label(l) + " is not waiting"
		}
		d.Record(l.ID, run.Notice{Message: "not woken: " + why})
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

// unmoved says why the operator cannot move a lane now; empty if that is possible.
func unmoved(s *run.State, l *run.Lane) string {
	switch {
	case stopping(s, l):
		return s.Label(l) + " is stopping"
	case s.Paused:
		return "the program is paused"
	}
	return ""
}
