package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/layover/watcher/tail"
)

// later follows what it finds from the places that another reader has reached.
type later struct {
	first   *reader
	read    map[string]tail.Place
	stories map[string]*story
}

func (l *later) run(t *testing.T, dir string, files int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tree := New(Options{})
	tree.Add(dir)
	check(t, tree.Run(ctx, func(b Batch) {
		for _, f := range b.Found {
			l.stories[f.Path] = &story{path: f.Path}
			tree.Follow(f.Path, l.first.places[f.Path], l.stories[f.Path], true)
		}
		for _, r := range b.Read {
			l.read[r.Path] = r.Place
		}
		if len(l.read) == files {
			cancel()
		}
	}))
	if len(l.read) != files {
		t.Fatalf("%d files were read", len(l.read))
	}
}

// sequence is a sink that takes down whose turn it is.
type sequence struct {
	name  byte
	turns chan<- byte
}

func (s sequence) Restart()     {}
func (s sequence) Bytes([]byte) { s.turns <- s.name }

// What is live is read while a huge file is, and first reads keep their order.
func TestLiveGoesBeforeFirstReads(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"A", "B", "C"} {
		check(t, os.WriteFile(path(name), nil, 0o600))
		check(t, os.Truncate(path(name), 3*slice+1)) // takes no room
	}
	write(t, path("l"), "old\n")
	turns := make(chan byte)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tree := New(Options{Workers: 1})
	tree.Add(dir)
	ended := make(chan error, 1)
	go func() {
		ended <- tree.Run(ctx, func(b Batch) {
			if len(b.Found) == 4 {
				for _, name := range []string{"A", "B", "C"} {
					tree.Follow(path(name), tail.Place{}, sequence{name[0], turns}, true)
				}
				tree.Follow(path("l"), tail.Place{}, sequence{'l', turns}, false)
			}
		})
	}()
	next := func() byte {
		select {
		case c := <-turns:
			return c
		case <-time.After(patience):
			t.Fatal("nothing is read")
			return 0
		}
	}
	var seen []byte
	chunks := 3 * (3*slice/tail.MaxChunk + 1)
	live, wrote, since := 0, 0, 0
	for len(seen) < chunks {
		c := next()
		if c == 'l' {
			live++
			since = 0
			if wrote < 20 { // and as soon as it is read there is more
				add(t, path("l"), "more\n")
				wrote++
			}
			continue
		}
		seen = append(seen, c)
		if since++; live <= 20 && since > 2*chunks/3 {
			t.Fatalf("the live file waits: %d chunks", since)
		}
	}
	if live < 10 {
		t.Errorf("the live file was read %d times", live)
	}
	if want := strings.Repeat("A", chunks/3) + strings.Repeat("B", chunks/3) + strings.Repeat("C", chunks/3); string(seen) != want {
		t.Errorf("first reads: %s", runs(seen))
	}
	cancel()
	go func() {
		for range turns { // what is under way
		}
	}()
	check(t, <-ended)
	close(turns)
}

// runs shortens what repeats.
func runs(p []byte) string {
	var b strings.Builder
	for len(p) > 0 {
		n := len(p) - len(bytes.TrimLeft(p, string(p[:1])))
		fmt.Fprintf(&b, "%c%d ", p[0], n)
		p = p[n:]
	}
	return b.String()
}

// A file that is left is told of as found.
func TestLeave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.jsonl")
	write(t, path, "old\n")
	found := make(chan Found, 100) // more than come
	left := make(chan tail.Place, 1)
	tree := New(Options{Keep: jsonl})
	tree.Add(dir)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	once := false
	go func() {
		ended <- tree.Run(ctx, func(b Batch) {
			for _, f := range b.Found {
				found <- f
				if !once {
					once = true
					tree.Follow(path, tail.Place{}, &story{}, false)
				}
			}
			for _, r := range b.Read {
				left <- r.Place
				tree.Leave(path)
			}
		})
	}()
	wait := func(size int64) Found {
		t.Helper()
		for {
			select {
			case f := <-found:
				if f.Size == size {
					return f
				}
			case <-time.After(patience):
				t.Fatalf("not found with %d bytes", size)
			}
		}
	}
	first := wait(4)
	place := <-left
	add(t, path, "more\n")
	second := wait(9)
	if first.ID != second.ID || place.Identity != first.ID || place.Offset != 4 || second.Was != "" {
		t.Errorf("found %+v, then %+v, left at %+v", first, second, place)
	}
	cancel()
	check(t, <-ended)
	if s := tree.Status(); s.Followed != 0 || s.Files != 1 {
		t.Errorf("status %+v", s)
	}
}

type bomb struct{}

func (bomb) Restart()     {}
func (bomb) Bytes([]byte) { panic("boom") }

func TestASinkThatPanicsEndsTheRun(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x"), "x")
	tree := New(Options{})
	tree.Add(dir)
	err := tree.Run(t.Context(), func(b Batch) {
		for _, f := range b.Found {
			tree.Follow(f.Path, tail.Place{}, bomb{}, false)
		}
	})
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("ended with %v", err)
	}
}

// A file that cannot be read is told of once, and read once it can be.
func TestUnreadableFileIsTriedAgain(t *testing.T) {
	dir := t.TempDir()
	var errs, reads atomic.Int64
	tree := New(Options{})
	tree.Add(dir)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	path := filepath.Join(dir, "x")
	var sink story
	check(t, os.Symlink("x", path)) // cannot be opened
	tree.Follow(path, tail.Place{}, &sink, false)
	check(t, tree.Run(ctx, func(b Batch) {
		for _, r := range b.Read {
			switch {
			case errors.Is(r.Err, syscall.ELOOP):
				if errs.Add(1); errs.Load() == 1 {
					check(t, os.Remove(path))
					write(t, path, "text")
				}
			case r.Bytes > 0:
				reads.Add(1)
				cancel()
			}
		}
	}))
	if errs.Load() != 1 || reads.Load() != 1 || string(sink.now) != "text" {
		t.Errorf("%d errors, %d reads, %q", errs.Load(), reads.Load(), sink.now)
	}
}
