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
			r.broken("attempt %d ends twice", b.Attempt)
		}
	case run.UsageCounted:
		r.accounts(l, b.Attempt)
	case run.UsageIncomplete:
		r.accounts(l, b.Attempt)
	case run.LaneEnded:
		switch {
		case l.State.Final():
			r.broken("ends twice")
		case l.State == run.LaneParked:
			r.broken("ends out of a park without turn_woken")
		case l.State == run.LaneWorking:
			r.broken("ends while an attempt runs")
		case r.stopping(l) && b.State == run.LaneBlocked:
			r.broken("blocked during a stop")
		}
	case run.RetriesExhausted:
		if r.stopping(l) {
			r.broken("given up during a stop")
		}
		if b.Attempts != l.Burned || len(b.Reasons) != l.Burned {
			r.broken("%d attempts and %d reasons of %d", b.Attempts, len(b.Reasons), l.Burned)
		}
	case run.RunEnded:
		if len(s.Open) > 0 {
			r.broken("ends with %d lanes open", len(s.Open))
		}
	}
}

// accounts holds that an attempt is accounted once, at its end.
func (r *Rules) accounts(l *run.Lane, id run.AttemptID) {
	if a := l.AttemptOf(id); a == nil || a.EndedAt.IsZero() {
		r.broken("attempt %d is accounted before its end", id)
	}
	if r.accounted[id] {
		r.broken("attempt %d is accounted twice", id)
	}
	r.accounted[id] = true
}

// Ended holds what is so once a run has ended: everything that was begun has ended,
// was accounted once, and the exit status says what became of the work.
func (r *Rules) Ended(exit int) {
	s, n := r.state, r.counts
	accounted := n["usage"] + n["usage_incomplete"]
	if a := n["attempt_started"]; n["attempt_ended"] != a || accounted != a {
		r.broken("%d attempts, %d ended, %d accounted", a, n["attempt_ended"], accounted)
	}
	if n["turn_parked"] != n["turn_woken"] {
		r.broken("%d parked, %d woken", n["turn_parked"], n["turn_woken"])
	}
	if s.Phase != run.PhaseEnded {
		r.broken("no run_ended")
	}
	if len(r.probes) > 0 {
		r.broken("permits of %v have not ended", r.probes)
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
	if !ok {
		r.broken("exit %d, stop %q, of %d jobs %d done, %d failed, %d stopped, %d left",
			exit, s.Stop, jobs, c.Done, c.Failed, c.Stopped, len(s.Queue))
	}
}
