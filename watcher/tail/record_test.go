package tail

import (
	"bytes"
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

// patience bounds how long a test waits for what must come.
const patience = time.Minute

// record is a sink that keeps everything; a generation ends with Restart.
type record struct {
	mu      sync.Mutex
	past    []string // generations that have ended
	now     bytes.Buffer
	largest int
	changed chan struct{} // capacity 1
}

func newRecord() *record { return &record{changed: make(chan struct{}, 1)} }

func (r *record) Bytes(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.Write(p)
	r.largest = max(r.largest, len(p))
	r.note()
}

func (r *record) Restart() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.past = append(r.past, r.now.String())
	r.now.Reset()
	r.note()
}

func (r *record) note() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// generations gives what was delivered, the current generation last.
func (r *record) generations() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append(append([]string{}, r.past...), r.now.String())
}

// await waits until exactly these generations were delivered.
func (r *record) await(t *testing.T, want ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		got := r.generations()
		if cmp.Equal(want, got) {
			return
		}
		select {
		case <-r.changed:
		case <-ctx.Done():
			t.Fatal(cmp.Diff(want, r.generations()))
		}
	}
}

// following runs Follow; stop ends it and gives its error.
func following(t *testing.T, f *Follower, path string) (r *record, stop func() error) {
	t.Helper()
	r = newRecord()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Follow(ctx, path, r) }()
	return r, func() error {
		cancel()
		return <-ended
	}
}

// never keeps a follower from looking where no notice told it to.
const never = time.Hour

// soon lets it look often.
const soon = 20 * time.Millisecond

func newTest(t *testing.T, safety time.Duration) *Follower {
	f := newFollower(fsnotify.NewWatcher, safety)
	t.Cleanup(f.Close)
	return f
}

// deaf gives a notifier whose notices never arrive, and its errors to write to.
func deaf(t *testing.T) (create func() (*fsnotify.Watcher, error), errs chan<- error) {
	t.Helper()
	n, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	n.Events = make(chan fsnotify.Event)
	return func() (*fsnotify.Watcher, error) { return n, nil }, n.Errors
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// check is for calls that must not fail.
func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
