package tree

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// soonBusy has each directory become busy as soon as something is written in it, once.
func soonBusy(tree *Tree) { tree.hot, tree.ear.beats = 1, 1 }

// A directory in which much is written is not watched by notices meanwhile, and nothing of
// what is in it is lost: neither what is written to the same files, nor to others, nor new
// ones. It is watched again once it is calm.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), "old\n")
	write(t, filepath.Join(dir, "b.jsonl"), "old\n")
	mkdir(t, filepath.Join(dir, "other"))
	tree := New(Options{Keep: jsonl, Safety: time.Hour})
	var notifier *fsnotify.Watcher
	tree.create = func() (n *fsnotify.Watcher, err error) {
		notifier, err = fsnotify.NewWatcher()
		return notifier, err
	}
	tree.ear.atOnce = 0
	r := readingOf(t, tree, dir)
	r.awaitText(t, filepath.Join(dir, "a.jsonl"), "old\n")
	r.awaitSettled(t)

	want := "old\n"
	busy := func() bool { return !slices.Contains(notifier.WatchList(), dir) }
	deadline := time.Now().Add(patience)
	for i := 0; !busy(); i++ {
		if time.Now().After(deadline) {
			t.Fatal("it is never busy")
		}
		line := fmt.Sprint(i, "\n")
		add(t, filepath.Join(dir, "a.jsonl"), line)
		want += line
		r.awaitText(t, filepath.Join(dir, "a.jsonl"), want)
	}
	if s := tree.Status(); s.Watched != 2 || s.Reason != "" {
		t.Errorf("while it is busy: %+v", s)
	}
	if !slices.Contains(notifier.WatchList(), filepath.Join(dir, "other")) {
		t.Error("the other directory is not watched")
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() { // it stays busy meanwhile
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(beat / 4):
				add(t, filepath.Join(dir, "a.jsonl"), "more\n")
				want += "more\n"
			}
		}
	}()
	add(t, filepath.Join(dir, "b.jsonl"), "new\n")
	write(t, filepath.Join(dir, "c.jsonl"), "new\n")
	write(t, filepath.Join(dir, "other", "d.jsonl"), "new\n")
	r.awaitText(t, filepath.Join(dir, "b.jsonl"), "old\nnew\n")
	r.awaitText(t, filepath.Join(dir, "c.jsonl"), "new\n")
	r.awaitText(t, filepath.Join(dir, "other", "d.jsonl"), "new\n")

	if !busy() {
		t.Error("it is busy no more")
	}
	close(stop)
	<-stopped
	for deadline = time.Now().Add(patience); busy(); time.Sleep(beat) {
		if time.Now().After(deadline) {
			t.Fatal("it is busy for ever")
		}
	}
	add(t, filepath.Join(dir, "a.jsonl"), "last\n")
	r.awaitText(t, filepath.Join(dir, "a.jsonl"), want+"last\n")
}

// Directories that hold too many names stay watched.
func TestLargeDirectoriesAreNotBusy(t *testing.T) {
	o := newOwner(New(Options{}))
	n, err := fsnotify.NewWatcher()
	check(t, err)
	defer func() { check(t, n.Close()) }()
	o.notifier = n
	for i, c := range []struct {
		names int
		busy  bool
	}{{busyMost + 1, false}, {busyMost - 1, true}, {2, false}, {1, true}} {
		d := &directory{path: filepath.Join(t.TempDir(), fmt.Sprint(i)), watched: true, files: map[string]*file{}}
		for j := range c.names {
			d.files[fmt.Sprint(j)] = &file{}
		}
		for range hot {
			o.beats++
			o.heat(d)
		}
		if o.isBusy(d) != c.busy {
			t.Errorf("with %d names: busy %t", c.names, !c.busy)
		}
	}
}
