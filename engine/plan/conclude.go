package plan

import (
	"slices"
	"strings"
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

// conclude goes on to the next iteration, waits, or ends the run, once no lane is
// open any more.
func conclude(d *run.Decision) {
	s := d.State
	if len(s.Open) > 0 || s.Phase == run.PhaseEnded {
		return
	}
	switch {
	case s.Stop != 0:
		why := "stopped by the operator"
		if exit := exitOf(s); exit == ExitDone || exit == ExitFailed { // it came too late
			why = allEnded(s)
		}
		finish(d, why, time.Time{})
	case s.Spent != nil && len(s.Queue) > 0:
		finish(d, s.Spent.String(), time.Time{})
	case len(s.Queue) > 0:
		linger(d)
	case iterate(d):
		openLanes(d)
		if len(s.Open) == 0 && len(s.Queue) > 0 {
			linger(d)
		}
	}
}

// iterate starts the next iteration, or ends the run; it reports whether one was
// started. While the until command has not answered it does neither.
func iterate(d *run.Decision) bool {
	s := d.State
	if len(s.Program.Until) > 0 && s.UntilChecked < s.Iteration {
		if s.UntilAsked < s.Iteration {
			d.Record(0, run.UntilAsked{Iteration: s.Iteration})
			d.Do(run.CheckUntil{Iteration: s.Iteration})
		}
		return false
	}
	if s.UntilDone || s.Iteration >= s.Program.Iterations {
		finish(d, allEnded(s), time.Time{})
		return false
	}
	if s.Spent != nil {
		finish(d, s.Spent.String(), time.Time{})
		return false
	}
	d.Record(0, run.IterationStarted{Iteration: s.Iteration + 1})
	return true
}

// allEnded says why a run ends that has nothing left to do: a budget may have ended
// what it did last.
func allEnded(s *run.State) string {
	if s.Spent != nil {
		why := s.Spent.String()
		if slices.ContainsFunc(s.Lanes, func(l *run.Lane) bool { return l.Why == why }) {
			return why
		}
	}
	return "all tasks have ended"
}

// linger lets the program wait for a target, or ends it if none can be free in
// time: it never burns through its tasks.
func linger(d *run.Decision) {
	s := d.State
	o := look(s, d.Now)
	resets := earliest(s)
	switch {
	case late(s, d.Now):
		finish(d, "the budget of time has ended", time.Time{})
	case s.Paused:
		return
	case s.Program.NoWait:
		refused(d)
		finish(d, "no target is free, and the run must not wait", resets)
	case o.free.IsZero() && !o.patient && o.tooLate:
		finish(d, "no target can be used before the deadline", resets)
	case o.free.IsZero() && !o.patient:
		finish(d, "no target can be used: "+hindrance(s), resets)
	case s.Deadline().IsZero() && !o.stated && d.Now.Sub(s.ProgressAt) >= s.Program.MaxPark.D():
		finish(d, "no progress for "+s.Program.MaxPark.String(), resets)
	case s.Phase != run.PhaseWaiting || !s.WaitsFor.Equal(until(s, o)):
		d.Record(0, run.ProgramWaiting{Until: until(s, o), Why: hindrance(s)})
	}
}

// hindrance says what must happen before the work that is left can go on.
func hindrance(s *run.State) string {
	var all []string
	add := func(what string) {
		if !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	for _, t := range s.Program.OrderFor(s.Queue[0]) {
		w, _ := breaker.Gate(s, t)
		switch {
		case !s.Installed(t):
			add(t.Agent + " is not installed")
		case w == nil:
		case w.Kind == run.KindAuth:
			add(w.Family + " needs a login: log in, or clear it")
		case w.Kind == run.KindBilling:
			add(w.Family + " must be paid or entitled: clear it then")
		}
	}
	if len(all) == 0 {
		return "every target is limited or unhealthy"
	}
	return strings.Join(all, "; ")
}

// refused tells a coordinator which windows keep the work that is left from being
// started, each once, and which targets of the program are free.
func refused(d *run.Decision) {
	s := d.State
	var told []*run.Window
	for _, g := range s.Groups() {
		for _, t := range s.Program.OrderFor(g.First()) {
			w, _ := breaker.Gate(s, t)
			if w == nil || slices.Contains(told, w) {
				continue
			}
			told = append(told, w)
			d.Record(0, run.SpawnRefused{
				Key: w.WindowKey, Family: w.Family, Model: w.Model, Until: w.Until,
				TrippedAt: w.OpenedAt, Reason: w.Reason, Free: breaker.Free(s, s.Program.Targets(), d.Now),
			})
		}
	}
}

// until is when a waiting program must be looked at: when a target may be free,
// when a job's own budget ends, or when it has waited too long.
func until(s *run.State, o outlook) time.Time {
	at := o.free
	if at.IsZero() {
		at = s.ProgressAt.Add(s.Program.MaxPark.D())
	}
	return sooner(at, o.expires)
}

// earliest is the first reset that somebody stated, of the windows on the jobs
// that are left; zero if there is none.
func earliest(s *run.State) time.Time {
	var first time.Time
	for _, g := range s.Groups() {
		j := g.First()
		for _, t := range s.Program.OrderFor(j) {
			at := j.NotBefore
			if w, _ := breaker.Gate(s, t); w != nil && w.How.Said() {
				at = w.Until
			}
			if !at.IsZero() && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
	}
	return first
}

// finish ends the run with the exit status of design.md §8.
func finish(d *run.Decision, why string, resets time.Time) {
	s := d.State
	exit := exitOf(s)
	d.Record(0, run.RunEnded{Exit: exit, Why: why, ResetsAt: resets, Usage: s.Usage})
	d.Do(run.Finish{Exit: exit})
}

// The exit statuses that a decision can come to, from design.md §8.
const (
	ExitDone    = 0
	ExitFailed  = 1
	ExitStopped = 3
	ExitLimited = 75
	ExitHard    = 130
)

func exitOf(s *run.State) int {
	switch {
	case s.Stop == run.StopHard:
		return ExitHard
	case s.Counts.Stopped > 0, s.Stop == run.StopSoft && (len(s.Queue) > 0 || s.Iteration < s.Program.Iterations):
		return ExitStopped
	case s.Spent != nil && (len(s.Queue) > 0 || s.Iteration < s.Program.Iterations && !s.UntilDone):
		return ExitFailed
	case len(s.Queue) > 0:
		return ExitLimited
	case s.Counts.Failed > 0:
		return ExitFailed
	}
	return ExitDone
}
