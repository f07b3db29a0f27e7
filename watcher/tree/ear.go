package tree

import (
	"sync"

	"github.com/fsnotify/fsnotify"
)

// heardMost bounds the names between two turns of the owner; with more, everything is
// looked at instead.
const heardMost = 1 << 16

// ear takes the notices as they come, so that the notifier never waits for the owner:
// the system's own queue is short. Two goroutines fill it.
type ear struct {
	wake chan<- struct{}

	mu    sync.Mutex
	names map[string]fsnotify.Op
	lost  int
	ended bool // there is no notifier any more
}

func newEar(wake chan<- struct{}) *ear {
	return &ear{wake: wake, names: map[string]fsnotify.Op{}}
}

// listen takes what a notifier says until it is closed; errors are taken by a goroutine
// of their own, because the notifier holds its lock while it reports one and the owner
// may be waiting for that lock.
func (e *ear) listen(n *fsnotify.Watcher, group *sync.WaitGroup) {
	group.Go(func() {
		for range n.Errors {
			e.hear(func() { e.lost++ })
		}
	})
	group.Go(func() {
		for event := range n.Events {
			if event.Name != "" { // of a watch that was removed
				e.hear(func() { e.note(event) })
			}
		}
		e.hear(func() { e.ended = true })
	})
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
func (e *ear) take(empty map[string]fsnotify.Op) (names map[string]fsnotify.Op, lost int, ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	names, lost, ended = e.names, e.lost, e.ended
	e.names, e.lost = empty, 0
	return names, lost, ended
}
