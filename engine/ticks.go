package engine

import (
	"time"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// ticks remembers the next chunk boundary of each park, and says when one has
// gone by.
type ticks map[run.LaneID]time.Time

// next is the earliest boundary ahead; zero if nothing is parked.
func (t ticks) next(s *run.State) time.Time {
	var next time.Time
	for _, id := range s.Open {
		l := s.Lane(id)
		if l.State != run.LaneParked {
			delete(t, id)
			continue
		}
		at, known := t[id]
		if !known || at.Before(l.Wait.Since) {
			at = l.Wait.Since.Add(policy.Chunk)
			t[id] = at
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next
}

// due gives a tick for each park of which a chunk has gone by.
func (t ticks) due(s *run.State, now time.Time) []run.Observation {
	var seen []run.Observation
	for _, id := range s.Open {
		l := s.Lane(id)
		at, known := t[id]
		if !known || l.State != run.LaneParked || at.After(now) {
			continue
		}
		for !at.After(now) {
			at = at.Add(policy.Chunk)
		}
		t[id] = at
		wake := s.WakeAt(l)
		tick := run.ParkTick{
			WaitedMs: run.MillisOf(now.Sub(l.Wait.Since)), WakeAt: wake, How: l.Wait.How, Streak: l.Streak,
		}
		if !wake.IsZero() {
			tick.PlannedMs = run.MillisOf(wake.Sub(l.Wait.Since))
		}
		if !l.Wait.Ceiling.IsZero() {
			left := run.MillisOf(max(l.Wait.Ceiling.Sub(now), 0))
			tick.AllowanceMs = &left
		}
		seen = append(seen, run.Observation{At: now.UTC().Round(0), Lane: id, Body: tick})
	}
	return seen
}
