package breaker

import (
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// Seen takes over a window that another process recorded, if it says more than is
// known here. Limits are not shared by a run without the breaker.
func Seen(d *run.Decision, v run.Window) {
	if d.State.Family(v.Family) == nil || v.Sort == run.SortLimit && !d.State.Program.Breaker.On {
		return
	}
	v.Permit, v.Waiters, v.Attempt = nil, nil, 0 // of another run
	old := d.State.Window(v.WindowKey)
	if old == nil {
		d.Record(0, run.WindowSeen{Window: v})
		return
	}
	if v.How < old.How && !old.Due(d.Now) || v.How <= old.How && !v.Until.After(old.Until) {
		return
	}
	v.OpenedAt, v.Trip = old.OpenedAt, v.Trip || old.Trip
	v.SaidAt = saidAt(old, v, d.Now)
	see(d, old, v)
}

// SeenCleared closes a window that another process cleared, if it was opened before
// the instant that the clear is good for, unless a probe of ours is about to find
// out for itself. A clear without an instant is good for all.
func SeenCleared(d *run.Decision, v run.Window) {
	w := d.State.Window(v.WindowKey)
	if w == nil || w.Permit != nil || (!v.OpenedAt.IsZero() && !w.OpenedAt.Before(v.OpenedAt)) {
		return
	}
	Close(d, 0, w, "seen", true)
}

// Taken takes note that another process holds the permit of a window: it may be
// had when that must have lapsed.
func Taken(d *run.Decision, w *run.Window) {
	v := *w
	if at := d.Now.Add(policy.ProbeTimeout); !v.NextTry.IsZero() && v.NextTry.Before(at) {
		v.NextTry = at
		see(d, w, v)
	}
}

func see(d *run.Decision, old *run.Window, v run.Window) {
	before := *old
	d.Record(0, run.WindowSeen{Window: v})
	told(d, before)
}
