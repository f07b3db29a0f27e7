package plan_test

import (
	"fmt"
	"slices"
	"time"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// rules holds what the single facts of a run must keep beyond drive.check: what a
// stop, a pause, a pin, a budget and a permit forbid. d.copy is the state before.
func (d *drive) rules(f run.Fact) {
	s := d.copy
	broken := func(format string, args ...any) {
		d.breaks = append(d.breaks, fmt.Sprintf("seq %d %s at %s: ", f.Seq, f.Body.Name(), f.At.Sub(start))+fmt.Sprintf(format, args...))
	}
	l := s.Lane(f.Lane)
	stopping := l != nil && (s.Stop != 0 || l.Stop != 0)
	switch b := f.Body.(type) {
	case run.ProgramUnpaused:
		d.unpaused = f.At
	case run.AttemptStarted:
		if s.Paused {
			broken("spawn while paused")
		}
		if b := s.BudgetOf(l); b != nil || s.Program.Limits.Spent(s.Usage) || s.Program.Tasks[l.Job.Task].Spent(l.Used()) {
			broken("spawn though a budget is spent: %v", b)
		}
		if !b.Deadline.IsZero() && !f.At.Before(b.Deadline) {
			broken("spawn after the deadline")
		}
		if !s.Installed(b.Target) {
			broken("spawn of what is not installed")
		}
	case run.PermitGranted:
		a, ok := d.h.(run.PermitAnswered)
		if !ok || !a.Granted || !slices.Contains(a.Keys, b.Key) {
			broken("a permit that the ledger has not granted")
		}
		if w := s.Window(b.Key); a.Why != run.WokenOperator && (w.NextTry.IsZero() || f.At.Before(w.NextTry)) {
			broken("probe of %s before %s", w, w.NextTry)
		}
	case run.BudgetSpent:
		if f.Lane == 0 && s.Spent != nil || f.Lane != 0 && l.Spent != nil || !b.Budget.Spent(b.Used) {
			broken("%s, not for the first time or not at all", b)
		}
	case run.TaskRequeued:
		if was := d.used[b.Job.Task][b.Job.Iteration]; was != b.Job.Used {
			broken("the job has used %+v, not %+v", was, b.Job.Used)
		}
	case run.UsageCounted:
		d.use(l.Job, b.Usage)
	case run.UsageIncomplete:
		d.use(l.Job, b.Usage)
	case run.AttemptEnding:
		if b.Why == run.EndingSwap && (stopping || s.Paused) {
			broken("an attempt is ended for a swap that must not be")
		}
	case run.ProviderFallback:
		if s.Program.Tasks[l.Job.Task].Pinned {
			broken("a pinned task swaps")
		}
		if stopping {
			broken("swap after a stop")
		}
	case run.HealthFailed, run.RetriesExhausted:
		if stopping {
			broken("after a stop")
		}
	case run.WindowSeen:
		d.keeps(f, b.Window, broken)
	case run.HealthOpened:
		d.keeps(f, b.Window, broken)
	case run.TurnParked:
		if b.PlannedMs <= 0 && !b.WakeAt.IsZero() && s.Window(b.Window).Permit == nil {
			broken("a park without a length")
		}
		if end := d.budget(l); !end.IsZero() && b.WakeAt.After(end) {
			broken("planned to %s, beyond %s", b.WakeAt, end)
		}
	case run.TurnWoken:
		if end := d.budget(l); !end.IsZero() && f.At.After(end) && f.At.After(l.Wait.Since) && !d.stepped && !f.At.Equal(d.back) {
			broken("a park outlives %s", end)
		}
	}
}

func (d *drive) keeps(f run.Fact, v run.Window, broken func(string, ...any)) {
	w := d.copy.Window(v.WindowKey)
	if w != nil && v.How <= w.How && v.Until.Before(w.Until) && w.Until.After(f.At) && !d.stepped {
		broken("window %s shortened to %s", w, v.Until)
	}
}

// budget is when the last wait of a lane must be over; zero means never.
func (d *drive) budget(l *run.Lane) time.Time {
	s := d.copy
	end := s.Deadline()
	if own := s.Program.Tasks[l.Job.Task].Deadline.D(); own > 0 && !l.Job.FirstSpawn.IsZero() {
		if at := l.Job.FirstSpawn.Add(own); end.IsZero() || at.Before(end) {
			end = at
		}
	}
	if end.IsZero() {
		return end
	}
	return end.Add(-policy.WakeReserve)
}

// use counts what the lanes of a job have used.
func (d *drive) use(j run.Job, u run.Usage) {
	if d.used[j.Task] == nil {
		d.used[j.Task] = map[int]run.Usage{}
	}
	d.used[j.Task][j.Iteration] = d.used[j.Task][j.Iteration].Add(u)
}

// settled holds what is so once a happening and all its answers are decided.
func (d *drive) settled() {
	s := d.state
	for _, id := range s.Open {
		l := s.Lane(id)
		if l.State == run.LaneOpen && d.lose == nil {
			d.breaks = append(d.breaks, fmt.Sprintf("%s: lane %d does nothing", d.now.Sub(start), id))
		}
		if s.Stop != 0 || l.Stop != 0 || s.Paused || l.Wait == nil || l.Wait.Inline || l.Wait.Released {
			continue
		}
		p := s.Program.Patience
		since := l.Wait.Since
		if d.unpaused.After(since) { // to be held by a pause is not to wait for a target
			since = d.unpaused
		}
		waited := l.Waited + d.now.Sub(since)
		if p == run.Off || waited < p.D() || l.Swaps >= s.Program.MaxSwaps || s.Program.Tasks[l.Job.Task].Pinned {
			continue
		}
		for _, t := range s.Program.OrderOf(l.Job.Task) {
			if _, left := l.HasLeft(t); !left && t != l.Target && s.Installed(t) && d.open(t) {
				d.breaks = append(d.breaks, fmt.Sprintf("%s: lane %d waits for %s after %s though %s is free", d.now.Sub(start), id, l.Target, waited, t))
			}
		}
	}
}

// open reports whether nothing keeps routing away from a target now.
func (d *drive) open(t run.Target) bool {
	for _, w := range d.state.WindowsOn(t) {
		if w.Permit != nil || w.NextTry.IsZero() || d.now.Before(w.NextTry) || w.Until.IsZero() || d.now.Before(w.Until) {
			return false
		}
	}
	return true
}

// outcome holds what an exit status says about the work of a run without an until
// command.
func (d *drive) outcome() {
	d.t.Helper()
	s := d.state
	jobs := len(s.Program.Tasks) * s.Program.Iterations
	c := s.Counts
	ok := false
	switch d.exit {
	case 0:
		ok = c.Done == jobs && c.Failed+c.Stopped == 0 && len(s.Queue) == 0
	case 1:
		ok = c.Failed > 0 && c.Stopped == 0 && c.Done+c.Failed == jobs || s.Spent != nil && c.Done < jobs && c.Stopped == 0
	case 3:
		ok = c.Stopped > 0 || s.Stop == run.StopSoft && c.Done+c.Failed < jobs
	case 75:
		ok = c.Stopped == 0 && s.Stop == 0 && len(s.Queue) > 0 && s.Spent == nil
	case 130:
		ok = s.Stop == run.StopHard
	}
	if !ok {
		d.t.Fatalf("exit %d, stop %s, of %d jobs %d done, %d failed, %d stopped, %d left\n%s", d.exit, s.Stop, jobs, c.Done, c.Failed, c.Stopped, len(s.Queue), d.story())
	}
}
