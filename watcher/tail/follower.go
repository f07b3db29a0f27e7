package tail

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// ErrClosed is matched by the error of Follow when the follower was closed.
var ErrClosed = errors.New("follower is closed")

// MaxChunk bounds what a sink is given at once, in bytes.
const MaxChunk = 256 << 10

const (
	// pollEvery is the time between two looks where a directory is not watched.
	pollEvery = 250 * time.Millisecond
	// safetyEvery is the time between two looks that nothing has asked for.
	safetyEvery = 3 * time.Second
	// firstRetry and longestRetry bound the time after a read error; each is
	// twice the one before.
	firstRetry   = 50 * time.Millisecond
	longestRetry = 2 * time.Second
)

// Sink receives what a file holds. Its methods are called by the goroutine that
// follows, one at a time. It is an alias, so that a port which spells out the same
// interface is satisfied by [Follower.Follow].
type Sink = interface {
	// Bytes takes the next bytes of the file, at least one and at most MaxChunk.
	// They are valid during the call only.
	Bytes(p []byte)
	// Restart says that the file was truncated or replaced: what was delivered is
	// history, and the next bytes are the first of the file. It is not called
	// while nothing has been delivered since the last Restart.
	Restart()
}

// Status is how well files are watched. The zero value is that of a follower
// which follows nothing.
type Status struct {
	// Following is the number of files being followed.
	Following int
	// Polled is how many of them are looked at every 250 ms, because their
	// directory is not watched.
	Polled int
	// Overflows counts how often notices were, or may have been, lost, so that
	// every file had to be looked at.
	Overflows int
	// Reason is why a directory is not watched; nil if all are.
	Reason error
}

// Follower follows files. Its methods may be called from any goroutine. Only
// [New] makes one; the zero value is of no use.
type Follower struct {
	commands chan command
	life     context.Context // ended by Close, through end
	end      context.CancelFunc
	done     chan struct{}         // closed by the owner
	broken   atomic.Pointer[error] // why the owner had to give up; nil if it had not
	buffers  Buffers
}

// New starts a follower. Where the system has no notifier to give, files are
// polled and the notifier is asked for again from time to time. It must be closed.
func New() *Follower { return newFollower(fsnotify.NewWatcher, safetyEvery) }

func newFollower(create func() (*fsnotify.Watcher, error), safety time.Duration) *Follower {
	life, end := context.WithCancel(context.Background())
	f := &Follower{
		commands: make(chan command),
		life:     life, end: end,
		done: make(chan struct{}),
	}
	w := newWatchman(create, safety)
	go func() { // Close waits for it
		defer close(f.done)
		defer end()
		defer f.rescue()
		w.own(life, f.commands)
	}()
	return f
}

// rescue makes a panic of the owner an error of every follow.
func (f *Follower) rescue() {
	if r := recover(); r != nil {
		err := fmt.Errorf("%w: it panicked: %v", ErrClosed, r)
		f.broken.Store(&err)
	}
}

// closed is the error of a follower that is closed.
func (f *Follower) closed() error {
	if err := f.broken.Load(); err != nil {
		return *err
	}
	return ErrClosed
}

// Close ends the follower and waits until its notifier is gone. Follows that are
// running deliver what there is and return. It may be called more than once.
func (f *Follower) Close() {
	f.end()
	<-f.done
}

// Status tells how well files are watched now; after Close it is zero.
func (f *Follower) Status() Status {
	reply := make(chan Status, 1)
	if !f.send(statusCommand{reply: reply}) {
		return Status{}
	}
	return <-reply
}

// Follow delivers the file at path to sink, from its beginning and as it grows,
// until ctx ends. The file and its directory may be missing and may appear later.
// A file that cannot be read for now is tried again. A path may be a link; what
// happens to the file it leads to is then seen within a few seconds.
//
// When ctx ends, what can be read of the file at that time is still delivered, and
// Follow returns nil; if that last read fails, it returns the error. It returns
// earlier with [ErrNotRegular] if there is something at path that is no regular
// file, and with [ErrClosed], also after a last read, if the follower is closed.
func (f *Follower) Follow(ctx context.Context, path string, sink Sink) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("follow %q: %w", path, err)
	}
	wake := make(chan struct{}, 1) // several notices are one
	who := place(full, wake)
	if !f.send(followCommand{who}) {
		return f.closed()
	}
	defer f.send(leaveCommand{who})
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(f.life, func() { cancel(f.closed()) })()
	r := NewFile(full, Place{}, sink, &f.buffers)
	defer r.Close()
	if err := r.follow(ctx, wake); err != nil {
		return fmt.Errorf("follow %q: %w", path, err)
	}
	return nil
}

// follow looks at the file whenever it is woken, until ctx ends.
func (f *File) follow(ctx context.Context, wake <-chan struct{}) error {
	retry := time.NewTimer(0) // the first look comes at once
	defer retry.Stop()
	delay := firstRetry
	var notice <-chan struct{} // nil while a retry is awaited
	for {
		select {
		case <-ctx.Done():
			err := f.last()
			if cause := context.Cause(ctx); errors.Is(cause, ErrClosed) {
				err = errors.Join(cause, err)
			}
			return err
		case <-retry.C:
		case <-notice:
		}
		_, err := f.Look(ctx, math.MaxInt64)
		switch {
		case errors.Is(err, ErrNotRegular):
			return err
		case err != nil:
			notice = nil
			retry.Reset(delay)
			delay = min(2*delay, longestRetry)
		default:
			notice, delay = wake, firstRetry
		}
	}
}

// send gives the owner a command; false if there is no owner any more.
func (f *Follower) send(c command) bool {
	select {
	case f.commands <- c:
		return true
	case <-f.done:
		return false
	}
}
