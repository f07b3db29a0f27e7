package engine

import (
	"time"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// ticks says when a chunk of a park that is shown has gone by.
type ticks struct{ looked time.Time }

// boundary is when the next chunk of a park ends that has not been looked at yet.
func (t *ticks) boundary(l *run.Lane) time.Time {
	n := time.Duration(1)
	if t.looked.After(l.Wait.Since) {
		n += t.looked.Sub(l.Wait.Since) / policy.Chunk
	}
	return l.Wait.Since.Add(n * policy.Chunk)
}

// next is the earliest boundary of these lanes; zero if none of them is parked.
func (t *ticks) next(s *run.State, shown []run.LaneID) time.Time {
	var next time.Time
	for _, id := range shown {
		l := s.Lane(id)
		if l == nil || l.State != run.LaneParked {
			continue
		}
		if at := t.boundary(l); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next
}

// due gives a tick for each of these lanes of whose park a chunk has gone by.
func (t *ticks) due(s *run.State, shown []run.LaneID, now time.Time) []run.Observation {
	var seen []run.Observation
	for _, id := range shown {
		l := s.Lane(id)
		if l == nil || l.State != run.LaneParked || t.boundary(l).After(now) {
			continue
		}
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
	t.looked = now
	return seen
}

// shown lists the lanes whose park ticks somebody sees.
func (h *Host) shown() []run.LaneID {
	if h.ports.Shown == nil {
		return h.state.Open
	}
	return h.ports.Shown()
}
