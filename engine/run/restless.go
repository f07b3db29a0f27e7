package run

import "slices"

// restless reports whether a lane waits that might go elsewhere, if another target
// were free.
func (s *State) restless(l *Lane) bool {
	return l.Wait != nil && !l.State.Final() && !l.Wait.Released && s.Program.Patience != Off &&
		!s.Program.Tasks[l.Job.Task].Pinned && (l.Swaps < s.Program.MaxSwaps || len(l.Left) > 0)
}

// list keeps the index of restless lanes after a fact changed one.
func (s *State) list(l *Lane) {
	is := s.restless(l)
	if is == l.listed {
		return
	}
	l.listed = is
	at, _ := slices.BinarySearch(s.waiting, l.ID)
	if is {
		s.waiting = slices.Insert(s.waiting, at, l.ID)
	} else {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
}

// Restless lists the lanes that wait and might go elsewhere if another target were
// free, the oldest first. It must not be changed.
func (s *State) Restless() []LaneID { return s.waiting }

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
