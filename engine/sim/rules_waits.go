package sim

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// waits holds how lanes wait.
func (r *Rules) waits(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.TurnParked:
		mode := s.Program.Tasks[l.Job.Task].Wait
		if (mode != run.WaitPark || s.Program.NoWait) && !s.Paused {
			r.broken("a park that must not be", "the task waits %s", mode)
		}
		if b.AllowanceMs != nil && b.PlannedMs > *b.AllowanceMs {
			r.broken("a park beyond its allowance", "%d ms of %d", b.PlannedMs, *b.AllowanceMs)
		}
		if w := s.Window(b.Window); b.PlannedMs <= 0 && !b.WakeAt.IsZero() && (w == nil || w.Permit == nil) {
			r.broken("a park without a length", "%d ms", b.PlannedMs)
		}
		if end := r.reserve(l); !end.IsZero() && b.WakeAt.After(end) {
			r.broken("a park beyond the reserve", "to %s, beyond %s", b.WakeAt, end)
		}
		if b.Window.IsZero() && !b.WakeAt.IsZero() && l.Last.How.Said() && b.WakeAt.Before(l.Last.Reset) {
			r.broken("a park undercuts what was stated", "%s before %s", b.WakeAt, l.Last.Reset)
		}
	case run.RetryScheduled:
		if s.Program.Tasks[l.Job.Task].Wait == run.WaitNever || s.Program.NoWait {
			r.broken("a wait that must not be", "retry %d", b.Retry)
		}
		if b.Retry > s.Program.Retry.MaxRetries {
			r.broken("too many retries", "%d of %d", b.Retry, s.Program.Retry.MaxRetries)
		}
		if b.Retry == 0 && b.DelayMs.D() > inlineMax+time.Second {
			r.broken("an inline wait is too long", "%s", b.DelayMs.D())
		}
		if b.Window.IsZero() && b.Retry == 0 && b.WakeAt.Before(l.Last.Reset) {
			r.broken("an inline wait undercuts what was stated", "%s before %s", b.WakeAt, l.Last.Reset)
		}
	case run.ParkMoved:
		if !b.Released || b.WakeAt.IsZero() || r.stepped {
			return
		}
		w := l.Wait.Window
		if last, ok := r.released[w]; ok && !b.WakeAt.Before(last) && b.WakeAt.Sub(last) < stagger {
			r.broken("released too soon", "%s after the one before", b.WakeAt.Sub(last))
		}
		r.released[w] = b.WakeAt
	case run.WindowCleared:
		delete(r.released, b.Key)
	case run.ClockStepped:
		r.jumped = f.At
	case run.ProgramUnpaused:
		r.unpaused = f.At
	case run.TurnWoken:
		w := l.Wait
		if w == nil || w.Inline {
			r.broken("nothing to wake", "by %s", b.Reason)
			return
		}
		if end := r.reserve(l); !end.IsZero() && f.At.After(end) && f.At.After(w.Since) && !r.late(f.At) {
			r.broken("a park outlives its budget", "beyond %s", end)
		}
		if waited := f.At.Sub(w.Since); waited >= 0 && (b.WaitedMs.D() < waited || b.WaitedMs.D() > waited+time.Millisecond) {
			r.broken("waited otherwise than by the clock", "%s, says %s", waited, b.WaitedMs.D())
		}
		if at := s.WakeAt(l); b.Reason == run.WokenDue && (at.IsZero() || f.At.Before(at)) {
			if _, granted := r.h.(run.PermitAnswered); !granted {
				r.broken("woken before it is due", "at %s", at)
			}
		}
		if r.stopping(l) && b.Reason != run.WokenStop && b.Reason != run.WokenHardStop {
			r.broken("woken by another than the stop", "%s", b.Reason)
		}
	case run.AttemptEnding:
		if b.Why == run.EndingSwap && (r.stopping(l) || s.Paused) {
			r.broken("ended for a swap that must not be", "attempt %d", b.Attempt)
		}
	}
}

// deadline is when the budget of time of a lane ends; zero means never.
func (r *Rules) deadline(l *run.Lane) time.Time {
	s := r.state
	end := s.Deadline()
	if own := s.Program.Tasks[l.Job.Task].Deadline.D(); own > 0 && !l.Job.FirstSpawn.IsZero() {
		if at := l.Job.FirstSpawn.Add(own); end.IsZero() || at.Before(end) {
			end = at
		}
	}
	return end
}

// reserve is when the last wait of a lane must be over; zero means never.
func (r *Rules) reserve(l *run.Lane) time.Time {
	end := r.deadline(l)
	if end.IsZero() {
		return end
	}
	return end.Add(-wakeReserve)
}

// Settled holds what is so once a happening and all its answers are decided: every
// lane does something, and none waits beyond its patience while a target that it may
// go to is free.
func (r *Rules) Settled(s *run.State, now time.Time) {
	r.tryAt = time.Time{}
	for _, w := range s.Windows {
		if p := w.Permit; p != nil && !s.Lane(p.Lane).AttemptOf(p.Attempt).ServedAt.IsZero() {
			r.broken("a probe is served in vain", "%s: %s", now.Sub(r.start), w)
		}
		if len(w.Waiters) > 0 && w.Permit == nil && w.NextTry.After(now) && (r.tryAt.IsZero() || w.NextTry.Before(r.tryAt)) {
			r.tryAt = w.NextTry
		}
	}
	for _, id := range s.Open {
		l := s.Lane(id)
		if l.State == run.LaneOpen {
			r.broken("a lane does nothing", "%s: lane %d", now.Sub(r.start), id)
		}
		r.obeyed(l)
		r.summarising(l, now)
		r.outlives(l, now)
		r.heeds(l, now)
		if s.Stop != 0 || l.Stop != 0 || s.Paused || l.Wait == nil || l.Wait.Inline || l.Wait.Released {
			continue
		}
		since := l.Wait.Since
		if r.unpaused.After(since) { // to be held by a pause is not to wait for a target
			since = r.unpaused
		}
		patience, waited := s.Program.Patience, l.Waited+now.Sub(since)
		if patience == run.Off || waited < patience.D() || l.Swaps >= s.Program.MaxSwaps || s.Program.Tasks[l.Job.Task].Pinned {
			continue
		}
		for _, t := range s.Program.OrderFor(l.Job) {
			if _, left := l.HasLeft(t); !left && t != l.Target && !slices.Contains(s.Missing, t.Agent) && free(s, t, now) {
				r.broken("waits though another is free", "%s: lane %d for %s after %s, though %s is free", now.Sub(r.start), id, l.Target, waited, t)
			}
		}
	}
}

// free reports whether no window keeps routing away from a target.
func free(s *run.State, t run.Target, now time.Time) bool {
	for _, w := range s.WindowsOn(t) {
		if w.Permit != nil || w.NextTry.IsZero() || now.Before(w.NextTry) || w.Until.IsZero() || now.Before(w.Until) {
			return false
		}
	}
	return true
}
