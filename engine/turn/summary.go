package turn

import (
	"slices"
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

const (
	// summaryMax is how long a summary may take, with its retries.
	summaryMax = 2 * time.Minute
	// summaryMin is what is not worth beginning one.
	summaryMin = 15 * time.Second
	// summaryWorth is how much must be left out, in bytes, that a summary is asked for.
	// It may be as long itself, and costs an attempt.
	summaryWorth = 8 << 10
	// summaryShare is the part of the budget of time that a summary may take: one in so
	// many.
	summaryShare = 2
)

// summarise says what a spawn has to do with a summary of what does not fit into its
// handoff: to write one, to be given one, or to ask whether one is needed. A probe is not
// kept waiting by one, and none is asked for while a window is open.
func summarise(s *run.State, l *run.Lane, a run.Attempt, e *run.Spawn) {
	if !s.Program.HandoffSummary || len(e.Work) == 0 {
		return
	}
	if a.Summary != nil {
		e.Summarise = true
		return
	}
	b := summaryOf(l, e)
	if b != nil && b.Class == run.ClassSuccess {
		e.Summary = b.ID
		return
	}
	e.Ask = (b == nil || !b.Summary.Skipped) && len(a.Permits)+len(breaker.Keys(s, a.Target)) == 0 &&
		a.Ending == 0 && !stopping(s, l)
}

// summaryOf finds the latest attempt to summarise what a spawn's handoff leaves out; nil
// if there is none.
func summaryOf(l *run.Lane, e *run.Spawn) *run.Attempt {
	for i := range slices.Backward(l.Attempts) {
		b := &l.Attempts[i]
		if b.Summary == nil || b.ID == e.Attempt {
			continue
		}
		if b.Target == e.Target && b.Summary.Upto == e.Work[len(e.Work)-1].Attempt && b.Summary.Rung == l.Rung {
			return b
		}
		break
	}
	return nil
}

// Cut takes note that some of the work so far does not fit into what an attempt is to be
// given: it is to summarise that first, if there is time for it.
func Cut(d *run.Decision, l *run.Lane, a *run.Attempt, left int) {
	e := spawn(d.State, l, *a, l.Deadline)
	if e.Ask {
		e.Ask = false
		f := run.SummaryAsked{
			Attempt: a.ID, Bytes: left, Until: summaryEnd(l, d.Now), Upto: e.Work[len(e.Work)-1].Attempt, Rung: l.Rung,
			Climbed: l.Retries,
		}
		if b := summaryOf(l, &e); b != nil {
			f.Until, f.Climbed = b.Summary.Until, b.Summary.Climbed
		}
		if left > summaryWorth && d.Now.Before(f.Until) {
			d.Record(l.ID, f)
			e = spawn(d.State, l, *a, l.Deadline)
		}
	}
	d.Do(e)
}

// summaryEnd is when a summary that begins now must have ended; zero if there is too
// little time for one.
func summaryEnd(l *run.Lane, now time.Time) time.Time {
	most := summaryMax
	if !l.Deadline.IsZero() {
		most = min(most, l.Deadline.Sub(now)/summaryShare)
	}
	if most < summaryMin {
		return time.Time{}
	}
	return now.Add(run.MillisOf(most).D())
}

// summarised goes on with a lane after an attempt to summarise. If its target refused it
// the lane does what it would have done after any other attempt, as it has no other way
// to go; if it parks, it goes on without the summary. Else the ladder is climbed; once it is
// spent the lane goes on without a summary, too.
func summarised(d *run.Decision, l *run.Lane, a *run.Attempt, v run.Verdict) {
	breakerOn := d.State.Program.Breaker.On
	switch {
	case reached(deadline(d.State, l.Job, d.Now), d.Now):
		fail(d, l, run.Verdict{Class: run.ClassDeadline})
	case v.Class == run.ClassSuccess, v.Class == run.ClassRateLimited && breakerOn:
		acquire(d, l, run.WokenDue)
	case v.Class == run.ClassRateLimited:
		alone(d, l, v)
	case v.Class == run.ClassOverloaded:
		overloaded(d, l, a, v, false)
	case v.Class == run.ClassAuth, v.Class == run.ClassBilling:
		settle(d, l, v, nil)
	case faulty(v.Class) && retry(d, l, v):
	default:
		d.Record(l.ID, run.SummarySkipped{Attempt: a.ID})
		acquire(d, l, run.WokenDue)
	}
}

// forgo gives a summary up that was refused: a lane that parks goes on without it.
func forgo(d *run.Decision, l *run.Lane) {
	if len(l.Attempts) == 0 {
		return
	}
	if a := l.Attempts[len(l.Attempts)-1]; a.Summary != nil && a.Class != run.ClassSuccess && !a.Summary.Skipped {
		d.Record(l.ID, run.SummarySkipped{Attempt: a.ID})
	}
}
