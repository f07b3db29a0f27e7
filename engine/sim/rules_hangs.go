package sim

import (
	"time"

	"example.com/layover/engine/run"
)

const (
	// maxHang is longer than anything takes that is worth waiting for: a week's
	// allowance, with all that is added to the wait for it.
	maxHang = 9 * 24 * time.Hour
	// maxIdle bounds the decisions without a sign that a model served anybody.
	maxIdle = 200_000
)

// hangs holds that nothing waits for ever. A drawn run that has too much work is stopped
// in the end, so this is held when a lane or a run ends, by whatever it does: of late a
// sign must have come, or a reset that was stated have lain ahead.
func (r *Rules) hangs(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.LaneStarted:
		r.signs[f.Lane] = f.At
	case run.AttemptServed:
		r.signs[0], r.signs[f.Lane], r.idle = f.At, f.At, 0
	case run.ProgramUnpaused: // to be held by a pause is not to hang
		for id := range r.signs {
			r.signs[id] = f.At
		}
	case run.WindowExtended:
		r.stated(s.Window(b.WindowKey), f.At)
	case run.WindowSeen:
		r.stated(s.Window(b.WindowKey), f.At)
	case run.WindowCleared:
		r.stated(s.Window(b.Key), f.At)
	case run.ParkMoved:
		r.waited(l, f.At)
	case run.TurnWoken:
		r.waited(l, f.At)
	case run.LaneEnded:
		r.waited(l, f.At)
		if since, open := r.signs[f.Lane]; open && !s.Paused && f.At.Sub(since) > maxHang {
			r.broken("a lane hangs", "nothing was to be waited for since %s", since)
		}
		delete(r.signs, f.Lane)
	case run.RunEnded:
		for _, w := range s.Windows {
			r.stated(w, f.At)
		}
		if since := r.signs[0]; !s.Paused && f.At.Sub(since) > maxHang {
			r.broken("the run hangs", "nothing was to be waited for since %s", since)
		}
	}
}

// stated takes note of how long it was right to wait for a window, which changes or
// closes now: until what was stated of it.
func (r *Rules) stated(w *run.Window, now time.Time) {
	if w == nil || !w.How.Said() {
		return
	}
	r.right(0, w.Until, now)
	for _, id := range w.Waiters {
		r.right(id, w.Until, now)
	}
}

// waited does the same for the wait of a lane, which changes or ends now.
func (r *Rules) waited(l *run.Lane, now time.Time) {
	switch {
	case l == nil || l.Wait == nil:
	case r.state.Gate(l) != nil:
		r.stated(r.state.Gate(l), now)
	case l.Wait.How.Said():
		r.right(0, l.Wait.WakeAt, now)
		r.right(l.ID, l.Wait.WakeAt, now)
	}
}

func (r *Rules) right(id run.LaneID, until, now time.Time) {
	if now.Before(until) {
		until = now
	}
	if until.After(r.signs[id]) {
		r.signs[id] = until
	}
}
