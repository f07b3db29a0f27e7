package sim

import (
	"time"

	"example.com/layover/engine/run"
)

// summaryMax is how long a summary may take.
const summaryMax = 2 * time.Minute

// summaries holds when an attempt may summarise, and that it is no work.
func (r *Rules) summaries(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.SummaryAsked:
		a := l.Running()
		switch {
		case !s.Program.HandoffSummary:
			r.broken("an unwanted summary", "attempt %d", b.Attempt)
		case a == nil || a.ID != b.Attempt || !a.SpawnedAt.IsZero() || a.Summary != nil:
			r.broken("what cannot summarise", "attempt %d", b.Attempt)
		case len(a.Permits) > 0:
			r.broken("a probe summarises", "%v", a.Permits)
		case r.stopping(l) || a.Ending != 0:
			r.broken("a summary after a stop", "attempt %d", b.Attempt)
		case len(s.WindowsOn(a.Target)) > 0:
			r.broken("a summary into a window", "%s", s.WindowsOn(a.Target)[0])
		}
		if end := r.deadline(l); !b.Until.After(f.At) || b.Until.Sub(f.At) > summaryMax || !end.IsZero() && b.Until.After(end) {
			r.broken("a summary with too much time", "until %s, the deadline is %s", b.Until, end)
		}
	case run.AttemptStarted:
		for i := range l.Attempts {
			if a := &l.Attempts[i]; a.Summary != nil && a.Session != "" && a.Session == b.Resume {
				r.broken("the session of a summary is resumed", "%s", b.Resume)
			}
		}
	case run.AttemptEnding:
		if a := l.AttemptOf(b.Attempt); b.Why == run.EndingSummary && (a.Summary == nil || f.At.Before(a.Summary.Until)) {
			r.broken("a summary is ended too early", "attempt %d", b.Attempt)
		}
	case run.LaneEnded:
		if n := len(l.Attempts); b.State == run.LaneDone && n > 0 && l.Attempts[n-1].Summary != nil {
			r.broken("done by a summary", "attempt %d", l.Attempts[n-1].ID)
		}
	}
}

// summarising holds that no summary goes on beyond its time.
func (r *Rules) summarising(l *run.Lane, now time.Time) {
	if a := l.Running(); a != nil && a.Summary != nil && a.Ending == 0 && !now.Before(a.Summary.Until) {
		r.broken("a summary takes too long", "%s: lane %d", now.Sub(r.start), l.ID)
	}
}
