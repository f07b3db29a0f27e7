package turn

import (
	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

// canSwap reports whether a lane may still swap for failure.
func canSwap(s *run.State, l *run.Lane) bool {
	return !s.Program.Tasks[l.Job.Task].Pinned && l.Swaps < s.Program.MaxSwaps
}

// route asks the router for anyone but the targets that failed in this lane.
func route(d *run.Decision, l *run.Lane) (run.Target, bool) {
	if !canSwap(d.State, l) {
		return run.Target{}, false
	}
	order := d.State.Program.OrderFor(l.Job)
	to, ok := breaker.Route(d.State, order, func(t run.Target) bool {
		_, left := l.HasLeft(t)
		return left || t == l.Target || d.Asked(breaker.Keys(d.State, t)) // another lane is about to probe it
	}, d.Now)
	return to, ok
}

// back finds an earlier target of the lane that has proved to work again, or whose
// window is due, so that the lane is its probe. It is asked once nobody else is
// free for the lane, or no swap is left to go there.
func back(d *run.Decision, l *run.Lane) (run.Target, bool) {
	s := d.State
	if s.Program.Tasks[l.Job.Task].Pinned {
		return run.Target{}, false
	}
	for _, t := range s.Program.OrderFor(l.Job) {
		left, was := l.HasLeft(t)
		if !was || t == l.Target || !s.Installed(t) || breaker.Blocked(s, t, d.Now) {
			continue
		}
		if len(s.WindowsOn(t)) > 0 || proved(s, t, left) {
			return t, true
		}
	}
	return run.Target{}, false
}

// proved reports whether a window of a target has settled good since the lane
// left it.
func proved(s *run.State, t run.Target, left run.Left) bool {
	fam := s.Family(s.Program.FamilyOf(t))
	if fam == nil {
		return false
	}
	for k, at := range fam.Good {
		if k.Binds(fam.Name, t.Model) && at.After(left.At) {
			return true
		}
	}
	return false
}

// elsewhere moves a lane to another target: a swap for failure, or a return. It
// reports whether the lane went, or asked for the permit to go.
func elsewhere(d *run.Decision, l *run.Lane, why string) bool {
	to, ok := route(d, l)
	if !ok {
		if to, ok = back(d, l); !ok {
			return false
		}
		why = "return"
	}
	return goTo(d, l, to, why)
}

// goTo launches a lane on a target, by permit where a window is open, or as soon
// as a pause is over. It reports false if that cannot be.
func goTo(d *run.Decision, l *run.Lane, to run.Target, why string) bool {
	if reached(deadline(d.State, l.Job, d.Now), d.Now) {
		return false
	}
	if d.State.Paused {
		d.Record(l.ID, run.LaneRouted{Why: why, To: to, Next: true})
		hold(d, l)
		return true
	}
	woken := run.WokenSwap
	if why == "operator" {
		woken = run.WokenOperator
	}
	keys := breaker.Keys(d.State, to)
	if len(keys) > 0 {
		if !d.Ask(run.AskPermit{Lane: l.ID, Target: to, Keys: keys, Why: woken}) {
			return false
		}
		d.Record(l.ID, run.LaneRouted{Why: why, To: to})
		return true
	}
	d.Record(l.ID, run.LaneRouted{Why: why, To: to})
	launch(d, l, to, nil, woken)
	return true
}

// follow goes where an earlier decision sent the lane, if that is still free.
func follow(d *run.Decision, l *run.Lane) {
	to, why := l.Next, l.NextWhy
	if !breaker.Blocked(d.State, to, d.Now) && goTo(d, l, to, why) || elsewhere(d, l, why) {
		return
	}
	acquire(d, l, run.WokenSwap)
}

// Swap moves a lane to another target because the operator asks.
func Swap(d *run.Decision, l *run.Lane) {
	s := d.State
	to, ok := breaker.Route(s, s.Program.OrderFor(l.Job), func(t run.Target) bool { return t == l.Target }, d.Now)
	why := unmoved(s, l)
	if s.Program.Tasks[l.Job.Task].Pinned {
		why = s.Label(l) + " is pinned"
	}
	switch {
	case why != "":
		d.Record(l.ID, run.Notice{Message: "not swapped: " + why})
	case !ok:
		d.Record(l.ID, run.Notice{Message: "not swapped: no other target of " + s.Label(l) + " is free"})
	case l.Running() != nil:
		if a := l.Running(); a.Ending == 0 {
			d.Record(l.ID, run.LaneRouted{Why: "operator", To: to, Next: true})
			Finish(d, l, a, run.EndingSwap)
		}
	default:
		goTo(d, l, to, "operator")
	}
}
