package breaker

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// Blocked reports whether open windows keep a target from being used: one that
// lasts, or one whose permit cannot be had. A due window whose permit can be had
// does not block: the lane that goes there is the probe.
func Blocked(s *run.State, t run.Target, now time.Time) bool {
	for _, w := range s.WindowsOn(t) {
		if !Admits(w, now) {
			return true
		}
	}
	return false
}

// Admits reports whether a lane may be routed into an open window now, as its
// probe.
func Admits(w *run.Window, now time.Time) bool {
	at := admitsAt(w)
	return w.Usable(now) && !at.IsZero() && !now.Before(at)
}

// admitsAt is when that is so; zero means never by itself. It is once the window
// is due, except that a date read from a text is tried when its schedule says so:
// if it was misread, nobody might be waiting for it.
func admitsAt(w *run.Window) time.Time {
	at := w.PermitAt()
	switch {
	case at.IsZero() || w.Until.IsZero():
		return time.Time{}
	case w.How != run.HowText && w.Until.After(at):
		return w.Until
	}
	return at
}

// queuedAt is when a job of the queue may be sent into an open window as its probe; zero
// means never by itself. If no lane waits for a window whose end is only assumed, nobody
// else would try it at its next try.
func queuedAt(w *run.Window) time.Time {
	if w.How == run.HowAssumed && w.Sort == run.SortLimit && len(w.Waiters) == 0 {
		return w.PermitAt()
	}
	return admitsAt(w)
}

// RouteQueued finds the first target of an order to which a job of the queue may be sent
// as the probe of its windows, if none can be used outright.
func RouteQueued(s *run.State, order []run.Target, now time.Time) (run.Target, bool) {
	for _, t := range order {
		if at, never := FreeAt(s, t); s.Installed(t) && !never && !now.Before(at) && Usable(s, t, now) {
			return t, true
		}
	}
	return run.Target{}, false
}

// FreeAt is when the open windows on a target keep no job of the queue from it any more;
// never is set if that does not happen by itself. The zero instant means that none is open.
func FreeAt(s *run.State, t run.Target) (at time.Time, never bool) {
	for _, w := range s.WindowsOn(t) {
		next := queuedAt(w)
		if next.IsZero() {
			return next, true
		}
		if next.After(at) {
			at = next
		}
	}
	return at, false
}

// Route finds the first target that can be used now, of those not left out; one
// that is not suspected comes before one that is.
func Route(s *run.State, order []run.Target, out func(run.Target) bool, now time.Time) (run.Target, bool) {
	for _, calm := range []bool{true, false} {
		for _, t := range order {
			if out(t) || !s.Installed(t) || Blocked(s, t, now) || (calm && s.Suspected(t, now)) {
				continue
			}
			return t, true
		}
	}
	return run.Target{}, false
}

// AnyFree reports whether some target of the program can be used now.
func AnyFree(s *run.State, now time.Time) bool {
	for _, t := range s.Targets() {
		if s.Installed(t) && !Blocked(s, t, now) {
			return true
		}
	}
	return false
}

// Free lists the targets of an order that can be used now.
func Free(s *run.State, order []run.Target, now time.Time) []run.Target {
	free := []run.Target{} // a coordinator reads it: none is a list, too
	for _, t := range order {
		if s.Installed(t) && !Blocked(s, t, now) {
			free = append(free, t)
		}
	}
	return free
}

// Gate is the window that holds a target back longest, and when its permit may
// be had; nil if none is open. A zero instant means never by itself.
func Gate(s *run.State, t run.Target) (gate *run.Window, at time.Time) {
	for _, w := range s.WindowsOn(t) {
		next := w.PermitAt()
		if next.IsZero() {
			return w, next
		}
		if gate == nil || next.After(at) {
			gate, at = w, next
		}
	}
	return gate, at
}

// Keys lists the windows of a target, for which a permit is needed each.
func Keys(s *run.State, t run.Target) []run.WindowKey {
	var keys []run.WindowKey
	for _, w := range s.WindowsOn(t) {
		keys = append(keys, w.WindowKey)
	}
	return keys
}

// Usable reports whether the permits of every window on a target could be had.
func Usable(s *run.State, t run.Target, now time.Time) bool {
	for _, w := range s.WindowsOn(t) {
		if !w.Usable(now) {
			return false
		}
	}
	return true
}

// Refuse records that windows on a target keep a lane from being spawned there,
// once per lane and window. The lane whose own attempt opened a window is not
// refused by it: it was let in.
func Refuse(d *run.Decision, l *run.Lane, t run.Target, order []run.Target) {
	s := d.State
	for _, w := range s.WindowsOn(t) {
		if Admits(w, d.Now) {
			continue
		}
		met := slices.ContainsFunc(l.Refused, func(r run.Refused) bool {
			return r.Key == w.WindowKey && r.OpenedAt.Equal(w.OpenedAt)
		})
		if met || l.AttemptOf(w.Attempt) != nil {
			continue
		}
		d.Record(l.ID, run.SpawnRefused{
			Key: w.WindowKey, Family: w.Family, Model: w.Model, Until: w.Until,
			TrippedAt: w.OpenedAt, Reason: w.Reason, Free: Free(s, order, d.Now),
		})
	}
}
