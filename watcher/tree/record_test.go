package tree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/layover/watcher/tail"
)

// patience bounds how long a test waits for what must come.
const patience = 20 * time.Second

// story is what a file at one path has told: a generation ends with Restart.
type story struct {
	path string
	busy atomic.Bool // a method is at work
	mu   sync.Mutex
	past []string
	now  []byte
}

func (s *story) Bytes(p []byte) {
	defer s.enter()()
	s.now = append(s.now, p...)
}

func (s *story) Restart() {
	defer s.enter()()
	s.past = append(s.past, string(s.now))
	s.now = nil
}

func (s *story) enter() (leave func()) {
	if s.busy.Swap(true) {
		panic("the sink of " + s.path + " is used twice at a time")
	}
	s.mu.Lock()
	return func() {
		s.mu.Unlock()
		s.busy.Store(false)
	}
}

// told gives the generations, the last not ended.
func (s *story) told() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(append([]string{}, s.past...), string(s.now))
}

// reader follows every file that is found, as the watcher does, and takes what is
// followed under another name with it.
type reader struct {
	tree    *Tree
	stop    func() error
	mu      sync.Mutex
	stories map[string]*story // by path
	places  map[string]tail.Place
	gone    map[string]bool
	failed  []Failed
	settled bool
	bytes   int64         // given to sinks
	news    chan struct{} // capacity 1
	stall   func()        // called in every tell
}

func newReader(tree *Tree) *reader {
	return &reader{
		tree: tree, stories: map[string]*story{}, places: map[string]tail.Place{}, gone: map[string]bool{},
		news: make(chan struct{}, 1), stall: func() {},
	}
}

func reading(t *testing.T, options Options, roots ...string) *reader {
	t.Helper()
	return readingOf(t, New(options), roots...)
}

func readingOf(t *testing.T, tree *Tree, roots ...string) *reader {
	t.Helper()
	r := newReader(tree)
	for _, root := range roots {
		tree.Add(root)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- tree.Run(ctx, r.tell) }()
	var once sync.Once
	var err error
	r.stop = func() error {
		once.Do(func() {
			cancel()
			err = <-ended
		})
		return err
	}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *reader) tell(b Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stall()
	for _, read := range b.Read {
		r.places[read.Path] = read.Place
		r.bytes += read.Bytes
		delete(r.gone, read.Path)
	}
	for _, f := range b.Found {
		delete(r.gone, f.Path)
		s, from := &story{path: f.Path}, tail.Place{}
		if was := r.stories[f.Was]; was != nil {
			if s.now = []byte(was.upTo(f.Place, r.places[f.Was])); len(s.now) > 0 {
				from = f.Place
			}
		}
		r.stories[f.Path] = s
		r.tree.Follow(f.Path, from, s, false)
	}
	for _, path := range b.Gone {
		r.gone[path] = true
	}
	r.failed = append(r.failed, b.Failed...)
	r.settled = r.settled || b.Settled
	nudge(r.news)
}

// upTo is what was told of the file with a place, as far as that.
func (s *story) upTo(p, now tail.Place) string {
	told := s.told()
	if p.Identity != now.Identity {
		told = told[:len(told)-1]
	}
	for _, g := range slices.Backward(told) {
		if int64(len(g)) == p.Offset {
			return g
		}
	}
	return ""
}

// await waits until something holds, which is asked with nothing going on.
func (r *reader) await(t *testing.T, what string, holds func() bool, why func() string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		r.mu.Lock()
		done := holds()
		r.mu.Unlock()
		if done {
			return
		}
		select {
		case <-r.news:
		case <-ctx.Done():
			r.mu.Lock()
			defer r.mu.Unlock()
			t.Fatalf("%s: %s\nstatus %+v", what, why(), r.tree.Status())
		}
	}
}

// awaitSettled waits for the end of the first scan.
func (r *reader) awaitSettled(t *testing.T) {
	t.Helper()
	r.await(t, "settled", func() bool { return r.settled }, func() string { return "never" })
}

// awaitText waits until exactly these generations were told of a path, the last not
// ended.
func (r *reader) awaitText(t *testing.T, path string, want ...string) {
	t.Helper()
	r.await(t, path, func() bool { return slices.Equal(want, r.stories[path].told()) }, func() string {
		return fmt.Sprintf("told %q, want %q", short(r.stories[path].told()), short(want))
	})
}

// awaitOnce checks that no byte was read twice.
func (r *reader) awaitOnce(t *testing.T, want string) {
	t.Helper()
	r.await(t, "bytes", func() bool { return r.bytes >= int64(len(want)) }, func() string { return fmt.Sprint(r.bytes) })
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bytes != int64(len(want)) {
		t.Errorf("%d bytes were read, of %d", r.bytes, len(want))
	}
}

// short is what of generations a person can read.
func short(generations []string) []string {
	var short []string
	for _, g := range generations {
		if len(g) > 200 {
			g = fmt.Sprintf("%s ... %s (%d bytes)", g[:50], g[len(g)-50:], len(g))
		}
		short = append(short, g)
	}
	return short
}

func write(t testing.TB, path, text string) {
	t.Helper()
	check(t, os.WriteFile(path, []byte(text), 0o600))
}

func add(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	check(t, err)
	_, err = f.WriteString(text)
	check(t, err)
	check(t, f.Close())
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	check(t, os.MkdirAll(path, 0o700))
}

// check is for calls that must not fail.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// numbered gives lines that differ.
func numbered(from, to int) string {
	var b []byte
	for i := from; i < to; i++ {
		b = fmt.Appendf(b, "{\"line\":%d}\n", i)
	}
	return string(b)
}

func jsonl(path string) bool { return filepath.Ext(path) == ".jsonl" }
