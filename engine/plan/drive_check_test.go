package plan_test

import (
	"fmt"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/run"
)

// replays checks that the facts alone give the live state.
func (d *drive) replays() {
	d.t.Helper()
	if diff := cmp.Diff(d.state, d.copy, cmpopts.IgnoreUnexported(run.State{}, run.Lane{}), cmpopts.EquateEmpty()); diff != "" {
		d.t.Fatalf("replay differs from the live state:\n%s", diff)
	}
}

// accounts checks that every attempt has been accounted exactly once and that
// nothing is left open.
func (d *drive) accounts() {
	d.t.Helper()
	n := d.count("usage") + d.count("usage_incomplete")
	if a := d.count("attempt_started"); n != a || d.count("attempt_ended") != a {
		d.t.Fatalf("%d attempts, %d ended, %d accounted", a, d.count("attempt_ended"), n)
	}
	if p, w := d.count("turn_parked"), d.count("turn_woken"); p != w {
		d.t.Fatalf("%d parked, %d woken", p, w)
	}
	if len(d.state.Open) != 0 {
		d.t.Fatalf("lanes %v are open after the end", d.state.Open)
	}
	if last := d.facts[len(d.facts)-1].Body.Name(); last != "run_ended" {
		d.t.Fatalf("the last fact is %s", last)
	}
}

// check holds the rules that every fact must keep, on the facts alone: d.copy is
// the state before the fact.
func (d *drive) check(f run.Fact) {
	s := d.copy
	broken := func(format string, args ...any) {
		d.breaks = append(d.breaks, fmt.Sprintf("seq %d %s: ", f.Seq, f.Body.Name())+fmt.Sprintf(format, args...))
	}
	if f.Seq != s.Seq+1 {
		broken("does not follow %d", s.Seq)
	}
	l := s.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.AttemptStarted:
		for _, w := range s.WindowsOn(b.Target) {
			if w.Permit == nil || w.Permit.Attempt != b.Attempt {
				broken("spawn into %s without its permit", w)
			}
		}
		if s.Stop != 0 || l.Stop != 0 {
			broken("spawn after a stop")
		}
		if l.State == run.LaneParked {
			broken("spawn out of a park without turn_woken")
		}
	case run.PermitGranted:
		if w := s.Window(b.Key); w == nil || w.Permit != nil {
			broken("second permit of %s", b.Key)
		}
	case run.WindowExtended:
		if w := s.Window(b.WindowKey); w != nil && b.Until.Before(w.Until) && b.How <= w.How && w.Until.After(f.At) && !d.stepped {
			broken("window %s shortened to %s by %s", w, b.Until, b.How)
		}
	case run.TurnParked:
		if b.AllowanceMs != nil && b.PlannedMs > *b.AllowanceMs {
			broken("planned %d ms of %d", b.PlannedMs, *b.AllowanceMs)
		}
		if s.Program.Tasks[l.Job.Task].Wait != run.WaitPark && !s.Paused {
			broken("a task that must not park")
		}
	case run.RetryScheduled:
		if s.Program.Tasks[l.Job.Task].Wait == run.WaitNever {
			broken("a task that must not wait")
		}
	case run.LaneEnded:
		if l.State == run.LaneParked {
			broken("end out of a park without turn_woken")
		}
		if l.State == run.LaneWorking {
			broken("end while an attempt runs")
		}
	case run.AttemptEnded:
		if a := l.AttemptOf(b.Attempt); a == nil || !a.EndedAt.IsZero() {
			broken("attempt %d ends twice", b.Attempt)
		}
	case run.ProviderFallback:
		if b.Counted && l.Swaps >= s.Program.MaxSwaps {
			broken("swap %d of %d", l.Swaps+1, s.Program.MaxSwaps)
		}
	}
}
