package plan

import (
	"slices"
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
	for _, g := range s.Groups() {
		j := g.First()
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
	if s.Stop != 0 {
		return
	}
	for _, j := range expired(s, d.Now) {
		id := run.LaneID(len(s.Lanes) + 1)
		d.Record(id, run.LaneStarted{Task: s.Program.Tasks[j.Task].Name, Job: j.Job, Deadline: turn.Expires(s, j.Job)})
		if l := s.Lane(id); spent(s, j.Job) {
			turn.Outspent(d, l)
		} else {
			turn.Expire(d, l)
		}
	}
}

// expired lists the jobs whose own budget has ended, in the order of the queue. Jobs that
// came back may be among them; no other has begun.
func expired(s *run.State, now time.Time) []*run.Queued {
	var over []*run.Queued
	for _, g := range s.Groups() {
		if spent(s, g.First()) {
			over = append(over, g.Jobs()...)
			continue
		}
		for _, j := range g.Aged() {
			if now.Before(turn.Expires(s, j.Job)) {
				break
			}
			over = append(over, j)
		}
	}
	slices.SortFunc(over, func(a, b *run.Queued) int { return a.Place - b.Place })
	return over
}

// spent reports whether a job came back with its budget spent.
func spent(s *run.State, j run.Job) bool {
	return j.Requeued > 0 && s.Program.Tasks[j.Task].Spent(j.Used)
}
