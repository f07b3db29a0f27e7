package watcher_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher"
)

// screen is what is shown of the one run of a desk that is open.
type screen struct {
	desk  *desk
	state *run.State
	feeds int
	fresh int // how often it was told from the beginning
}

// now is the state that all feeds so far make; it is called while the desk is locked.
func (x *screen) now() *run.State {
	for ; x.feeds < len(x.desk.feeds); x.feeds++ {
		f := x.desk.feeds[x.feeds]
		if x.state == nil || f.Restarted {
			x.state = &run.State{}
			x.fresh++
		}
		for _, fact := range f.Facts {
			if err := x.state.Apply(fact); err != nil {
				x.desk.tb.Errorf("fact %d: %v", fact.Seq, err)
			}
		}
	}
	if x.state == nil {
		return &run.State{}
	}
	return x.state
}

// until waits until the state fits.
func (x *screen) until(what string, fits func(*run.State) bool) {
	x.desk.tb.Helper()
	x.desk.until(what, func() bool { return fits(x.now()) })
}

func lane(is run.LaneState) func(*run.State) bool {
	return func(s *run.State) bool { return len(s.Lanes) == 1 && s.Lanes[0].State == is }
}

func gone(s *run.State) bool { return s.Phase == run.PhaseEnded && s.ExitWhy == "its file is gone" }

// A session whose file goes while it is open has ended, until the file is there again.
func TestTheFileOfAnOpenSessionGoes(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "p", "one.jsonl")
	put(t, key, asked("one")+said("one", "m1", 10, "end_turn"))
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	d.watcher.Open(key)
	x := &screen{desk: d}
	x.until("that it waits", lane(run.LaneOpen))
	for _, replaced := range []bool{false, true} {
		if err := os.Rename(key, key+".away"); err != nil {
			t.Fatal(err)
		}
		x.until("that its file is gone", gone)
		d.until("that it is listed no more", func() bool { return len(d.runs) == 0 })
		if replaced {
			put(t, key, asked("one"))
			x.until("the new file", lane(run.LaneWorking))
			break
		}
		if err := os.Rename(key+".away", key); err != nil {
			t.Fatal(err)
		}
		x.until("the file again", lane(run.LaneOpen))
	}
	add(t, key, said("one", "m2", 10, "end_turn"))
	x.until("that it goes on", lane(run.LaneOpen))
}

// So has a run of another tool, whose logs count again when it is back.
func TestTheFileOfAnOpenRunGoes(t *testing.T) {
	dir := harness(t)
	key := filepath.Join(dir, "20261201_100000_c0ffee42")
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindHarness}}, Now: recorded, Alive: kept})
	d.complete()
	d.watcher.Open(key)
	x := &screen{desk: d}
	used := run.Usage{}
	x.until("its lanes", func(s *run.State) bool {
		used = d.runs[key].Usage
		return len(s.Lanes) == 4 && s.Usage == used && used.Tokens() > 0
	})
	path := filepath.Join(key, "run.json")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	x.until("that its file is gone", gone)
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	x.until("the run again", func(s *run.State) bool { return len(s.Open) == 3 })
	x.until("what it has used", func(s *run.State) bool { return s.Usage == used && d.runs[key].Usage == used })
}

// A run that is open moves on as time goes by, without a file that says so.
func TestAnOpenSessionMovesWithTime(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "p", "one.jsonl")
	noon := time.Date(2026, 11, 30, 12, 5, 0, 0, time.UTC)
	put(t, key, refused("one"))
	if err := os.Chtimes(key, noon, noon); err != nil {
		t.Fatal(err)
	}
	var later atomic.Int64
	d := sitDown(t, watcher.Options{Roots: claude(dir), Now: func() time.Time { return noon.Add(time.Duration(later.Load())) }})
	d.complete()
	d.watcher.Open(key)
	x := &screen{desk: d}
	x.until("that it is limited", lane(run.LaneParked))
	later.Store(int64(4 * time.Hour))
	x.until("that it counts as ended", func(s *run.State) bool { return s.Phase == run.PhaseEnded })
	if x.fresh != 1 {
		t.Errorf("told anew %d times", x.fresh-1)
	}
}

// What the files of others say of a family is known in a run that is open, and what its
// sub-agents have used is used in it.
func TestAnOpenSessionAmongOthers(t *testing.T) {
	dir := t.TempDir()
	key, other := filepath.Join(dir, "p", "one.jsonl"), filepath.Join(dir, "p", "two.jsonl")
	noon := time.Date(2026, 11, 30, 12, 5, 0, 0, time.UTC)
	put(t, key, askedAt(noon.Add(-10*time.Minute), "one"))
	put(t, other, refused("two"))
	side := strings.Replace(saidAt(noon.Add(-8*time.Minute), "one", "s1", 10000, "end_turn"), `"isSidechain":false`, `"isSidechain":true`, 1)
	put(t, filepath.Join(dir, "p", "one", "subagents", "agent-1.jsonl"), side)
	if err := errors.Join(os.Chtimes(key, noon, noon), os.Chtimes(other, noon, noon)); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir), Now: func() time.Time { return noon }})
	d.complete()
	d.watcher.Open(key)
	x := &screen{desk: d}
	x.until("the suspicion", func(s *run.State) bool { return len(s.Suspicions) == 1 && s.Suspicions[0].Family == "claude" })
	x.until("what it has used", func(s *run.State) bool { return s.Usage.Output == 10000 && d.runs[key].Usage == s.Usage })
}
