package run

import (
	"slices"
	"time"
)

// Restless is what lanes have in common that wait and might go elsewhere, if another
// target were free.
type Restless struct {
	// Task is one of those that differ in nothing that decides where their lanes may go.
	Task   int
	Target Target
	// Window is the window waited for; zero for a plain backoff.
	Window WindowKey
	// Patient is set if their patience with the window has not ended. They are told of
	// its end one by one.
	Patient bool
	// Inline is set if their waits are no parks.
	Inline bool
}

// crew is the lanes that wait alike, the oldest first.
type crew struct {
	Restless
	ids []LaneID
}

// crew is that of a lane; nil if the lane would not go elsewhere. It may be new.
func (s *State) crew(l *Lane) *crew {
	w, p := l.Wait, &s.Program
	if w == nil || l.State.Final() || w.Released || p.Patience == Off ||
		p.Tasks[l.Job.Task].Pinned || l.Swaps >= p.MaxSwaps && len(l.Left) == 0 {
		return nil
	}
	like := Restless{
		Task: s.queue.firsts[s.queue.kinds[l.Job.Task]], Target: l.Target, Window: w.Window,
		Patient: !w.Window.IsZero() && !w.LookAt.IsZero(), Inline: w.Inline,
	}
	if l.crew != nil && l.crew.Restless == like {
		return l.crew
	}
	c := s.crews[like]
	if c == nil {
		if s.crews == nil {
			s.crews = map[Restless]*crew{}
		}
		c = &crew{Restless: like}
		s.crews[like] = c
	}
	return c
}

// list keeps the index of restless lanes after a fact changed one.
func (s *State) list(l *Lane) {
	is := s.crew(l)
	if !s.settled.since.IsZero() && (is != nil || l.crew != nil) {
		s.settled.not = put(s.settled.not, l.ID, is != nil)
	}
	was := l.crew
	if is == was {
		return
	}
	if was != nil {
		if was.ids = put(was.ids, l.ID, false); len(was.ids) == 0 {
			delete(s.crews, was.Restless)
		}
	}
	if is != nil {
		is.ids = put(is.ids, l.ID, true)
	}
	l.crew = is
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

// Restless lists the lanes that wait and might go elsewhere, the oldest first, but for
// those that are settled and those that wait alike and are let rest. They are settled by
// this: whoever asks for them must ask each and then call [State.Settle]. What rest says must
// hold until a fact unsettles all, or until an instant of a window.
func (s *State) Restless(now time.Time, rest func(Restless) bool) []LaneID {
	x := &s.settled
	if x.since.IsZero() || now.Before(x.since) || !x.until.IsZero() && !now.Before(x.until) {
		x.not, x.until = x.not[:0], time.Time{}
		for _, c := range s.crews {
			if !rest(c.Restless) {
				x.not = append(x.not, c.ids...)
			}
		}
		slices.Sort(x.not)
	} else {
		x.not = slices.DeleteFunc(x.not, func(id LaneID) bool { return rest(s.Lane(id).crew.Restless) })
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
		x.not = put(x.not, id, s.Lane(id).crew != nil)
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
