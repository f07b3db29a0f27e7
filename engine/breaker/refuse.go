package breaker

import (
	"time"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// KeyOf is the window that a limit of a scope means for a target.
func KeyOf(s *run.State, t run.Target, scope run.Scope) run.WindowKey {
	k := run.WindowKey{Family: s.Program.FamilyOf(t), Sort: run.SortLimit}
	if scope == run.ScopeModel {
		k.Model = t.Model
		if k.Model == "" {
			k.Model = run.DefaultModel
		}
	}
	return k
}

// Refused opens or extends the window of a limit or an overload that ended an
// attempt, and settles its probe bad if it was one. It counts from the end of the
// attempt: if that was while nobody owned the run, what was said may be over by now.
func Refused(d *run.Decision, l *run.Lane, a *run.Attempt, v run.Verdict) {
	kind := v.Kind
	if kind != run.KindUsage {
		kind = run.KindThrottle
	}
	refuse(d, l, a, Refusal{
		Key: KeyOf(d.State, a.Target, v.Scope), Kind: kind,
		Reset: v.Reset, How: v.How, Reason: v.Message, Attempt: a.ID,
	}, v.Class == run.ClassRateLimited)
}

// LoginFailed opens the window of a login or payment that must be mended first.
func LoginFailed(d *run.Decision, l *run.Lane, a *run.Attempt, v run.Verdict) {
	kind := run.KindAuth
	if v.Class == run.ClassBilling {
		kind = run.KindBilling
	}
	Released(d, a, "the agent ended with "+v.Class.String())
	w := run.Window{
		WindowKey: run.WindowKey{Family: d.State.Program.FamilyOf(a.Target), Sort: run.SortLogin},
		Kind:      kind, OpenedAt: d.Now, How: run.HowStated, Reason: v.Message, Attempt: a.ID,
	}
	if old := d.State.Window(w.WindowKey); old != nil {
		w.OpenedAt = old.OpenedAt
		d.Record(l.ID, run.WindowExtended{Window: w})
		return
	}
	d.Record(l.ID, run.WindowOpened{Window: w})
}

func refuse(d *run.Decision, l *run.Lane, a *run.Attempt, r Refusal, limit bool) {
	s := d.State
	old := s.Window(r.Key)
	r.Probe = old != nil && old.Permit != nil && old.Permit.Attempt == a.ID
	if r.Probe {
		settleBad(d, l.ID, old, "refused again")
	}
	// A permit for another window of the same target found out nothing.
	Released(d, a, "refused by another window")
	w := Merge(old, r, s.Program.Breaker.Cooldown.D(), a.EndedAt)
	tripped := old != nil && old.Trip
	w.Trip = limit && r.Key.Model == "" || tripped
	if old == nil {
		d.Record(l.ID, run.WindowOpened{Window: w})
		d.Changed = append(d.Changed, run.Change{Key: w.WindowKey})
	} else {
		change(d, l.ID, old, w)
	}
	if w.Trip && !tripped {
		d.Record(l.ID, run.FamilyTripped{
			Family: w.Family, TrippedAt: w.OpenedAt, ResetsAt: w.Until, Reason: w.Reason, How: w.How,
		})
	}
}

// change records a window that differs from what it was, and tells that the
// lanes that wait for it wake at another instant.
func change(d *run.Decision, lane run.LaneID, old *run.Window, w run.Window) {
	before := *old
	d.Record(lane, run.WindowExtended{Window: w})
	told(d, before)
}

// told tells the lanes that wait for a window how it differs from what it was. If
// somebody said when it ends they may do better elsewhere now.
func told(d *run.Decision, before run.Window) {
	moved(d, before.WindowKey, before.PermitAt())
	w := d.State.Window(before.WindowKey)
	evidence := w.How != before.How
	if evidence || w.How.Said() && !w.Until.Equal(before.Until) {
		d.Changed = append(d.Changed, run.Change{Key: w.WindowKey, Evidence: evidence})
	}
}

func moved(d *run.Decision, k run.WindowKey, before time.Time) {
	w := d.State.Window(k)
	if len(w.Waiters) > 0 && !w.PermitAt().Equal(before) {
		d.Record(0, run.ParkMoved{Window: k, WakeAt: w.PermitAt(), Lanes: len(w.Waiters), How: w.How})
	}
}

// settleBad takes the permit of a probe that went wrong.
func settleBad(d *run.Decision, lane run.LaneID, w *run.Window, why string) {
	id := w.Permit.Attempt
	d.Record(lane, run.ProbeSettled{Key: w.WindowKey, Attempt: id, Why: why})
	d.Do(run.ReleasePermit{Key: w.WindowKey, Attempt: id})
}

// Lapse settles the probes bad that have shown no sign for too long: the permit
// moves on, the attempt goes on.
func Lapse(d *run.Decision) {
	for _, w := range d.State.Windows {
		if w.Permit == nil || d.Now.Before(w.Permit.Lapses) {
			continue
		}
		d.Freed = true // the attempt is no probe any more, and may be left
		lane, before := w.Permit.Lane, w.PermitAt()
		if w.Sort == run.SortHealth {
			ProbeFailed(d, d.State.Lane(lane), w, "no sign in time")
			continue
		}
		settleBad(d, lane, w, "no sign in time")
		next := *w
		open := d.Now.Sub(w.OpenedAt)
		usage := w.Kind == run.KindUsage
		if policy.CountsTry(usage, open) {
			next.Tries++
		}
		next.NextTry = again(next, d.Now)
		d.Record(lane, run.WindowExtended{Window: next})
		moved(d, w.WindowKey, before)
	}
}
