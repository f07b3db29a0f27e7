package relay

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// Burst is how long what comes close together is merged.
const Burst = 33 * time.Millisecond

// Relay is the way from the engine to the screen. It is made by [New]; its methods may
// be called from any goroutine, and none but Run blocks.
type Relay struct {
	// wake tells Run that something is queued. Capacity 1: one reminder is enough.
	wake chan struct{}

	mu      sync.Mutex
	facts   []run.Fact
	newest  map[slot]entry
	counter int
	lost    int
	ended   *tui.HostEndedMsg
}

// slot is what an observation replaces the one before of.
type slot struct {
	lane run.LaneID
	kind string
}

type entry struct {
	run.Observation
	// n orders observations as they came.
	n int
}

// New makes an empty relay.
func New() *Relay {
	return &Relay{wake: make(chan struct{}, 1), newest: map[slot]entry{}}
}

// Facts queues facts behind those that were queued before. It keeps a copy of the
// slice.
func (r *Relay) Facts(facts []run.Fact) {
	if len(facts) == 0 {
		return
	}
	r.mu.Lock()
	r.facts = append(r.facts, facts...)
	r.mu.Unlock()
	r.remind()
}

// Observe queues an observation in place of one of the same lane and kind that has
// not been sent yet, which is lost.
func (r *Relay) Observe(o run.Observation) {
	if o.Body == nil {
		return
	}
	k := slot{o.Lane, o.Body.Name()}
	r.mu.Lock()
	if _, replaced := r.newest[k]; replaced {
		r.lost++
	}
	r.counter++
	r.newest[k] = entry{o, r.counter}
	r.mu.Unlock()
	r.remind()
}

// Ended queues the end of the engine: it is sent after everything else, and Run
// returns. Only the first call counts.
func (r *Relay) Ended(exit int, err error) {
	r.mu.Lock()
	if r.ended == nil {
		r.ended = &tui.HostEndedMsg{Exit: exit, Err: err}
	}
	r.mu.Unlock()
	r.remind()
}

// Lost is how many observations were replaced before they were sent.
func (r *Relay) Lost() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
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
		timer.Reset(Burst)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		facts, seen, ended := r.take()
		if len(facts) > 0 {
			send(tui.FactsMsg{Facts: facts})
		}
		if len(seen) > 0 {
			send(tui.ObservationsMsg{Observations: seen})
		}
		if ended != nil {
			send(*ended)
			return
		}
	}
}

// take empties the queue.
func (r *Relay) take() ([]run.Fact, []run.Observation, *tui.HostEndedMsg) {
	r.mu.Lock()
	facts, newest, ended := r.facts, r.newest, r.ended
	r.facts, r.newest = nil, map[slot]entry{}
	r.mu.Unlock()
	entries := make([]entry, 0, len(newest))
	for _, e := range newest {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.n, b.n) })
	seen := make([]run.Observation, len(entries))
	for i, e := range entries {
		seen[i] = e.Observation
	}
	return facts, seen, ended
}

// remind wakes Run unless it is reminded already.
func (r *Relay) remind() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}
