package sim

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// spawns holds when an agent may be started.
func (r *Rules) spawns(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.AttemptStarted:
		for _, w := range s.WindowsOn(b.Target) {
			if w.Permit == nil || w.Permit.Attempt != b.Attempt {
				r.broken("a spawn without its permit", "%s", w)
			}
		}
		switch {
		case r.stopping(l):
			r.broken("a spawn after a stop", "%s", b.Target)
		case s.Paused:
			r.broken("a spawn while paused", "%s", b.Target)
		}
		if end := r.deadline(l); !end.IsZero() && !f.At.Before(end) {
			r.broken("a spawn after the deadline", "it was at %s", end)
		}
		if slices.Contains(s.Missing, b.Target.Agent) {
			r.broken("a spawn of what is not installed", "%s", b.Target)
		}
		if l.State == run.LaneParked {
			r.broken("a spawn out of a park", "without turn_woken")
		}
		if b.Resume != "" && l.Sessions[b.Target] != b.Resume {
			r.broken("a session of another target", "%s is not of %s", b.Resume, b.Target)
		}
		delete(r.asked, f.Lane)
	case run.LaneStarted:
		if r.over(f, b) {
			break
		}
		if len(s.Open) >= s.Program.Parallel {
			r.broken("too many lanes", "%d of %d at once", len(s.Open)+1, s.Program.Parallel)
		}
		if s.Stop != 0 {
			r.broken("a lane after a stop", "of %s", b.Task)
		}
		if s.Paused {
			r.broken("a lane while paused", "of %s", b.Task)
		}
	case run.ProviderFallback:
		r.swaps(f, b)
	case run.OverflowRung:
		if b.Rung != l.Rung+1 || b.Rung > rungs || b.Keep >= 1 {
			r.broken("an overflow rung out of order", "%d after %d, keeps %v", b.Rung, l.Rung, b.Keep)
		}
	}
}

// proved reports whether a window of a target has settled good since an instant.
func (r *Rules) proved(t run.Target, since time.Time) bool {
	fam := r.state.Family(r.state.Program.FamilyOf(t))
	for k, at := range fam.Good {
		if k.Binds(fam.Name, t.Model) && at.After(since) {
			return true
		}
	}
	return false
}
