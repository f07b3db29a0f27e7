package breaker

import (
	"time"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// Served takes note that a model answers an attempt: its probes settle good, and
// the windows on its target that were opened before the first sign are closed.
func Served(d *run.Decision, l *run.Lane, a *run.Attempt) {
	s := d.State
	Unsuspect(d, l.ID, a, "served")
	for _, w := range s.WindowsOn(a.Target) {
		holds := w.Permit != nil && w.Permit.Attempt == a.ID
		if !holds && !w.OpenedAt.Before(a.ServedAt) {
			continue
		}
		if !holds && (a.StartedAt.Before(w.OpenedAt) || a.StartedAt.Before(w.SaidAt)) && !disproved(w) {
			continue
		}
		switch {
		case holds:
			d.Record(l.ID, run.ProbeSettled{Key: w.WindowKey, Attempt: a.ID, Good: true, Why: "served"})
			d.Do(run.ReleasePermit{Key: w.WindowKey, Attempt: a.ID})
		case w.Permit != nil:
			release(d, w, "another attempt was served")
		}
		Close(d, l.ID, w, "served", true)
	}
}

// Healthy takes note that an attempt that was served has ended without a fault of its
// provider: the failures in a row are over. To be served is not enough for that: an
// agent that answers and dies at once would be started for ever.
func Healthy(d *run.Decision, l *run.Lane, a *run.Attempt) {
	fam := d.State.Family(d.State.Program.FamilyOf(a.Target))
	if fam != nil && (fam.Failures > 0 || fam.Opened > 0) {
		d.Record(l.ID, run.HealthClosed{Family: fam.Name})
	}
}

// disproved reports whether an answer to an attempt that was let in before the
// window opened, or became what it is, says that the window is over. It says
// nothing about an allowance that a provider stated to be spent, nor about failures
// in a row: the call may have been accepted before.
func disproved(w *run.Window) bool {
	return w.Sort != run.SortHealth && !spent(w)
}

// Close clears a window and lets the lanes that wait for it go, one after the
// other.
func Close(d *run.Decision, lane run.LaneID, w *run.Window, why string, good bool) {
	waiters := append([]run.LaneID(nil), w.Waiters...)
	d.Record(lane, run.WindowCleared{Key: w.WindowKey, Why: why, Good: good})
	at := d.Now
	for _, id := range waiters {
		at = at.Add(policy.Stagger)
		d.Record(id, run.ParkMoved{WakeAt: at, Released: true, Ceiling: d.State.Lane(id).Wait.Ceiling})
	}
	d.Freed = true
}

// Clear closes every window of a family, because the operator says so, or for any
// other reason those of its login alone. It reports whether there was any.
func Clear(d *run.Decision, family, why string) bool {
	any := false
	for _, w := range append([]*run.Window(nil), d.State.Windows...) {
		if w.Family != family || (why != "operator" && w.Sort != run.SortLogin) {
			continue
		}
		any = true
		if w.Permit != nil {
			release(d, w, "cleared")
		}
		Close(d, 0, w, why, false)
	}
	if f := d.State.Family(family); f != nil && (f.Failures > 0 || f.Opened > 0) && why == "operator" {
		d.Record(0, run.HealthClosed{Family: family})
	}
	return any
}

// Released takes back every permit of an attempt that ended without finding
// anything out; the next lane may try at once.
func Released(d *run.Decision, a *run.Attempt, why string) {
	for _, k := range a.Permits {
		w := d.State.Window(k)
		if w == nil || w.Permit == nil || w.Permit.Attempt != a.ID {
			continue
		}
		before := w.PermitAt()
		release(d, w, why)
		moved(d, k, before)
	}
}

func release(d *run.Decision, w *run.Window, why string) {
	p := *w.Permit
	d.Record(p.Lane, run.PermitReleased{Key: w.WindowKey, Attempt: p.Attempt, Why: why})
	d.Do(run.ReleasePermit{Key: w.WindowKey, Attempt: p.Attempt})
}

// Suspect takes note of a sign of a limit in a running stream. Patience is how
// much longer the lane would wait with another target free; negative is for ever.
func Suspect(d *run.Decision, l *run.Lane, a *run.Attempt, why string, patience time.Duration) {
	if a.Suspected || a.Ending != 0 {
		return
	}
	x := run.Suspicion{
		Family: d.State.Program.FamilyOf(a.Target), Attempt: a.ID, Lane: l.ID, Why: why,
		Since: d.Now, Until: d.Now.Add(policy.SuspectFor),
	}
	if patience >= 0 {
		x.LookAt = d.Now.Add(patience)
	}
	d.Record(l.ID, run.FamilySuspected{Suspicion: x})
}

// Unsuspect ends what an attempt made suspected.
func Unsuspect(d *run.Decision, lane run.LaneID, a *run.Attempt, why string) {
	if a.Suspected {
		d.Record(lane, run.SuspicionEnded{Family: d.State.Program.FamilyOf(a.Target), Attempt: a.ID, Why: why})
		d.Freed = true
	}
}

// Forget ends the suspicions that are gone by themselves.
func Forget(d *run.Decision) {
	for _, x := range append([]run.Suspicion(nil), d.State.Suspicions...) {
		if !d.Now.Before(x.Until) {
			d.Record(x.Lane, run.SuspicionEnded{Family: x.Family, Attempt: x.Attempt, Why: "old"})
			d.Freed = true
		}
	}
}
