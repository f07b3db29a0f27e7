package breaker

import (
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// Exhausted counts one exhausted turn against the health of a family; after
// three in a row, or a bad probe, its health opens for a while.
func Exhausted(d *run.Decision, l *run.Lane, t run.Target, class run.Class) {
	s := d.State
	fam := s.Family(s.Program.FamilyOf(t))
	if fam == nil {
		return
	}
	n := fam.Failures + 1
	d.Record(l.ID, run.HealthFailed{Family: fam.Name, InARow: n, Class: class})
	if n < policy.HealthThreshold {
		return
	}
	key := run.WindowKey{Family: fam.Name, Sort: run.SortHealth}
	draw := policy.Draw(s.Seed, int(l.ID), int(s.Attempts), "health")
	until := d.Now.Add(policy.HealthCooldown(fam.Opened, draw))
	w := run.Window{WindowKey: key, Kind: run.KindHealth, OpenedAt: d.Now, Until: until, NextTry: until, How: run.HowAssumed}
	if old := s.Window(key); old != nil {
		if old.Permit != nil {
			settleBad(d, l.ID, old, "failed again")
		}
		w.OpenedAt = old.OpenedAt
	}
	d.Record(l.ID, run.HealthOpened{Window: w, Opened: fam.Opened + 1})
}
