package watcher_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher"
	"github.com/google/go-cmp/cmp"
)

// A later watcher tells the same as the first, and as one that knows nothing, of what is
// new as well.
func TestCheckpoint(t *testing.T) {
	roots, _ := sessions(t, 8<<20, 12)
	kept := filepath.Join(t.TempDir(), "made", "checkpoint")
	look := func(checkpoint string) (map[string]run.Watched, run.Changes) {
		d := sitDown(t, watcher.Options{Roots: roots, Checkpoint: checkpoint})
		d.complete()
		d.end()
		return d.runs, d.last
	}
	same := func(name string, checkpoint string) int64 {
		t.Helper()
		fresh, all := look("")
		runs, last := look(checkpoint)
		if diff := cmp.Diff(fresh, runs); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(all.Usage, last.Usage); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		return last.Reading.Total
	}
	if n := same("the first", kept); n < 7<<20 {
		t.Errorf("%d bytes were read at first", n)
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the checkpoint is %v, %v", info, err)
	}
	if n := same("nothing new", kept); n != 0 {
		t.Errorf("%d bytes were read though nothing is new", n)
	}
	files, err := filepath.Glob(filepath.Join(roots[0].Path, "*", "*.jsonl"))
	if err != nil || len(files) < 4 {
		t.Fatal(err, files)
	}
	more := said("x", "new", 7, "") + asked("x")
	add(t, files[0], more)
	if n := same("one line more", kept); n != int64(len(more)) {
		t.Errorf("%d bytes were read, and %d are new", n, len(more))
	}
	add(t, files[1], said("x", "torn", 7, "end_turn")[:150])
	same("a line that is torn", kept)
	add(t, files[1], said("x", "torn", 7, "end_turn")[150:])
	same("its other half", kept)
	put(t, files[2], more)
	same("another file in the place of one", kept)
	if err := os.Remove(files[3]); err != nil {
		t.Fatal(err)
	}
	same("one file less", kept)
	for name, spoil := range map[string]func(b []byte) []byte{
		"empty": func([]byte) []byte { return nil },
		"torn":  func(b []byte) []byte { return b[:len(b)/2] },
		"other": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
	} {
		b, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		put(t, kept, string(spoil(b)))
		same("the checkpoint is "+name, kept)
	}
}

// A watcher that ends within a line, or within a first read, keeps nothing that a later
// one takes for read.
func TestCheckpointOfWhatWasNotReadToItsEnd(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(t.TempDir(), "checkpoint")
	key := filepath.Join(dir, "p", "one.jsonl")
	d := sitDown(t, watcher.Options{Roots: claude(dir), Checkpoint: kept})
	d.complete()
	half := said("one", "m2", 500, "end_turn")
	put(t, key, said("one", "m1", 1000, "")+half[:40])
	d.until("the first message", func() bool { return d.last.Usage.Output == 1000 })
	d.end()
	for _, want := range []int64{1000, 1000, 1500} {
		if want == 1500 {
			add(t, key, half[40:])
		}
		d := sitDown(t, watcher.Options{Roots: claude(dir), Checkpoint: kept, Once: true})
		d.complete()
		d.end()
		if got := d.last.Usage.Output; got != want {
			t.Errorf("they have used %d, want %d", got, want)
		}
	}
}

// What a file told that is not there any more counts no more, unless another one tells it
// too; nothing of it stays in the checkpoint.
func TestCheckpointOfFilesThatAreGone(t *testing.T) {
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "checkpoint")
	first, second := filepath.Join(dir, "p", "one.jsonl"), filepath.Join(dir, "p", "two.jsonl")
	put(t, first, said("one", "both", 10, "")+said("one", "alone", 100, "end_turn"))
	for _, c := range []struct {
		change func()
		want   int64
	}{
		{func() { put(t, second, said("two", "both", 10, "end_turn")) }, 110},
		{func() {
			if err := os.Remove(first); err != nil {
				t.Fatal(err)
			}
		}, 10},
		{func() { add(t, second, said("two", "more", 1, "end_turn")) }, 11},
	} {
		c.change()
		d := sitDown(t, watcher.Options{Roots: claude(dir), Checkpoint: kept, Once: true})
		d.complete()
		d.end()
		if got := d.last.Usage.Output; got != c.want {
			t.Errorf("they have used %d, want %d", got, c.want)
		}
	}
	if text, err := os.ReadFile(kept); err != nil || bytes.Contains(text, []byte("one.jsonl")) || !bytes.Contains(text, []byte("two.jsonl")) {
		t.Errorf("%d bytes are kept, %v", len(text), err)
	}
}

// Checkpoints that nobody has written for long are removed, and nothing else.
func TestOldCheckpointsAreRemoved(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, "p", "one.jsonl"), said("one", "m", 10, ""))
	old := time.Now().Add(-31 * 24 * time.Hour)
	for _, name := range []string{"watch-old", "watch-old.123", "watch-young", "other"} {
		put(t, filepath.Join(cache, name), "")
		if name != "watch-young" {
			if err := os.Chtimes(filepath.Join(cache, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir), Checkpoint: filepath.Join(cache, "watch-this"), Once: true})
	d.complete()
	d.end()
	entries, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"other", "watch-this", "watch-young"}, left); diff != "" {
		t.Error(diff)
	}
}

// What cannot be kept is an error of its own, at the end, and read as ever.
func TestCheckpointThatCannotBeWritten(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, "p", "one.jsonl"), said("one", "m", 10, ""))
	put(t, filepath.Join(cache, "file"), "")
	put(t, filepath.Join(cache, "taken", "checkpoint", "x"), "")
	for _, path := range []string{"file/checkpoint", "taken/checkpoint", "fine/checkpoint"} {
		d := sitDown(t, watcher.Options{Roots: claude(dir), Checkpoint: filepath.Join(cache, path), Once: true})
		d.complete()
		d.end()
		if got := d.last.Usage.Output; got != 10 || (d.unkept == nil) != strings.HasPrefix(path, "fine") {
			t.Errorf("%s: %d tokens, ended with %v", path, got, d.unkept)
		}
	}
	if left, err := filepath.Glob(filepath.Join(cache, "taken", "*.*")); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
}

// Watchers of the same roots at the same time keep each a whole checkpoint, and none loses
// anything.
func TestCheckpointOfManyWatchers(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	kept := filepath.Join(cache, "checkpoint")
	for n := range 20 {
		put(t, filepath.Join(dir, "p", fmt.Sprint("s", n, ".jsonl")), said("s", fmt.Sprint("m", n), 10, ""))
	}
	want := int64(200)
	for round := range 5 {
		var all []*desk
		for range 4 {
			all = append(all, sitDown(t, watcher.Options{Roots: claude(dir), Checkpoint: kept}))
		}
		add(t, filepath.Join(dir, "p", fmt.Sprint("s", round, ".jsonl")), said("s", fmt.Sprint("r", round), 1, ""))
		want++
		var ended sync.WaitGroup
		for _, d := range all {
			d.until("all messages", func() bool { return d.last.Complete && d.last.Usage.Output == want })
			ended.Go(d.end)
		}
		ended.Wait()
		for n, d := range all {
			if d.unkept != nil {
				t.Errorf("round %d, watcher %d: %v", round, n, d.unkept)
			}
		}
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir), Checkpoint: kept, Once: true})
	d.complete()
	d.end()
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 1 || d.last.Usage.Output != want {
		t.Errorf("%d tokens, want %d; %d files in the cache, %v", d.last.Usage.Output, want, len(entries), err)
	}
}
