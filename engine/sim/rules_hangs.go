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
// in the end, so this is held when a lane or a run ends, by whatever it does: a sign must
// have come of late, or a reset that was stated lie ahead.
func (r *Rules) hangs(f run.Fact) {
	s := r.state
	switch f.Body.(type) {
	case run.LaneStarted:
		r.signs[f.Lane] = f.At
	case run.AttemptServed:
		r.signs[0], r.signs[f.Lane], r.idle = f.At, f.At, 0
	case run.ProgramUnpaused: // to be held by a pause is not to hang
		for id := range r.signs {
			r.signs[id] = f.At
		}
	case run.LaneEnded:
		since, open := r.signs[f.Lane]
		if open && !s.Paused && f.At.Sub(since) > maxHang && !ahead(s, s.Lane(f.Lane), f.At) {
			r.broken("a lane hangs", "no sign since %s", since)
		}
		delete(r.signs, f.Lane)
	case run.RunEnded:
		if !s.Paused && f.At.Sub(r.signs[0]) > maxHang {
			r.broken("the run hangs", "no sign since %s", r.signs[0])
		}
	}
}

// ahead reports whether a reset lies ahead that was stated for the target of a lane.
func ahead(s *run.State, l *run.Lane, now time.Time) bool {
	if l.Last.How.Said() && l.Last.Reset.After(now) {
		return true
	}
	for _, w := range s.WindowsOn(l.Target) {
		if w.How.Said() && w.Until.After(now) {
			return true
		}
	}
	return false
}
