package policy

import "time"

// The numbers of waiting, from design.md §4 and §5.
const (
	// WakeReserve is kept free before a deadline, so that what wakes can still work.
	WakeReserve = 30 * time.Second
	// InlineMax is the longest stated wait that is waited inline.
	InlineMax = 120 * time.Second
	// Chunk is the piece of a wait at whose end a soft stop takes hold.
	Chunk = 30 * time.Second
	// ParkBase and ParkCap bound the backoff of parks that nobody stated.
	ParkBase = 30 * time.Second
	ParkCap  = 5 * time.Minute
	// ProgressMin is how long a served attempt must have gone on for it to be progress,
	// if its provider breaks it off: one that is served and breaks off at once, again
	// and again, must neither start over for ever nor keep its lane from going elsewhere.
	ProgressMin = 60 * time.Second
	// JitterShare is the largest share by which a park is made longer.
	JitterShare = 1.0 / 8
)

// Backoff is the delay before an inline retry, counted from one: uniform between
// base and an envelope that doubles from base up to limit. Draw is in [0, 1).
func Backoff(base, limit time.Duration, retry int, draw float64) time.Duration {
	envelope := grow(base, limit, retry-1)
	return base + time.Duration(draw*float64(envelope-base))
}

// grow doubles base n times, up to limit.
func grow(base, limit time.Duration, n int) time.Duration {
	d := base
	for ; n > 0 && d < limit; n-- {
		d *= 2
	}
	return min(d, limit)
}

// Bounds is what limits a wait.
type Bounds struct {
	Now time.Time
	// Deadline ends the budget of time; zero means never.
	Deadline time.Time
	// Stated is set if the provider said how long to wait.
	Stated bool
	// Waited is the time waited since the last progress, MaxPark its bound; the
	// bound holds only for waits that nobody stated.
	Waited, MaxPark time.Duration
}

// Allowance is how long a wait may last; bounded is false if nothing limits it.
// It is never negative.
func (b Bounds) Allowance() (d time.Duration, bounded bool) {
	if !b.Deadline.IsZero() {
		d, bounded = b.Deadline.Sub(b.Now)-WakeReserve, true
	}
	if !b.Stated {
		if left := b.MaxPark - b.Waited; !bounded || left < d {
			d, bounded = left, true
		}
	}
	return max(d, 0), bounded
}

// Park plans a wait for a lane of its own (the breaker is off).
type Park struct {
	Bounds
	// Hint is the wait that was asked for, where Stated is set.
	Hint time.Duration
	// Streak counts the parks since progress, before this one.
	Streak int
	// Draw is in [0, 1).
	Draw float64
}

// Plan gives the length of the wait, or reports that it must be given up: a hint
// beyond the allowance would only be refused again. A planned wait never exceeds
// the allowance and never undercuts the hint.
func (p Park) Plan() (wait time.Duration, ok bool) {
	allowance, bounded := p.Allowance()
	if bounded && (allowance == 0 || (p.Stated && p.Hint > allowance)) {
		return 0, false
	}
	wait = grow(ParkBase, ParkCap, p.Streak)
	if p.Stated {
		wait = max(wait, p.Hint)
	}
	wait = wait + time.Duration(p.Draw*JitterShare*float64(wait))
	if bounded {
		wait = min(wait, allowance)
	}
	return wait, true
}

// Boundary is the first end of a chunk after an instant, for a wait that began
// at since; the planned end of the wait is a boundary too. A zero end is none.
func Boundary(since, end, after time.Time) time.Time {
	if since.After(after) { // the clock was set while it waited
		since = after
	}
	b := since.Add((after.Sub(since)/Chunk + 1) * Chunk)
	if !end.IsZero() && end.Before(b) {
		b = end
	}
	if b.Before(after) {
		return after
	}
	return b
}
