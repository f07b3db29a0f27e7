package sim

import (
	"example.com/layover/engine/run"
)

// ends holds how attempts and lanes end.
func (r *Rules) ends(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.AttemptEnded:
		if a := l.AttemptOf(b.Attempt); a == nil || !a.EndedAt.IsZero() {
			r.broken("an attempt ends twice", "%d", b.Attempt)
		}
	case run.UsageCounted:
		r.accounts(l, b.Attempt)
	case run.UsageIncomplete:
		r.accounts(l, b.Attempt)
	case run.LaneEnded:
		switch {
		case l.State.Final():
			r.broken("a lane ends twice", "%s, then %s", l.State, b.State)
		case l.State == run.LaneParked:
			r.broken("a lane ends out of a park", "%s without turn_woken", b.State)
		case l.State == run.LaneWorking:
			r.broken("a lane ends while it works", "%s", b.State)
		case r.stopping(l) && b.State == run.LaneBlocked:
			r.broken("blocked in a stop", "%s", b.Class)
		}
	case run.RetriesExhausted:
		if r.stopping(l) {
			r.broken("given up in a stop", "after %d attempts", b.Attempts)
		}
		if b.Attempts != l.Burned || len(b.Reasons) != l.Burned {
			r.broken("the reasons do not add up", "%d attempts and %d reasons of %d", b.Attempts, len(b.Reasons), l.Burned)
		}
	case run.RunEnded:
		if len(s.Open) > 0 {
			r.broken("the run ends with lanes open", "%d", len(s.Open))
		}
	}
}

// accounts holds that an attempt is accounted once, at its end.
func (r *Rules) accounts(l *run.Lane, id run.AttemptID) {
	if a := l.AttemptOf(id); a == nil || a.EndedAt.IsZero() {
		r.broken("accounted before its end", "attempt %d", id)
	}
	if r.accounted[id] {
		r.broken("accounted twice", "attempt %d", id)
	}
	r.accounted[id] = true
}

// Ended holds what is so once a run has ended: everything that was begun has ended,
// was accounted once, and the exit status says what became of the work.
func (r *Rules) Ended(exit int) {
	s, n := r.state, r.counts
	accounted := n["usage"] + n["usage_incomplete"]
	if a := n["attempt_started"]; n["attempt_ended"] != a || accounted != a {
		r.broken("the attempts do not add up", "%d, %d ended, %d accounted", a, n["attempt_ended"], accounted)
	}
	if n["turn_parked"] != n["turn_woken"] {
		r.broken("the parks do not add up", "%d, %d woken", n["turn_parked"], n["turn_woken"])
	}
	if s.Phase != run.PhaseEnded {
		r.broken("no run_ended", "the phase is %s", s.Phase)
	}
	if len(r.probes) > 0 {
		r.broken("a permit does not end", "%v", r.probes)
	}
	r.exits(exit)
}

// exits holds the exit status of a run.
func (r *Rules) exits(exit int) {
	s := r.state
	jobs := len(s.Program.Tasks) * s.Program.Iterations
	c, ok := s.Counts, false
	switch exit {
	case 0:
		ok = c.Failed+c.Stopped == 0 && len(s.Queue) == 0 && (c.Done == jobs || s.UntilDone)
	case 1:
		ok = c.Failed > 0 && c.Stopped == 0 && (c.Done+c.Failed == jobs || s.UntilDone) ||
			s.Spent != nil && c.Stopped == 0 && c.Done < jobs
	case 3:
		ok = c.Stopped > 0 || s.Stop == run.StopSoft && c.Done+c.Failed < jobs
	case 75:
		ok = c.Stopped == 0 && s.Stop == 0 && len(s.Queue) > 0 && s.Spent == nil
	case 130:
		ok = s.Stop == run.StopHard
	}
	if hard := s.Stop == run.StopHard; !ok || hard != (exit == 130) {
		r.broken("the exit status is wrong", "%d, stop %q, of %d jobs %d done, %d failed, %d stopped, %d left",
			exit, s.Stop, jobs, c.Done, c.Failed, c.Stopped, len(s.Queue))
	}
}
