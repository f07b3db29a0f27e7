package tree

import (
	"context"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// heardMost bounds the names between two turns of the owner; with more, everything is
// looked at instead.
const heardMost = 1 << 16

// ear takes the notices as they come, so that the notifier never waits for the owner:
// the system's own queue is short. Two goroutines fill it.
type ear struct {
	wake   chan<- struct{}
	atOnce float64 // how many wakes are not paced

	mu    sync.Mutex
	names map[string]fsnotify.Op
	beats int // how often notices were left alone for a while
	lost  int
	ended bool // the notifier was closed
}

func newEar(wake chan<- struct{}) *ear {
	return &ear{wake: wake, atOnce: atOnce, names: map[string]fsnotify.Op{}}
}

// listen takes what a notifier says until it is closed; errors are taken by a goroutine
// of their own, because the notifier holds its lock while it reports one and the owner
// may be waiting for that lock.
func (e *ear) listen(ctx context.Context, n *fsnotify.Watcher, group *sync.WaitGroup) {
	group.Go(func() {
		for range n.Errors {
			e.hear(func() { e.lost++ })
		}
	})
	group.Go(func() {
		defer e.hear(func() { e.ended = true })
		p := pace{atOnce: e.atOnce}
		for {
			select {
			case <-ctx.Done():
				return
			case event, ok := <-n.Events:
				if !ok {
					return
				}
				if event.Name == "" { // of a watch that was removed
					continue
				}
				e.hear(func() { e.note(event) })
			}
			if wait := p.wait(time.Now()); wait > 0 {
				if !rest(ctx, wait) {
					return
				}
				e.mu.Lock()
				e.beats++
				e.mu.Unlock()
			}
		}
	})
}

// rest waits; false if ctx has ended before.
func rest(ctx context.Context, wait time.Duration) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

func (e *ear) hear(f func()) {
	e.mu.Lock()
	f()
	e.mu.Unlock()
	nudge(e.wake)
}

func (e *ear) note(event fsnotify.Event) {
	if len(e.names) >= heardMost {
		clear(e.names)
		e.lost++
	}
	e.names[event.Name] |= event.Op
}

// take gives what was heard since the last call; empty is what to fill next.
func (e *ear) take(empty map[string]fsnotify.Op) (names map[string]fsnotify.Op, beats, lost int, ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	names, beats, lost, ended = e.names, e.beats, e.lost, e.ended
	e.names, e.lost, e.ended = empty, 0, false
	return names, beats, lost, ended
}
