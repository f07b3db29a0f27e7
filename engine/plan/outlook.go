package plan

import (
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// outlook is what the jobs that are left have to hope for.
type outlook struct {
	// free is the earliest instant at which a target may be free for one of them,
	// in time; zero if nothing frees any by itself.
	free time.Time
	// expires is when the first of their own budgets of time ends; zero if none.
	expires time.Time
	// stated is set if a provider said when one of them may go on.
	stated bool
	// patient is set if one of them is bound by no budget of time.
	patient bool
	// tooLate is set if a target will be free, but not in time.
	tooLate bool
}

func look(s *run.State, now time.Time) outlook {
	var o outlook
	var end time.Time // of the run
	if own := s.Deadline(); !own.IsZero() {
		end = own.Add(-policy.WakeReserve)
	}
	for _, g := range s.Groups() {
		j := g.First()
		var first, last time.Time // of its jobs, by their own budgets of time
		if aged := g.Aged(); len(aged) > 0 {
			first, last = turn.Expires(s, aged[0].Job), turn.Expires(s, aged[len(aged)-1].Job)
		}
		o.expires = sooner(o.expires, first)
		first, last = sooner(first, end), sooner(last, end)
		o.patient = o.patient || first.IsZero()
		for _, t := range s.Program.OrderFor(j) {
			at, never := breaker.FreeAt(s, t)
			if never || !s.Installed(t) {
				continue
			}
			if at = later(at, j.NotBefore); at.IsZero() {
				at = now
			}
			o.tooLate = o.tooLate || !first.IsZero() && at.After(first)
			if !last.IsZero() && at.After(last) {
				continue
			}
			o.free = sooner(o.free, at)
			o.stated = o.stated || said(s, t, now)
		}
	}
	return o
}

// said reports whether a provider stated until when a target is limited.
func said(s *run.State, t run.Target, now time.Time) bool {
	for _, w := range s.WindowsOn(t) {
		if w.How.Said() && w.Until.After(now) {
			return true
		}
	}
	return false
}

// sooner is the earlier of two instants, where zero means never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
