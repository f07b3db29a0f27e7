package tree

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"example.com/layover/watcher/tail"
)

// ErrTwice is matched by the error of a directory that is watched under another name
// already, as with a loop; it is not entered.
var ErrTwice = errors.New("directory is watched under another name")

// Options choose what is watched and at what cost. The zero value watches all.
type Options struct {
	// Enter tells whether a directory found below a root is watched, with all in it;
	// nil enters all. It is called by the goroutine of Run.
	Enter func(dir string) bool
	// Keep tells whether a file is told of; nil keeps all. Roots that are files are
	// always kept. It is called by the goroutine of Run.
	Keep func(path string) bool
	// Watches is how many directories are watched by notices at most; 0 leaves it to
	// the system.
	Watches int
	// Poll is how often what cannot be watched, or is missing, is looked at; 0 is 1 s.
	Poll time.Duration
	// Safety is how often everything is looked at though no notice came; 0 is 5 min.
	Safety time.Duration
	// Once is for one look at all there is: nothing is watched by notices or looked at
	// again.
	Once bool
	// Workers is how many goroutines read, at least 2; 0 is GOMAXPROCS.
	Workers int
}

// Found is a kept file that is new, or has changed while it is not followed.
type Found struct {
	Path     string
	ID       tail.Identity
	Size     int64 // bytes
	Modified time.Time
	// Was is the path at which the file was followed before it got this one, and Place
	// how far it was read there; nothing more of it will be read at Was. Empty and zero
	// if it was not.
	Was   string
	Place tail.Place
}

// Read tells of a look at a followed file that showed something: bytes, a Restart, an
// error or the end of one, or the end of the first look.
type Read struct {
	Path  string
	Place tail.Place // reached
	Bytes int64      // how many the sink was given
	// More says that the look ended before the file did, and will go on.
	More bool
	// Err is why the file cannot be read, told once; it is tried again.
	Err error
}

// Failed is a directory that cannot be read, or is not entered for its error.
type Failed struct {
	Path string
	Err  error
}

// Batch is what has happened since the one before. What it says of one file is to be
// taken in the order of the fields.
type Batch struct {
	Read  []Read
	Found []Found
	// Gone are kept files that are no more at their path. One that is followed stays so:
	// if there is a file again it is read, after a Restart.
	Gone   []string
	Failed []Failed
	// Settled says that all roots have been read once.
	Settled bool
}

func (b *Batch) empty() bool {
	return len(b.Read)+len(b.Found)+len(b.Gone)+len(b.Failed) == 0
}

// Status is how well files are watched. The zero value is that of an idle tree.
type Status struct {
	// Directories is how many are known; Watched of them by notices alone. Polled are the
	// others, and the roots that are missing.
	Directories, Watched, Polled int
	// Files is how many are kept, Followed how many are followed.
	Files, Followed int
	// Overflows counts how often notices were, or may have been, lost.
	Overflows int
	// Reason is why a directory is polled, in one line; empty if none is.
	Reason string
}

// Tree keeps up with files. Its methods may be called from any goroutine, also by what
// Run calls; they only ask, and do not wait. Only [New] makes one.
type Tree struct {
	options Options
	create  func() (*fsnotify.Watcher, error)
	remote  func(dir string) error
	ear     *ear
	hot     int

	mu     sync.Mutex
	asked  []command
	status Status
	wake   chan struct{} // capacity 1: something was asked for, or heard
}

// New makes a tree without roots. Nothing happens before Run.
func New(o Options) *Tree {
	if o.Enter == nil {
		o.Enter = func(string) bool { return true }
	}
	if o.Keep == nil {
		o.Keep = func(string) bool { return true }
	}
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Safety <= 0 {
		o.Safety = 5 * time.Minute
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = max(o.Workers, 2) // one is kept for what is live
	wake := make(chan struct{}, 1)
	return &Tree{options: o, create: fsnotify.NewWatcher, remote: remote, ear: newEar(wake), hot: hot, wake: wake}
}

// Run keeps up with the files until ctx ends, and tells what happens. It blocks, calls
// tell from its own goroutine, one call at a time, and is run once. Between the end of a
// look at a file and the return of the tell that brings its Read, the sink is not used.
// The error says that a sink panicked; it is nil if ctx has ended.
func (t *Tree) Run(ctx context.Context, tell func(Batch)) error {
	return newOwner(t).run(ctx, tell)
}

// Add adds a root, a directory or a file. It may be missing and appear later; it may be
// a link. A file that is given by a link is told of by its own path.
func (t *Tree) Add(root string) { t.ask(addCommand{absolute(root)}) }

// Follow has the file at a path read, from a place on and as it grows. A file of which
// the place is not is read anew, after a Restart. First is for what is not urgent: it is
// read behind all that is live, in the order asked for, and counts as live once it has
// been read to its end. A path that is followed already is followed anew.
func (t *Tree) Follow(path string, from tail.Place, sink tail.Sink, first bool) {
	t.ask(followCommand{path: absolute(path), from: from, sink: sink, first: first})
}

// Leave ends a follow: what changes is told of as Found again. The sink may still be
// used until the next tell has returned.
func (t *Tree) Leave(path string) { t.ask(leaveCommand{absolute(path)}) }

// Status tells how well files were watched when the last batch was made.
func (t *Tree) Status() Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status
}

// command is what the owner is asked for.
type command interface{ command() }

type (
	addCommand    struct{ root string }
	followCommand struct {
		path  string
		from  tail.Place
		sink  tail.Sink
		first bool
	}
	leaveCommand struct{ path string }
)

func (addCommand) command()    {}
func (followCommand) command() {}
func (leaveCommand) command()  {}

func (t *Tree) ask(c command) {
	t.mu.Lock()
	t.asked = append(t.asked, c)
	t.mu.Unlock()
	nudge(t.wake)
}

func (t *Tree) take() []command {
	t.mu.Lock()
	defer t.mu.Unlock()
	asked := t.asked
	t.asked = nil
	return asked
}

// nudge wakes a goroutine; several nudges are one.
func nudge(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// absolute leaves a path as it is if there is no working directory to begin it with.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return filepath.Clean(path)
}
