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
	reconsider(d)
	expire(d)
	openLanes(d)
	conclude(d)
}

// reconsider asks those lanes whether they would rather go elsewhere, or give up, for
// which something has changed.
func reconsider(d *run.Decision) {
	s := d.State
	for _, c := range d.Changed {
		for _, id := range concerned(s, c) {
			turn.Reconsider(d, s.Lane(id))
		}
	}
	if !d.Freed && len(d.Changed) == 0 && !idle(s, d.Now) {
		return
	}
	for _, x := range append([]run.Suspicion(nil), s.Suspicions...) {
		if l := s.Lane(x.Lane); l != nil && l.Running() != nil {
			turn.Reconsider(d, l)
		}
	}
	if !breaker.AnyFree(s, d.Now) {
		return
	}
	roam(d)
}

// roam asks the lanes that wait elsewhere. None of them opens or closes a window by what
// it does; but if one asks for a permit, others go nowhere for now because of that.
func roam(d *run.Decision) {
	s := d.State
	var until time.Time
	var not []run.LaneID
	for _, id := range s.Restless(d.Now, func(r run.Restless) bool { return turn.Rests(s, r, d.Now) }) {
		before := len(d.Facts)
		l := s.Lane(id)
		turn.Reconsider(d, l)
		if len(d.Facts) > before {
			continue // it has changed, and is not settled
		}
		if at := turn.SettledUntil(s, l, d.Now); at.IsZero() || at.After(d.Now) {
			until = sooner(until, at)
		} else {
			not = append(not, id)
		}
	}
	s.Settle(d.Now, until, not)
	if d.Asks() {
		s.Unsettle()
	}
}

// concerned lists the lanes that wait for a family and that a change of a window of it
// concerns: those whose budget ends before the window does, or all if it is known in
// another way when that will be.
func concerned(s *run.State, c run.Change) []run.LaneID {
	var ids []run.LaneID
	if c.Evidence {
		for _, w := range s.Windows {
			if w.Family == c.Key.Family {
				ids = append(ids, w.Waiters...)
			}
		}
		return ids
	}
	w := s.Window(c.Key)
	if w == nil || !w.How.Said() {
		return nil
	}
	for _, id := range s.DueLanes(w.Until) {
		if l := s.Lane(id); l.Wait != nil && l.Wait.Window.Family == c.Key.Family {
			ids = append(ids, id)
		}
	}
	return ids
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
