package watcher

import (
	"context"
	"sync"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// Pace is the clock of a run that another process holds, as far as its facts tell:
// real time, or that of a demo, which goes faster. Its methods may be called from
// any goroutine.
type Pace struct {
	wall func() time.Time

	mu    sync.Mutex
	speed float64
	at    time.Time // of the latest fact, by the run's clock
	seen  time.Time // when that was seen, by the wall
}

// NewPace makes the clock of a run of which nothing has been seen yet.
func NewPace(wall func() time.Time) *Pace { return &Pace{wall: wall, speed: 1} }

// Seen takes note of facts that have just come.
func (p *Pace) Seen(facts []run.Fact) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range facts {
		if b, ok := f.Body.(run.RunStarted); ok {
			p.speed = b.Speed
		}
		p.at, p.seen = f.At, p.wall()
	}
}

// Now is the instant of the run's clock.
func (p *Pace) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.wall()
	if p.speed == 1 || p.at.IsZero() {
		return now
	}
	return p.at.Add(time.Duration(p.speed * float64(now.Sub(p.seen))))
}

// lookEvery is how often Held looks whether a run is held.
const lookEvery = time.Second

// Held calls gone once no process holds a run any more, and returns then or when
// ctx ends; dir is the directory of the run. It looks every two seconds, and twice,
// so that the end that the run wrote last is read first.
func Held(ctx context.Context, dir string, gone func()) {
	t := time.NewTicker(lookEvery)
	defer t.Stop()
	for missed := 0; missed < 2; {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if missed++; journal.Running(dir) {
			missed = 0
		}
	}
	gone()
}
