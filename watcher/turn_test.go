package watcher_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher"
)

// A session that falls silent is no more at work, though no file tells that.
func TestASessionFallsSilent(t *testing.T) {
	dir := t.TempDir()
	var keys []string
	for n, left := range []time.Duration{1500 * time.Millisecond, 20 * time.Minute} {
		key := filepath.Join(dir, "p", fmt.Sprintf("s%d.jsonl", n))
		then := time.Now().Add(left - run.SilentWork)
		put(t, key, saidAt(then, "s", fmt.Sprint("m", n), 1, ""))
		if err := os.Chtimes(key, then, then); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	d.until("one at work", func() bool { return len(d.fams) == 1 && d.fams[0].Working == 1 })
	d.mu.Lock()
	defer d.mu.Unlock()
	for n, want := range []run.Standing{run.StandingSilent, run.StandingWorking} {
		if got := d.runs[keys[n]].Standing(time.Now()); got != want {
			t.Errorf("session %d is %s, want %s", n, got, want)
		}
	}
}

// Families are told again once a window of theirs is over, which no file tells.
func TestAWindowIsOver(t *testing.T) {
	until := time.Now().Add(1500 * time.Millisecond)
	d := sitDown(t, watcher.Options{Roots: claude(t.TempDir()), Windows: func() ([]run.Window, error) {
		return []run.Window{{WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLimit}, Until: until}}, nil
	}})
	d.complete()
	d.mu.Lock()
	before := d.told
	d.mu.Unlock()
	d.until("that it is over", func() bool { return d.told > before && len(d.last.Families) == 1 })
}

// What somebody has named and is not there is told in a note, until it comes.
func TestWhatIsNotThereYet(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "sessions")
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: path, Kind: watcher.KindAny}}, Named: []string{dir, path}})
	d.complete()
	note := path + " is not there yet"
	d.until("a note", func() bool { return slices.Equal(d.last.Notes, []string{note}) })
	put(t, filepath.Join(path, "one.jsonl"), asked("one"))
	d.until("the session", func() bool { return len(d.runs) == 1 && !strings.Contains(fmt.Sprint(d.last.Notes), note) })
}
