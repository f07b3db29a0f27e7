package tree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// burst is many lines in a few files, then one in each of many others.
type burst struct{ busy, lines, others int }

// TestBursts writes faster than anybody reads.
func TestBursts(t *testing.T) {
	for name, c := range map[string]struct {
		burst
		stall time.Duration
	}{
		"30,000 lines in 100 files, then one in each of 9,900":                      {burst{100, 30_000, 9_900}, 0},
		"30,000 lines in 100 files, then one in each of 9,900, to one who is stuck": {burst{100, 30_000, 9_900}, time.Second},
		"100,000 lines in 100 files":                                                {burst{100, 100_000, 0}, 0},
	} {
		t.Run(name, func(t *testing.T) { c.play(t, c.stall) })
	}
}

func (b burst) play(t *testing.T, stall time.Duration) {
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("d%d/%d.jsonl", i%100, i)) }
	for i := range 100 {
		mkdir(t, filepath.Dir(path(i)))
	}
	for i := range b.busy + b.others {
		write(t, path(i), "")
	}
	r := reading(t, Options{Keep: jsonl, Safety: time.Hour}, dir)
	r.await(t, "followed", func() bool { return len(r.places) == b.busy+b.others }, func() string { return fmt.Sprint(len(r.places)) })
	var once sync.Once
	r.mu.Lock()
	r.stall = func() { once.Do(func() { time.Sleep(stall) }) } // the case is that it is stuck
	r.mu.Unlock()
	want := make([]strings.Builder, b.busy)
	var files []*os.File
	for i := range b.busy {
		f, err := os.OpenFile(path(i), os.O_WRONLY|os.O_APPEND, 0)
		check(t, err)
		defer func() { check(t, f.Close()) }()
		files = append(files, f)
	}
	for i := range b.lines {
		line := fmt.Sprintf("{\"line\":%d}\n", i)
		_, err := files[i%b.busy].WriteString(line)
		check(t, err)
		want[i%b.busy].WriteString(line)
	}
	for i := range b.others {
		add(t, path(b.busy+i), "one\n")
	}
	for i := range want {
		r.awaitText(t, path(i), want[i].String())
	}
	for i := range b.others {
		r.awaitText(t, path(b.busy+i), "one\n")
	}
	t.Logf("%+v", r.tree.Status())
}

// TestOverflow stops the notifier from being read until the system's queue is full.
func TestOverflow(t *testing.T) {
	most := queueLength(t)
	dir := t.TempDir()
	for i := range 50 {
		mkdir(t, filepath.Join(dir, fmt.Sprint(i)))
		write(t, filepath.Join(dir, fmt.Sprint(i), "x.jsonl"), "old\n")
	}
	r := reading(t, Options{Keep: jsonl, Safety: time.Hour}, dir)
	for i := range 50 {
		r.awaitText(t, filepath.Join(dir, fmt.Sprint(i), "x.jsonl"), "old\n")
	}
	r.tree.ear.mu.Lock() // nobody listens
	for i := range most {
		for _, name := range []string{"a", "b"} {
			path := filepath.Join(dir, fmt.Sprint(i%50), name)
			check(t, os.WriteFile(path, nil, 0o600))
			check(t, os.Remove(path))
		}
	}
	for i := range 50 {
		add(t, filepath.Join(dir, fmt.Sprint(i), "x.jsonl"), "new\n")
	}
	mkdir(t, filepath.Join(dir, "late/later"))
	write(t, filepath.Join(dir, "late/later/x.jsonl"), "late\n")
	check(t, os.RemoveAll(filepath.Join(dir, "7")))
	check(t, os.Rename(filepath.Join(dir, "8"), filepath.Join(dir, "moved")))
	r.tree.ear.mu.Unlock()
	for i := range 50 {
		if i != 7 && i != 8 {
			r.awaitText(t, filepath.Join(dir, fmt.Sprint(i), "x.jsonl"), "old\nnew\n")
		}
	}
	r.awaitText(t, filepath.Join(dir, "moved/x.jsonl"), "old\nnew\n")
	r.awaitText(t, filepath.Join(dir, "late/later/x.jsonl"), "late\n")
	r.await(t, "gone", func() bool { return r.gone[filepath.Join(dir, "7/x.jsonl")] }, func() string { return "not told" })
	if got := r.tree.Status().Overflows; got == 0 {
		t.Error("no overflow")
	}
	add(t, filepath.Join(dir, "late/later/x.jsonl"), "more\n") // is watched
	r.awaitText(t, filepath.Join(dir, "late/later/x.jsonl"), "late\nmore\n")
}

// queueLength is how many notices the system keeps.
func queueLength(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil {
		return 1 << 14
	}
	var n int
	_, err = fmt.Sscan(string(data), &n)
	check(t, err)
	return n
}
