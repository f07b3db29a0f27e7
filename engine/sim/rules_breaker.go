package sim

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// windows holds how windows, their permits and the health of families change.
func (r *Rules) windows(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.PermitGranted:
		w := s.Window(b.Key)
		a, answered := r.h.(run.PermitAnswered)
		switch {
		case w == nil:
			r.broken("a permit of no window", "%s", b.Key)
			return
		case w.Permit != nil:
			r.broken("a second permit", "of %s", b.Key)
		case !answered || !a.Granted || !slices.Contains(a.Keys, b.Key):
			r.broken("a permit that was not granted", "of %s", b.Key)
		case r.asked[f.Lane]:
		case b.Key.Sort == run.SortLogin:
			r.broken("a login tries itself", "%s", w)
		case w.NextTry.IsZero() || f.At.Before(w.NextTry):
			r.broken("a probe before its time", "of %s, to be tried at %s", w, w.NextTry)
		case f.At.Before(r.earliest(w)):
			r.broken("a probe undercuts what was stated", "%s", w)
		}
		r.probes[b.Attempt] = append(r.probes[b.Attempt], b.Key)
	case run.ProbeSettled:
		r.settles(b.Key, b.Attempt)
		if b.Good {
			r.good[b.Key] = b.Attempt
		}
	case run.PermitReleased:
		r.settles(b.Key, b.Attempt)
	case run.WindowOpened:
		if s.Window(b.WindowKey) != nil {
			r.broken("a window opens twice", "%s", b.WindowKey)
		}
		r.hears(f, b.Window)
		family := b.Sort == run.SortLimit && b.Model == ""
		if l == nil {
			break
		}
		switch c := classOf(l, b.Attempt); {
		case b.Trip && (!family || c == run.ClassOverloaded):
			r.broken("a trip that is none", "of %s after %s", b.WindowKey, c)
		case !b.Trip && family && c == run.ClassRateLimited:
			r.broken("a limit that does not trip", "%s", b.WindowKey)
		}
	case run.WindowExtended:
		r.keeps(f.At, b.Window)
		r.hears(f, b.Window)
	case run.WindowSeen:
		r.keeps(f.At, b.Window)
		r.hears(f, b.Window)
	case run.WindowCleared:
		r.clears(f, b)
	case run.HealthOpened:
		r.keeps(f.At, b.Window)
		if fam := s.Family(b.Family); fam.Failures < healthThreshold && s.Window(b.WindowKey) == nil {
			r.broken("health opens too soon", "after %d failures", fam.Failures)
		}
	case run.HealthFailed:
		switch b.Class {
		case run.ClassTransport, run.ClassStalled, run.ClassIncomplete:
		default:
			r.broken("what is no ill health counts", "%s", b.Class)
		}
		if r.stopping(l) {
			r.broken("ill health after a stop", "%s", b.Class)
		}
	case run.FamilyTripped:
		if w := s.Window(run.WindowKey{Family: b.Family, Sort: run.SortLimit}); w == nil || !w.Trip {
			r.broken("a trip without a window", "of %s", b.Family)
		}
	case run.SpawnRefused:
		if w := s.Window(b.Key); w == nil {
			r.broken("refused by no window", "%s", b.Key)
		} else if l != nil && slices.Contains(l.Refused, run.Refused{Key: b.Key, OpenedAt: w.OpenedAt}) {
			r.broken("refused twice", "by %s", w)
		}
	}
}

// classOf is the class of the end of an attempt; zero if the lane has no such attempt.
func classOf(l *run.Lane, id run.AttemptID) run.Class {
	if a := l.AttemptOf(id); a != nil {
		return a.Class
	}
	return 0
}

// settles holds that a permit ends once.
func (r *Rules) settles(k run.WindowKey, id run.AttemptID) {
	i := slices.Index(r.probes[id], k)
	if i < 0 {
		r.broken("a permit ends that is not held", "by attempt %d of %s", id, k)
		return
	}
	if r.probes[id] = slices.Delete(r.probes[id], i, i+1); len(r.probes[id]) == 0 {
		delete(r.probes, id)
	}
}

// keeps holds that a window never shrinks by weaker or equal evidence.
func (r *Rules) keeps(at time.Time, v run.Window) {
	w := r.state.Window(v.WindowKey)
	switch {
	case w == nil || !w.Until.After(at) || r.stepped:
	case v.How < w.How:
		r.broken("weaker evidence", "%s is replaced by what is %s", w, v.How)
	case v.How == w.How && v.Until.Before(w.Until):
		r.broken("a window is shortened", "%s to %s", w, v.Until)
	}
}
