package plan

import (
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// openLanes opens lanes for the jobs that can be worked on now.
func openLanes(d *run.Decision) {
	s := d.State
	for s.Stop == 0 && !s.Paused && s.Spent == nil && len(s.Open) < s.Program.Parallel && !late(s, d.Now) {
		job, target, ok := pick(s, d.Now)
		if !ok || d.Asked(breaker.Keys(s, target)) {
			return
		}
		id := run.LaneID(len(s.Lanes) + 1)
		d.Record(id, run.LaneStarted{Task: s.Program.Tasks[job.Task].Name, Job: job, Deadline: s.Deadline()})
		turn.Start(d, s.Lane(id), target)
	}
}

// late reports whether the budget of time leaves no room for new work.
func late(s *run.State, now time.Time) bool {
	end := s.Deadline()
	return !end.IsZero() && !now.Before(end.Add(-policy.WakeReserve))
}

// pick finds the first job of the queue that has a target free, or that may wait
// for one. A job that was blocked is taken up only when a target is free, or as the probe
// of one that nobody else would try.
func pick(s *run.State, now time.Time) (run.Job, run.Target, bool) {
	for j := range s.Distinct() {
		if now.Before(j.NotBefore) {
			continue
		}
		order := s.Program.OrderFor(j)
		if t, ok := breaker.Route(s, order, func(run.Target) bool { return false }, now); ok {
			return j, t, true
		}
		if j.Requeued > 0 && !j.Stopped || s.Program.Tasks[j.Task].Wait != run.WaitPark {
			if t, ok := breaker.RouteQueued(s, order, now); ok {
				return j, t, true
			}
			continue
		}
		if t, ok := waitable(s, j, now); ok {
			return j, t, true
		}
	}
	return run.Job{}, run.Target{}, false
}

// waitable finds the target that may be had first, if a wait for it is allowed.
func waitable(s *run.State, j run.Job, now time.Time) (run.Target, bool) {
	var best run.Target
	var first time.Time
	for _, t := range s.Program.OrderFor(j) {
		if !s.Installed(t) {
			continue
		}
		at, ok := turn.MayWait(s, j, t, now)
		if ok && (best.IsZero() || at.Before(first)) {
			best, first = t, at
		}
	}
	return best, !best.IsZero()
}

// expire ends the jobs whose own budget, of time or other, has ended in the queue.
func expire(d *run.Decision) {
	s := d.State
	// Jobs that came back stand at the head of the queue; no other has begun.
	for i := 0; i < len(s.Queue) && s.Queue[i].Requeued > 0 && s.Stop == 0; {
		j := s.Queue[i]
		end := turn.Expires(s, j)
		spent := s.Program.Tasks[j.Task].Spent(j.Used)
		if !spent && (end.IsZero() || d.Now.Before(end)) {
			i++
			continue
		}
		id := run.LaneID(len(s.Lanes) + 1)
		d.Record(id, run.LaneStarted{Task: s.Program.Tasks[j.Task].Name, Job: j, Deadline: end})
		if l := s.Lane(id); spent {
			turn.Outspent(d, l)
		} else {
			turn.Expire(d, l)
		}
	}
}
