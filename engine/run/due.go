package run

import (
	"container/heap"
	"time"
)

// dueHeap orders the open lanes by the instant at which each must be looked at
// again, so that finding the next one does not grow with the number of lanes.
type dueHeap []*Lane

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i+1, j+1
}

func (h *dueHeap) Push(x any) {
	l := x.(*Lane)
	l.index = len(*h) + 1
	*h = append(*h, l)
}

func (h *dueHeap) Pop() any {
	old := *h
	l := old[len(old)-1]
	*h = old[:len(old)-1]
	l.index = 0
	return l
}

// reckon puts a lane at its place after a fact changed it.
func (s *State) reckon(l *Lane) {
	s.list(l)
	d := l.nextDue()
	switch {
	case d.IsZero() && l.index > 0:
		heap.Remove(&s.due, l.index-1)
	case d.IsZero():
	case l.index > 0:
		l.due = d
		heap.Fix(&s.due, l.index-1)
	default:
		l.due = d
		heap.Push(&s.due, l)
	}
}

// nextDue is when the lane itself must be looked at; a lane that waits for a
// window is also looked at when the window is due.
func (l *Lane) nextDue() time.Time {
	if l.State.Final() {
		return time.Time{}
	}
	d := l.Deadline
	if a := l.Running(); a != nil {
		if a.Ending != 0 {
			return time.Time{} // its end is on the way
		}
		d = sooner(d, a.LookAt)
		if a.Summary != nil {
			d = sooner(d, a.Summary.Until)
		}
	}
	if w := l.Wait; w != nil {
		if w.Window.IsZero() || w.Released {
			d = sooner(d, w.WakeAt)
		}
		d = sooner(d, w.LookAt)
		d = sooner(d, w.Ceiling)
	}
	return sooner(d, l.StopAt)
}

// NextDue is the earliest instant at which something is due by itself; zero if
// nothing is. It does not depend on how many lanes there are. What was due
// before now and concerns no lane is left out.
func (s *State) NextDue(now time.Time) time.Time {
	var d time.Time
	if s.Phase == PhaseEnded {
		return d
	}
	if len(s.due) > 0 {
		d = s.due[0].due
	}
	ahead := func(t time.Time) {
		if t.After(now) {
			d = sooner(d, t)
		}
	}
	for _, w := range s.Windows {
		if w.Permit != nil {
			d = sooner(d, w.Permit.Lapses)
			continue
		}
		if len(w.Waiters) > 0 {
			d = sooner(d, w.NextTry)
		}
		ahead(w.Until)
		ahead(w.NextTry)
	}
	ahead(s.WaitsFor)
	ahead(s.Deadline())
	for _, x := range s.Suspicions {
		d = sooner(d, x.Until)
	}
	return d
}

// DueLanes lists the lanes that are due at now, the longest due first. It costs
// no more than the number it lists.
func (s *State) DueLanes(now time.Time) []LaneID {
	var due []*Lane
	var walk func(i int)
	walk = func(i int) {
		if i >= len(s.due) || s.due[i].due.After(now) {
			return
		}
		due = append(due, s.due[i])
		walk(2*i + 1)
		walk(2*i + 2)
	}
	walk(0)
	sortLanes(due)
	ids := make([]LaneID, len(due))
	for i, l := range due {
		ids[i] = l.ID
	}
	return ids
}

// sooner is the earlier of two instants, where zero means never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}
