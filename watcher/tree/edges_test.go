package tree

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"example.com/layover/watcher/tail"
)

// Nothing but regular files is opened, no directory is entered twice, and what is wrong
// is told once.
func TestWhatIsNotEntered(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, filepath.Join(outside, "x.jsonl"), "outside\n")
	mkdir(t, path("a/b"))
	check(t, syscall.Mkfifo(path("pipe.jsonl"), 0o600))
	check(t, os.Symlink("/dev/zero", path("device.jsonl")))
	check(t, os.Symlink(filepath.Join(outside, "x.jsonl"), path("link.jsonl")))
	check(t, os.Symlink(outside, path("a/outside")))
	check(t, os.Symlink(dir, path("a/b/loop")))
	check(t, os.Symlink("self.jsonl", path("self.jsonl")))
	mkdir(t, path("directory.jsonl"))
	mkdir(t, path("left"))
	write(t, path("left/x.jsonl"), "left\n")
	listener, err := net.Listen("unix", path("s.jsonl"))
	check(t, err)
	defer func() { check(t, listener.Close()) }()
	write(t, path("a/b/x.jsonl"), "inside\n")
	write(t, path("a/b/x.txt"), "not kept\n")
	enter := func(dir string) bool { return filepath.Base(dir) != "left" }
	r := reading(t, Options{Keep: jsonl, Enter: enter, Safety: time.Hour}, dir, path("a/b/loop"))
	r.awaitText(t, path("a/b/x.jsonl"), "inside\n")
	r.awaitSettled(t)
	check(t, syscall.Mkfifo(path("a/pipe.jsonl"), 0o600)) // by notice, too
	check(t, os.Symlink(dir, path("a/loop")))
	write(t, path("a/last.jsonl"), "last\n")
	r.awaitText(t, path("a/last.jsonl"), "last\n")
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.stories) != 2 {
		t.Errorf("%d files were followed", len(r.stories))
	}
	if len(r.failed) != 1 || !errors.Is(r.failed[0].Err, ErrTwice) || r.failed[0].Path != path("a/b/loop") {
		t.Errorf("failed: %v", r.failed)
	}
}

func TestRoots(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	mkdir(t, path("real/deep"))
	check(t, os.Symlink(path("real"), path("link")))
	write(t, path("single.txt"), "single\n")
	write(t, path("other.jsonl"), "nobody asked\n")
	write(t, path("link/deep/x.jsonl"), "x\n")
	quick := Options{Keep: jsonl, Safety: time.Hour, Poll: 10 * time.Millisecond}
	r := reading(t, quick, path("link"), path("single.txt"), path("later/dir"), path("later/file.txt"))
	r.awaitText(t, path("link/deep/x.jsonl"), "x\n")
	r.awaitText(t, path("single.txt"), "single\n")
	r.awaitSettled(t)
	mkdir(t, path("later/dir/below"))
	write(t, path("later/dir/below/y.jsonl"), "y\n")
	write(t, path("later/file.txt"), "file\n")
	r.awaitText(t, path("later/dir/below/y.jsonl"), "y\n")
	r.awaitText(t, path("later/file.txt"), "file\n")
	add(t, path("single.txt"), "more\n")
	add(t, path("later/file.txt"), "more\n")
	r.awaitText(t, path("single.txt"), "single\nmore\n")
	r.awaitText(t, path("later/file.txt"), "file\nmore\n")
	check(t, os.RemoveAll(path("later/dir")))
	r.await(t, "gone", func() bool { return r.gone[path("later/dir/below/y.jsonl")] }, func() string { return "not told" })
	mkdir(t, path("later/dir/below"))
	write(t, path("later/dir/below/y.jsonl"), "new\n")
	r.awaitText(t, path("later/dir/below/y.jsonl"), "y\n", "new\n")
	check(t, os.Remove(path("link")))
	check(t, os.Rename(path("real"), path("gone")))
	mkdir(t, path("real/deep"))
	write(t, path("real/deep/z.jsonl"), "z\n")
	r.tree.Add(path("real"))
	r.awaitText(t, path("real/deep/z.jsonl"), "z\n")
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stories[path("other.jsonl")] != nil {
		t.Error("a file was followed because another one in its directory is a root")
	}
}

// Where directories cannot be watched they are looked at, and the status says why.
func TestWithoutWatches(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		create  func() (*fsnotify.Watcher, error)
		remote  func(string) error
		watched int
		reason  string
	}{
		"a budget": {Options{Watches: 3}, fsnotify.NewWatcher, remote, 3, "no more than 3 directories"},
		"no notifier": {
			Options{},
			func() (*fsnotify.Watcher, error) { return nil, syscall.EMFILE }, remote, 0,
			"gives no notifier: " + syscall.EMFILE.Error(),
		},
		"of what others write there is no notice": {
			Options{},
			deaf,
			func(string) error { return errors.New("it is far away") }, 0, "it is far away",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tree := New(sparing(c.options))
			tree.create, tree.remote = c.create, c.remote
			lookOnly(t, tree, c.watched, c.reason)
		})
	}
}

// deaf makes a notifier by which nothing arrives.
func deaf() (*fsnotify.Watcher, error) {
	w, err := fsnotify.NewWatcher()
	if err == nil {
		w.Events = make(chan fsnotify.Event)
	}
	return w, err
}

func sparing(o Options) Options {
	o.Keep, o.Poll, o.Safety = jsonl, 10*time.Millisecond, time.Hour
	return o
}

// lookOnly checks a tree that can watch only some directories.
func lookOnly(t *testing.T, tree *Tree, watched int, reason string) {
	t.Helper()
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("%d/below/x.jsonl", i)) }
	for i := range 5 {
		mkdir(t, filepath.Dir(path(i)))
		write(t, path(i), "old\n")
	}
	r := readingOf(t, tree, dir)
	for i := range 5 {
		r.awaitText(t, path(i), "old\n")
		add(t, path(i), "new\n")
		r.awaitText(t, path(i), "old\nnew\n")
	}
	mkdir(t, filepath.Dir(path(7)))
	write(t, path(7), "seven\n")
	r.awaitText(t, path(7), "seven\n")
	check(t, os.Rename(filepath.Dir(path(7)), filepath.Join(dir, "3/moved")))
	moved := filepath.Join(dir, "3/moved/x.jsonl")
	add(t, moved, "more\n")
	r.awaitText(t, moved, "seven\nmore\n")
	s := r.tree.Status()
	if s.Watched != watched || s.Polled != s.Directories-s.Watched || !strings.Contains(s.Reason, reason) || strings.Contains(s.Reason, "\n") {
		t.Errorf("status %+v", s)
	}
}

func TestRefused(t *testing.T) {
	o := newOwner(New(Options{}))
	for errno, stops := range map[error]bool{
		syscall.ENOSPC: true, syscall.EMFILE: true, syscall.ENOMEM: true, syscall.EACCES: false, syscall.ENOENT: false,
	} {
		o.full = nil
		if err := o.refused("x", errno); !errors.Is(err, errno) || (o.full != nil) != stops {
			t.Errorf("%v: %v, %v", errno, err, o.full)
		}
	}
}

// Lost notices are made up for.
func TestSafetyLooksAtEverything(t *testing.T) {
	dir := t.TempDir()
	tree := New(Options{Keep: jsonl, Safety: 20 * time.Millisecond})
	tree.create = deaf
	path := filepath.Join(dir, "x.jsonl")
	write(t, path, "old\n")
	r := readingOf(t, tree, dir)
	r.awaitText(t, path, "old\n")
	add(t, path, "new\n")
	mkdir(t, filepath.Join(dir, "a/b"))
	write(t, filepath.Join(dir, "a/b/y.jsonl"), "y\n")
	r.awaitText(t, path, "old\nnew\n")
	r.awaitText(t, filepath.Join(dir, "a/b/y.jsonl"), "y\n")
	check(t, os.Remove(path))
	r.await(t, "gone", func() bool { return r.gone[path] }, func() string { return "not told" })
}

// A place is taken up by a later tree, if the file is the same.
func TestPlaceIsTakenUp(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	names := []string{"same", "grown", "cut", "replaced", "rewritten", "gone"}
	for _, name := range names {
		write(t, path(name), strings.Repeat(name+"\n", 100))
	}
	first := reading(t, Options{}, dir)
	for _, name := range names {
		first.awaitText(t, path(name), strings.Repeat(name+"\n", 100))
	}
	check(t, first.stop())
	add(t, path("grown"), "new\n")
	check(t, os.Truncate(path("cut"), 10))
	write(t, path("next"), strings.Repeat("replaced\n", 200))
	check(t, os.Rename(path("next"), path("replaced")))
	write(t, path("rewritten"), strings.Repeat("other\n", 300))
	check(t, os.Remove(path("gone")))
	second := &later{first: first, read: map[string]tail.Place{}, stories: map[string]*story{}}
	second.run(t, dir, len(names)-1)
	for name, want := range map[string][]string{
		"same":  {""},
		"grown": {"new\n"},
		"cut":   {"", strings.Repeat("cut\n", 100)[:10]},
		// What was delivered before the Restart was so by the tree before.
		"replaced":  {"", strings.Repeat("replaced\n", 200)},
		"rewritten": {"", strings.Repeat("other\n", 300)},
	} {
		if got := second.stories[path(name)].told(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: told %q, want %q", name, short(got), short(want))
		}
	}
}
