package foreign

import (
	"fmt"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/stream"
)

// hold is what an agent waits for by itself in the middle of its turn. The zero value is
// nothing: it works.
type hold struct {
	// state is LaneParked at a limit, LaneWaiting before it tries again.
	state run.LaneState
	class run.Class
	why   string
	// since and wake are when the wait began and when it is over, as far as is known.
	since, wake time.Time
	how         run.How
	// retry counts what it tries again, and delay is how long it waits for that.
	retry int
	delay time.Duration
}

// same reports whether two waits are told alike.
func (h hold) same(x hold) bool {
	return h.state == x.state && h.class == x.class && h.wake.Equal(x.wake) && h.how == x.how && h.retry == x.retry && h.delay == x.delay
}

// holdOf is what the agent of an account waits for at now: a limit that it has met, in its
// turn as long as that is believed, or a call that failed and that it makes again. A turn
// that was begun after another had met a limit asks whether that still is so. Fallback
// stands in for an instant that no line states; a now of zero is not asked for.
func holdOf(a stream.Account, s run.Suspicion, fallback, now time.Time) hold {
	met := a.Turn == stream.TurnOver && limited(a.Verdict.Class) || a.Turn == stream.TurnOpen && a.Suspect != "" && a.Limit.Class == 0
	r := a.Activity.Retry
	switch {
	case met && !s.Until.IsZero() && (a.Turn == stream.TurnOver || now.IsZero() || now.Before(s.Until)):
		h := hold{state: run.LaneParked, class: run.ClassRateLimited, why: s.Why, since: s.Since, wake: s.Until, how: run.HowAssumed}
		if a.Turn == stream.TurnOver {
			if h.class = a.Verdict.Class; s.Until.Equal(a.Verdict.Reset) {
				h.how = a.Verdict.How
			}
		}
		return h
	case a.Turn == stream.TurnOpen && r.Attempt > 0:
		h := hold{state: run.LaneWaiting, class: classOf(r), why: tries(r), since: first(a.At, fallback), how: run.HowStated, retry: r.Attempt, delay: r.Delay}
		if !h.since.IsZero() {
			h.wake = h.since.Add(r.Delay)
		}
		return h
	}
	return hold{}
}

// classOf is what an agent tries again for.
func classOf(r run.Retry) run.Class {
	switch r.Status {
	case 429:
		return run.ClassRateLimited
	case 503, 529:
		return run.ClassOverloaded
	}
	return run.ClassTransport
}

// tries says that an agent tries again by itself, and why.
func tries(r run.Retry) string {
	said := fmt.Sprintf("it tries again, %d", r.Attempt)
	if r.Max > 0 {
		said += fmt.Sprintf(" of %d", r.Max)
	}
	if r.Status > 0 {
		said += fmt.Sprintf(", after status %d", r.Status)
	}
	return said
}
