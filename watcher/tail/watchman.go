package tail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fsnotify/fsnotify"
)

// command is what the owner of the notifier is asked for.
type command interface{ command() }

type (
	// followCommand asks for notices; it is answered with a first one.
	followCommand struct{ follow }
	leaveCommand  struct{ follow }
	statusCommand struct{ reply chan<- Status } // capacity 1
)

func (followCommand) command() {}
func (leaveCommand) command()  {}
func (statusCommand) command() {}

// watchman owns the notifier and the map of directories; one goroutine runs it.
type watchman struct {
	create      func() (*fsnotify.Watcher, error)
	notifier    *fsnotify.Watcher // nil if there is none
	noneFor     error             // why there is none
	lost        chan struct{}     // capacity 1: notices were lost
	dirs        map[string]*directory
	bare        int // how many of dirs are not watched
	poll        *time.Ticker
	safety      *time.Ticker
	safetyEvery time.Duration
	polling     bool // whether poll runs
	guarding    bool // whether safety runs
	overflows   int
}

func newWatchman(create func() (*fsnotify.Watcher, error), safety time.Duration) *watchman {
	w := &watchman{
		create: create,
		lost:   make(chan struct{}, 1), dirs: map[string]*directory{},
		poll: time.NewTicker(pollEvery), safety: time.NewTicker(safety), safetyEvery: safety,
		polling: true, guarding: true,
	}
	w.pace()
	w.arm()
	return w
}

// pace lets the tickers run only while there is something for them to do.
func (w *watchman) pace() {
	pace(w.poll, pollEvery, &w.polling, w.bare > 0)
	pace(w.safety, w.safetyEvery, &w.guarding, len(w.dirs) > 0)
}

// pace starts or stops a ticker; one that runs already keeps its beat.
func pace(t *time.Ticker, every time.Duration, runs *bool, want bool) {
	switch {
	case want && !*runs:
		t.Reset(every)
	case !want && *runs:
		t.Stop()
	}
	*runs = want
}

// arm asks for a notifier if there is none. Its errors are taken by a goroutine of
// their own that never waits, because the notifier holds its lock while it reports
// one and the owner may be waiting for that lock.
func (w *watchman) arm() {
	if w.notifier != nil {
		return
	}
	notifier, err := w.create()
	if err != nil {
		w.noneFor = fmt.Errorf("no notifier: %w", err)
		return
	}
	w.notifier, w.noneFor = notifier, nil
	go func() { // ends when the notifier is closed
		for range notifier.Errors {
			select {
			case w.lost <- struct{}{}:
			default:
			}
		}
	}()
}

// disarm gives the notifier up; every directory is bare then.
func (w *watchman) disarm(why error) {
	if w.notifier != nil {
		_ = w.notifier.Close() // nothing is written through it
	}
	w.notifier, w.noneFor = nil, why
	for _, d := range w.dirs {
		w.unwatch(d, why)
	}
}

// own runs until ctx ends.
func (w *watchman) own(ctx context.Context, commands <-chan command) {
	defer w.poll.Stop()
	defer w.safety.Stop()
	defer w.disarm(ErrClosed)
	for {
		var events <-chan fsnotify.Event
		if w.notifier != nil {
			events = w.notifier.Events
		}
		select {
		case <-ctx.Done():
			return
		case c := <-commands:
			w.obey(c)
		case e, ok := <-events:
			if !ok {
				w.disarm(errors.New("the notifier has ended"))
				continue
			}
			w.event(e)
		case <-w.lost:
			w.overflows++
			w.notifyAll()
		case <-w.poll.C:
			w.rewatch()
		case <-w.safety.C:
			w.arm()
			w.verify()
			w.notifyAll()
		}
	}
}

func (w *watchman) notifyAll() {
	for _, d := range w.dirs {
		d.notifyAll()
	}
}
