package relay

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// Burst is how long what comes after something was sent waits, and is merged meanwhile.
const Burst = 33 * time.Millisecond

// Relay is the way from the engine to the screen, or from those who look at many runs. It
// is made by [New]; its methods may be called from any goroutine, and none but Run blocks.
type Relay struct {
	// wake tells Run that something is queued. Capacity 1: one reminder is enough.
	wake chan struct{}

	mu      sync.Mutex
	own     queue
	changes *changes
	// feeds are those of the runs that are opened, by key.
	feeds map[string]*Feed
	lost  int
}

// New makes an empty relay.
func New() *Relay {
	return &Relay{wake: make(chan struct{}, 1), feeds: map[string]*Feed{}}
}

// Facts queues facts behind those that were queued before. It keeps a copy of the
// slice.
func (r *Relay) Facts(facts []run.Fact) {
	r.queued(func() { r.own.add(facts) })
}

// Observe queues an observation in place of one of the same lane and kind that has
// not been sent yet, which is lost.
func (r *Relay) Observe(o run.Observation) {
	r.queued(func() { r.lost += r.own.observe(o) })
}

// Ended queues the end of the engine: it is sent after everything else, and Run
// returns. Only the first call counts.
func (r *Relay) Ended(exit int, err error) {
	r.queued(func() { r.own.end(exit, err) })
}

// Changes queues what is new of all runs: it is merged with what has not been sent yet, the
// newest of each run. It keeps what it is given, which nobody may change any more.
func (r *Relay) Changes(c run.Changes) {
	r.queued(func() {
		if r.changes == nil {
			r.changes = newChanges()
		}
		r.changes.merge(c)
	})
}

// Lost is how many observations were replaced before they were sent.
func (r *Relay) Lost() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// queued changes what is queued, and reminds Run of it.
func (r *Relay) queued(f func()) {
	r.mu.Lock()
	f()
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run sends what is queued until the context is done or the engine has ended, as
// messages of package tui, at most one burst in [Burst]. It blocks, and send may
// block; both from one goroutine. It may be called once.
func (r *Relay) Run(ctx context.Context, send func(tea.Msg)) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		for _, msg := range r.take() {
			send(msg)
			if _, ended := msg.(tui.HostEndedMsg); ended {
				return
			}
		}
		timer.Reset(Burst)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
	}
}

// take empties the queues.
func (r *Relay) take() []tea.Msg {
	r.mu.Lock()
	own, changed := r.own, r.changes
	r.own, r.changes = queue{}, nil
	feeds := make(map[string]queue, len(r.feeds))
	for key, f := range r.feeds {
		feeds[key], f.queue = f.queue, queue{}
	}
	r.mu.Unlock()
	var msgs []tea.Msg
	if changed != nil {
		msgs = append(msgs, tui.ChangesMsg{Changes: changed.all()})
	}
	for key, q := range feeds {
		for _, msg := range q.messages() {
			msgs = append(msgs, tui.RunMsg{Key: key, Msg: msg})
		}
	}
	return append(msgs, own.messages()...)
}
