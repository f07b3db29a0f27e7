package breaker

import (
	"time"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// Refusal is what a provider's refusal says about a window.
type Refusal struct {
	Key    run.WindowKey
	Kind   run.Kind
	Reset  time.Time
	How    run.How
	Reason run.Untrusted
	// Attempt is the attempt that was refused; Probe is set if it held the permit.
	Attempt run.AttemptID
	Probe   bool
}

// Merge gives the window as it is after a refusal; old is nil if none was open.
// Evidence of equal strength extends, stronger replaces, weaker changes nothing
// while the window lasts. An end that was said is never brought forward by that.
func Merge(old *run.Window, r Refusal, cooldown time.Duration, now time.Time) run.Window {
	w := run.Window{WindowKey: r.Key, Kind: r.Kind, OpenedAt: now, Attempt: r.Attempt, Reason: r.Reason}
	if old != nil {
		w.OpenedAt, w.Tries = old.OpenedAt, old.Tries
		if old.Kind == run.KindUsage {
			w.Kind = run.KindUsage
		}
	}
	open := now.Sub(w.OpenedAt)
	usage := w.Kind == run.KindUsage
	if r.Probe && policy.CountsTry(usage, open) {
		w.Tries++
	}
	said := r.How.Said() && r.Reset.After(now)
	lasts := old != nil && old.Until.After(now)
	switch {
	case said && lasts && old.How > r.How:
		w.Until, w.How, w.NextTry = old.Until, old.How, old.NextTry
	case said:
		w.Until, w.How = r.Reset, r.How
		if lasts && old.How == r.How && old.Until.After(w.Until) {
			w.Until = old.Until
		}
		w.NextTry = policy.TryStated(now, w.Until, w.How == run.HowText)
	case lasts && old.How.Said():
		w.Until, w.How, w.NextTry, w.Kind = old.Until, old.How, old.NextTry, old.Kind
	default:
		w.Until, w.How = now.Add(cooldown), run.HowAssumed
		if lasts && old.Until.After(w.Until) {
			w.Until = old.Until
		}
		w.NextTry = now.Add(policy.ProbeAfter(usage, open, w.Tries))
		if old != nil && old.How == run.HowAssumed && old.NextTry.After(w.NextTry) {
			w.NextTry = old.NextTry
		}
	}
	if r.Probe && !w.NextTry.After(now) {
		w.NextTry = again(w, now)
	}
	if floor := now.Add(policy.ProbeAfter(false, open, w.Tries)); r.Probe && !w.NextTry.IsZero() && w.NextTry.Before(floor) {
		w.NextTry = floor // a reset that is always a moment away is no reset
	}
	w.SaidAt = saidAt(old, w, now)
	return w
}

// saidAt is when it was said that an allowance is spent, other than when the window was
// opened; now is when the window became what it is.
func saidAt(old *run.Window, w run.Window, now time.Time) time.Time {
	switch {
	case old == nil || !spent(&w):
		return time.Time{}
	case old.Kind == w.Kind && old.How == w.How && old.Until.Equal(w.Until):
		return old.SaidAt
	}
	return now
}

// spent reports whether somebody said until when an allowance is spent.
func spent(w *run.Window) bool { return w.Kind == run.KindUsage && w.How.Said() }

// again is when a window is tried once more after a probe of it went wrong: as
// somebody said, while that lasts, or by the schedule of those nobody stated. A
// login is never tried by itself.
func again(w run.Window, now time.Time) time.Time {
	if w.Sort == run.SortLogin {
		return time.Time{}
	}
	if w.How.Said() && w.Until.After(now) {
		return policy.TryStated(now, w.Until, w.How == run.HowText)
	}
	return now.Add(policy.ProbeAfter(w.Kind == run.KindUsage, now.Sub(w.OpenedAt), w.Tries))
}
