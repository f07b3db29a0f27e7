package tree

import "time"

const (
	// beat is the time between two wakes once notices have come too fast for a while.
	beat = 80 * time.Millisecond
	// atOnce is how many wakes of an ear are not paced.
	atOnce = 1000
	// together is how close notices are that are one wake, and backlog how long after a
	// beat what has waited is taken without another one.
	together = 100 * time.Microsecond
	backlog  = time.Millisecond
)

// pace bounds what notices cost, however many come: to be woken is what is dear in a
// notice, far more than to read what is new. Notices wait in the system's queue, which
// has room for the few that come within a beat. One with atOnce has paced nothing yet.
type pace struct {
	atOnce float64   // how many wakes are not paced, if there were few before
	last   time.Time // the latest notice
	debt   float64   // wakes that are not worked off
	began  time.Time // when debt was right
	free   time.Time // until when nothing is counted
}

// wait tells how long to leave notices alone after one has come; mostly 0.
func (p *pace) wait(now time.Time) time.Duration {
	near := now.Sub(p.last) < together || now.Before(p.free)
	p.last = now
	if near {
		return 0
	}
	p.debt = max(0, p.debt-float64(now.Sub(p.began))/float64(beat)) + 1
	p.began = now
	if p.debt <= p.atOnce {
		return 0
	}
	p.free = now.Add(beat + backlog)
	return beat
}
