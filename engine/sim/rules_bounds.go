package sim

import (
	"time"

	"example.com/layover/engine/run"
)

// The bounds of design.md §4 to §6.
const (
	probeMax = 90 * time.Second
	tryMin   = 5 * time.Second
	tryMax   = 900 * time.Second
	chunk    = 30 * time.Second
)

// bounds holds how long probes, retries and waits may take that nobody stated.
func (r *Rules) bounds(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.ProbeSettled:
		r.lasts(f, l, b.Attempt)
	case run.PermitReleased:
		r.lasts(f, l, b.Attempt)
	case run.WindowOpened:
		r.tries(f, b.Window)
	case run.WindowExtended:
		r.tries(f, b.Window)
	case run.RetryScheduled:
		least, most := s.Program.Retry.Base.D(), s.Program.Retry.Base.D()
		for range b.Retry - 1 {
			most = min(2*most, s.Program.Retry.Cap.D())
		}
		if d := b.DelayMs.D(); b.Retry > 0 && (d < least || d > most+time.Millisecond) {
			r.broken("a retry out of bounds", "%d after %s, not %s to %s", b.Retry, d, least, most)
		}
	case run.TurnParked:
		if all := l.Waited + b.PlannedMs.D(); b.PlannedMs > 0 && !b.How.Said() && all > s.Program.MaxPark.D()+time.Millisecond {
			r.broken("a park beyond max_park", "%s in all", all)
		}
	case run.StopRequested:
		r.stops[f.Lane] = f.At
	case run.StopCancelled:
		delete(r.stops, f.Lane)
	case run.TurnWoken:
		r.heeds(l, f.At)
	case run.LaneEnded:
		r.heeds(l, f.At)
		delete(r.stops, f.Lane)
	}
}

// lasts holds that a probe without a sign gives its permit back.
func (r *Rules) lasts(f run.Fact, l *run.Lane, id run.AttemptID) {
	if a := l.AttemptOf(id); a != nil && f.At.Sub(a.StartedAt) > probeMax && !r.late(f.At) {
		r.broken("a permit is kept too long", "%s", f.At.Sub(a.StartedAt))
	}
}

// tries holds when a limit is tried again whose end nobody has stated; another process
// may have named an instant of its own.
func (r *Rules) tries(f run.Fact, w run.Window) {
	if w.Sort != run.SortLimit || w.How.Said() || r.late(f.At) || r.stepped {
		return
	}
	if old := r.state.Window(w.WindowKey); old != nil && old.NextTry.Equal(w.NextTry) {
		return
	}
	if in := w.NextTry.Sub(f.At); in < tryMin || in > tryMax {
		r.broken("a window is tried out of bounds", "%s in %s", &w, in)
	}
}

// late reports whether what was due is decided later than that: a clock has jumped, or
// nobody owned the run.
func (r *Rules) late(now time.Time) bool {
	return now.Equal(r.jumped) || now.Equal(r.back) || r.stepped
}

// heeds holds that a wait heeds a stop.
func (r *Rules) heeds(l *run.Lane, now time.Time) {
	if asked := r.stops[l.ID]; l.Stop != 0 && l.Wait != nil && now.Sub(asked) > chunk && !r.late(now) {
		r.broken("a stop takes too long", "%s: lane %d waits on since %s", now.Sub(r.start), l.ID, asked)
	}
}

// outlives holds that an attempt heeds its deadline.
func (r *Rules) outlives(l *run.Lane, now time.Time) {
	if a := l.Running(); a != nil && a.Ending == 0 {
		if end := r.deadline(l); !end.IsZero() && !now.Before(end) {
			r.broken("an attempt outlives its deadline", "%s: lane %d, %s", now.Sub(r.start), l.ID, end)
		}
	}
}
