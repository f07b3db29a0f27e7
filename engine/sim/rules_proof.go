package sim

import (
	"time"

	"example.com/layover/engine/run"
)

// A reset that a text names more than farReset ahead may have been misread, and is probed
// every farRecheck. One that names a minute may mean any second of it.
const (
	farReset   = 6 * time.Hour
	farRecheck = 2 * time.Hour
	lastSecond = 59 * time.Second
)

// heardOf is what the end of an agent says of a window, and when it said so; else it is
// now that the window becomes what it is.
func (r *Rules) heardOf(f run.Fact, w run.Window) (at time.Time, v run.Verdict) {
	h, ok := r.h.(run.Ended)
	if !ok || w.Sort != run.SortLimit || (h.Verdict.Scope == run.ScopeModel) != (w.Model != "") {
		return f.At, v
	}
	a := r.state.Lane(h.Lane).AttemptOf(h.Attempt)
	if a == nil || !w.Binds(r.state.Program.FamilyOf(a.Target), a.Target.Model) {
		return f.At, v
	}
	return a.EndedAt, h.Verdict
}

// hears takes note of when a window was last said to end, and holds that it lasts as long
// as the refusal said that opened or extended it.
func (r *Rules) hears(f run.Fact, w run.Window) {
	at, v := r.heardOf(f, w)
	old := r.state.Window(w.WindowKey)
	same := old != nil && old.Kind == w.Kind && old.How == w.How && old.Until.Equal(w.Until)
	_, seen := f.Body.(run.WindowSeen)
	if !same && usage(&w) {
		r.limited[w.WindowKey] = at
		if seen && old == nil { // it may have been so for long
			r.limited[w.WindowKey] = w.OpenedAt
		}
	}
	if !same || !seen && !old.NextTry.Equal(w.NextTry) { // another process only says who probes
		r.heard[w.WindowKey] = at
		if far := w.How == run.HowText && w.Until.Sub(at) > farReset; far && !seen && w.NextTry.Sub(at) > farRecheck {
			r.broken("a reset that may be misread is not tried", "%s, to be tried at %s", &w, w.NextTry)
		}
	}
	stronger := old != nil && old.How > v.How && old.Until.After(at)
	if v.How.Said() && v.Reset.After(at) && w.Until.Before(v.Reset) && !stronger {
		r.broken("a window undercuts what was stated", "%s, and not %s", &w, v.Reset)
	}
}

// usage reports whether a window is a usage limit of which somebody said when it ends.
func usage(w *run.Window) bool { return w.Kind == run.KindUsage && w.How.Said() }

// earliest is when a window may be probed of which was said when it ends.
func (r *Rules) earliest(w *run.Window) time.Time {
	heard := r.heard[w.WindowKey]
	switch {
	case !w.How.Said():
		return time.Time{}
	case w.How == run.HowText && w.Until.Sub(heard) > farReset:
		return heard.Add(farRecheck)
	case w.How == run.HowText && w.Until.Equal(w.Until.Truncate(time.Minute)):
		return w.Until.Add(lastSecond)
	}
	return w.Until
}

// clears holds that a window closes only by those who can know: the operator, changed
// credentials where a login is at fault, another process, or an answer in its scope.
func (r *Rules) clears(f run.Fact, b run.WindowCleared) {
	w := r.state.Window(b.Key)
	if w == nil {
		return // it cannot be applied
	}
	known := false
	switch h := r.h.(type) {
	case run.Command:
		known = h.Verb == run.VerbClear && h.Family == b.Key.Family && !b.Good
	case run.Resume: // by the operator, who may have logged in meanwhile
		known = b.Key.Sort == run.SortLogin && !b.Good
	case run.CredentialsChanged:
		known = h.Family == b.Key.Family && b.Key.Sort == run.SortLogin && !b.Good
	case run.Seen:
		v := h.Window
		known = h.Cleared && v.WindowKey == b.Key && w.Permit == nil && (v.OpenedAt.IsZero() || w.OpenedAt.Before(v.OpenedAt))
	case run.Served:
		known = r.answers(f, w, h.Lane, h.Attempt)
	case run.Ended:
		known = h.Verdict.Class == run.ClassSuccess && r.answers(f, w, h.Lane, h.Attempt)
	}
	if !known {
		r.broken("a window is cleared without proof", "%s after %T", w, r.h)
	}
	delete(r.good, b.Key)
	delete(r.limited, b.Key)
	delete(r.heard, b.Key)
}

// answers reports whether a model's answer to an attempt says that a window is over. If
// it does not hold the permit, it must have been let in after the allowance was said to
// be spent, or too many had failed.
func (r *Rules) answers(f run.Fact, w *run.Window, lane run.LaneID, id run.AttemptID) bool {
	a := r.state.Lane(lane).AttemptOf(id)
	switch {
	case a == nil || !w.Binds(r.state.Program.FamilyOf(a.Target), a.Target.Model):
		return false
	case r.good[w.WindowKey] == id:
		return true
	case !w.OpenedAt.Before(f.At):
		return false
	case w.Sort == run.SortHealth:
		return !a.StartedAt.Before(w.OpenedAt)
	}
	return !usage(w) || !a.StartedAt.Before(r.limited[w.WindowKey])
}
