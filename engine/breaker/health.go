package breaker

import (
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// Exhausted counts one exhausted turn against the health of a family; after three
// in a row its health opens for a while. A turn that was under way when it opened
// does not make that longer.
func Exhausted(d *run.Decision, l *run.Lane, t run.Target, class run.Class) {
	s := d.State
	fam := s.Family(s.Program.FamilyOf(t))
	if fam == nil {
		return
	}
	n := fam.Failures + 1
	d.Record(l.ID, run.HealthFailed{Family: fam.Name, InARow: n, Class: class})
	key := run.WindowKey{Family: fam.Name, Sort: run.SortHealth}
	if n >= policy.HealthThreshold && s.Window(key) == nil {
		reopen(d, l, key)
	}
}

// HalfOpen gives the open health that an attempt was let in to probe; nil if it
// holds no permit of one.
func HalfOpen(s *run.State, a *run.Attempt) *run.Window {
	w := s.Window(run.WindowKey{Family: s.Program.FamilyOf(a.Target), Sort: run.SortHealth})
	if w == nil || w.Permit == nil || w.Permit.Attempt != a.ID {
		return nil
	}
	return w
}

// ProbeFailed settles the probe of an open health bad: the family is left alone
// once more.
func ProbeFailed(d *run.Decision, l *run.Lane, w *run.Window, why string) {
	before := w.PermitAt()
	settleBad(d, l.ID, w, why)
	reopen(d, l, w.WindowKey)
	moved(d, w.WindowKey, before)
}

// reopen leaves a family alone for longer than the last time.
func reopen(d *run.Decision, l *run.Lane, key run.WindowKey) {
	s := d.State
	opened := 0
	if fam := s.Family(key.Family); fam != nil {
		opened = fam.Opened
	}
	draw := policy.Draw(s.Seed, int(l.ID), len(l.Attempts), "health")
	until := d.Now.Add(policy.HealthCooldown(opened, draw))
	w := run.Window{WindowKey: key, Kind: run.KindHealth, OpenedAt: d.Now, Until: until, How: run.HowAssumed}
	if old := s.Window(key); old != nil {
		w.OpenedAt = old.OpenedAt
		if old.Until.After(until) {
			w.Until = old.Until
		}
	}
	w.NextTry = w.Until
	d.Record(l.ID, run.HealthOpened{Window: w, Opened: opened + 1})
}
