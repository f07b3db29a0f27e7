package scripted

import (
	"math"
	"sync"
	"time"
)

// Params say how a clock runs.
type Params struct {
	// Epoch is the simulated instant at which the world begins, and Real the real
	// instant that it coincides with.
	Epoch time.Time `json:"epoch"`
	Real  time.Time `json:"real"`
	// Speed is how many simulated seconds pass in a real one. At 0 time stands
	// still but for jumps and for the work of agents.
	Speed float64 `json:"speed"`
}

// now is the simulated instant of a running clock. Monotonic readings are left
// out: other processes read the same clock by the wall.
func (p Params) now(wall time.Time) time.Time {
	passed := wall.Round(0).Sub(p.Real.Round(0))
	return p.Epoch.Add(clamped(float64(passed) * p.Speed))
}

// real is how long a simulated length of time takes, rounded up.
func (p Params) real(d time.Duration) time.Duration {
	return clamped(math.Ceil(float64(d) / p.Speed))
}

// clamped is a number of nanoseconds, kept within a century and a half.
func clamped(ns float64) time.Duration {
	const most = float64(150 * 365 * 24 * time.Hour)
	return time.Duration(min(max(ns, -most), most))
}

// Clock is the clock of one world as its host sees it: `Now`, `After` and `Jump`.
// [OpenClock] makes one. Its methods may be called from any goroutine.
type Clock struct {
	params Params
	tape   tape

	mu      sync.Mutex
	last    time.Time
	waiting map[*waiter]struct{}
}

// waiter is one call of After at speed 0.
type waiter struct {
	at    time.Time
	fired chan time.Time
}

// OpenClock opens the clock of the world in dir. It fails if there is no world.
func OpenClock(dir string) (*Clock, error) {
	h, err := openHouse(dir)
	if err != nil {
		return nil, err
	}
	c := &Clock{params: h.Clock, tape: h.tape(), last: h.Clock.Epoch, waiting: map[*waiter]struct{}{}}
	if c.params.Speed == 0 {
		if c.last, err = c.tape.read(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Params tells how the clock runs.
func (c *Clock) Params() Params { return c.params }

// Now is the simulated instant. At speed 0 it stands still until [Clock.Jump].
func (c *Clock) Now() time.Time {
	if c.params.Speed > 0 {
		return c.params.now(time.Now())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// Ahead is how far agents of other processes have moved the clock, by their work,
// at speed 0; otherwise, and if that cannot be read, it is Now. It does not block
// beyond a short lock.
func (c *Clock) Ahead() time.Time {
	now := c.Now()
	if c.params.Speed > 0 {
		return now
	}
	if at, err := c.tape.read(); err == nil && at.After(now) {
		return at
	}
	return now
}

// After gives a channel that receives the instant once Now has reached at, and a
// function that gives it up, to be called when the channel is of no use any more.
//
// At speed 0 nothing runs in between: the channel fires when [Clock.Jump] reaches
// at. A host jumps by itself when no agent runs, and to where [Clock.Ahead] is after
// the end of each agent.
func (c *Clock) After(at time.Time) (<-chan time.Time, func()) {
	fired := make(chan time.Time, 1)
	if c.params.Speed > 0 {
		t := time.AfterFunc(c.params.real(at.Sub(c.Now())), func() { fired <- c.Now() })
		return fired, func() { t.Stop() }
	}
	w := &waiter{at: at, fired: fired}
	c.mu.Lock()
	c.waiting[w] = struct{}{}
	c.fire()
	c.mu.Unlock()
	return fired, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, w)
	}
}

// Jump moves a clock of speed 0 on to at, never back, and reports whether the
// clock is one that jumps: false means that time runs by itself and must be waited
// for. It is false, too, if the jump could not be written down.
func (c *Clock) Jump(at time.Time) bool {
	if c.params.Speed > 0 {
		return false
	}
	if _, err := c.tape.advance(at); err != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.last) {
		c.last = time.Unix(0, at.UnixNano()).UTC()
	}
	c.fire()
	return true
}

// fire serves the waiters whose instant is reached; the lock is held.
func (c *Clock) fire() {
	for w := range c.waiting {
		if !w.at.After(c.last) {
			w.fired <- c.last // capacity 1, sent once
			delete(c.waiting, w)
		}
	}
}
