package run

import (
	"slices"
	"time"
)

// restless reports whether a lane waits that might go elsewhere, if another target
// were free.
func (s *State) restless(l *Lane) bool {
	return l.Wait != nil && !l.State.Final() && !l.Wait.Released && s.Program.Patience != Off &&
		!s.Program.Tasks[l.Job.Task].Pinned && (l.Swaps < s.Program.MaxSwaps || len(l.Left) > 0)
}

// list keeps the index of restless lanes after a fact changed one.
func (s *State) list(l *Lane) {
	is := s.restless(l)
	if !s.settled.since.IsZero() && (is || l.listed) {
		s.settled.not = put(s.settled.not, l.ID, is)
	}
	if is != l.listed {
		s.waiting, l.listed = put(s.waiting, l.ID, is), is
	}
}

// put puts a lane into a sorted list, or takes it out.
func put(ids []LaneID, id LaneID, in bool) []LaneID {
	at, is := slices.BinarySearch(ids, id)
	switch {
	case in && !is:
		return slices.Insert(ids, at, id)
	case is && !in:
		return slices.Delete(ids, at, at+1)
	}
	return ids
}

// settled remembers that lanes were asked whether they would go elsewhere, and that all
// but a few would not. That holds until a fact changes the lane, or where lanes may go,
// and for a span of time. It is no part of what a run is: whoever has read the facts back
// asks all lanes.
type settled struct {
	// since is zero if no lane is settled; until is zero if that does not end by itself.
	since, until time.Time
	// not are the restless lanes that are not settled, the oldest first.
	not []LaneID
}

// unsettle makes every lane be asked again after a fact that may change where lanes may
// go. What is left out concerns at most the lane that it is about.
func (s *State) unsettle(b Body) {
	switch b.(type) {
	case FamilySuspected, SuspicionEnded, SpawnRefused, HealthFailed, HealthClosed, BudgetSpent, ParkMoved, TaskRequeued, Error, Notice:
	default:
		if !ofLane(b) {
			s.Unsettle()
		}
	}
}

// Restless lists the lanes that wait and might go elsewhere if another target were free,
// the oldest first, but for those that are settled. They are settled by this: whoever
// asks for them must ask each and then call [State.Settle].
func (s *State) Restless(now time.Time) []LaneID {
	x := &s.settled
	if x.since.IsZero() || now.Before(x.since) || !x.until.IsZero() && !now.Before(x.until) {
		x.not, x.until = append(x.not[:0], s.waiting...), time.Time{}
	}
	ask := slices.Clone(x.not)
	x.since, x.not = now, x.not[:0]
	return ask
}

// Settle says that what restless lanes have answered holds until an instant by itself, of
// some only for now. Zero means that it does not end by itself.
func (s *State) Settle(now, until time.Time, not []LaneID) {
	x := &s.settled
	if x.since.IsZero() {
		return // something has changed meanwhile
	}
	for _, id := range not {
		x.not = put(x.not, id, s.Lane(id).listed)
	}
	for _, w := range s.Windows {
		for _, at := range []time.Time{w.NextTry, w.Until} {
			if at.After(now) {
				until = sooner(until, at)
			}
		}
	}
	x.until = sooner(x.until, until)
}

// Unsettle makes every lane be asked again.
func (s *State) Unsettle() { s.settled = settled{} }

// Targets lists every target of the program's orders once. It must not be changed.
func (s *State) Targets() []Target { return s.targets }

// targetsOf lists the targets of a program's orders, in the order met.
func targetsOf(p *Program) []Target {
	var all []Target
	seen := map[Target]bool{}
	add := func(order []Target) {
		for _, t := range order {
			if !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
		}
	}
	add(p.Order)
	for _, t := range p.Tasks {
		add(t.Order)
	}
	return all
}
