package plan

import (
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// sweep decides everything that is due: lapsed permits, windows that may be
// tried, waits that are over, lanes that may be opened, and the end.
func sweep(d *run.Decision) {
	s := d.State
	if s.Spent != nil {
		for _, id := range append([]run.LaneID(nil), s.Open...) {
			turn.Broke(d, s.Lane(id))
		}
	}
	breaker.Lapse(d)
	breaker.Forget(d)
	for _, w := range append([]*run.Window(nil), s.Windows...) {
		try(d, w)
	}
	for _, id := range s.DueLanes(d.Now) {
		turn.Look(d, s.Lane(id))
	}
	if d.Freed || idle(s, d.Now) {
		for _, id := range append([]run.LaneID(nil), s.Open...) {
			turn.Reconsider(d, s.Lane(id))
		}
	}
	expire(d)
	openLanes(d)
	conclude(d)
}

// try lets the lane that has waited longest for a window ask for its permit.
func try(d *run.Decision, w *run.Window) {
	for range len(w.Waiters) {
		if len(w.Waiters) == 0 || !w.Usable(d.Now) {
			return
		}
		head := w.Waiters[0]
		turn.Look(d, d.State.Lane(head))
		if len(w.Waiters) > 0 && w.Waiters[0] == head {
			return // it has asked, or will be stopped
		}
	}
}

// idle reports whether a due window could be probed but no lane waits for it:
// lanes that wait elsewhere may want to go there.
func idle(s *run.State, now time.Time) bool {
	for _, w := range s.Windows {
		if len(w.Waiters) == 0 && breaker.Admits(w, now) {
			return true
		}
	}
	return false
}
