package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

func seqOf(t *testing.T, j *journal.Journal) uint64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(j.Dir(), journal.RunFile))
	if err != nil {
		t.Fatal(err)
	}
	f, err := runfile.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return f.Layover.Seq
}

func TestExportAtMostOnceASecond(t *testing.T) {
	j := create(t, t.TempDir())
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	steps := []struct {
		name  string
		seq   uint64
		after time.Duration
		force bool
		want  uint64
	}{
		{"first", 1, 0, false, 1},
		{"too soon", 2, 999 * time.Millisecond, false, 1},
		{"forced", 3, 999 * time.Millisecond, true, 3},
		{"too soon after the forced one", 4, 1900 * time.Millisecond, false, 3},
		{"a second later", 5, 2 * time.Second, false, 5},
		{"clock set back", 6, -time.Hour, false, 6},
	}
	for _, step := range steps {
		if err := j.Export(&run.State{Seq: step.seq}, start.Add(step.after), step.force); err != nil {
			t.Fatal(err)
		}
		if got := seqOf(t, j); got != step.want {
			t.Errorf("%s: run.json is of fact %d, want %d", step.name, got, step.want)
		}
	}
}

func TestExportOnlyWhatChanged(t *testing.T) {
	j := create(t, t.TempDir())
	path := filepath.Join(j.Dir(), journal.RunFile)
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	export := func(force bool) os.FileInfo {
		t.Helper()
		now = now.Add(time.Minute)
		if err := j.Export(&run.State{Seq: 7}, now, force); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := export(false)
	if !os.SameFile(first, export(false)) {
		t.Error("the same state was written again")
	}
	if os.SameFile(first, export(true)) {
		t.Error("force did not write")
	}
	j.Identify("4711")
	export(false)
	if data, _ := os.ReadFile(path); !bytes.Contains(data, []byte(`"parent_starttime":4711`)) {
		t.Errorf("no start time in %s", data)
	}
}

func TestExportTriesAgainAfterAnError(t *testing.T) {
	j := create(t, t.TempDir())
	mkdir(t, filepath.Join(j.Dir(), journal.RunFile, "in the way"))
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	err := j.Export(&run.State{Seq: 1}, now, false)
	if e, ok := errors.AsType[*journal.UnwritableError](err); !ok || e.Path != filepath.Join(j.Dir(), journal.RunFile) {
		t.Errorf("got %v", err)
	}
	for _, path := range tree(t, j.Dir()) {
		if strings.HasPrefix(filepath.Base(path), ".run.json") {
			t.Errorf("left behind: %s", path)
		}
	}
	if err := os.RemoveAll(filepath.Join(j.Dir(), journal.RunFile)); err != nil {
		t.Fatal(err)
	}
	if err := j.Export(&run.State{Seq: 1}, now.Add(time.Second), false); err != nil {
		t.Fatal(err)
	}
	if got := seqOf(t, j); got != 1 {
		t.Errorf("run.json is of fact %d", got)
	}
}

func TestExportReplacesALink(t *testing.T) {
	j := create(t, t.TempDir())
	victim := touch(t, t.TempDir(), "victim")
	link(t, victim, filepath.Join(j.Dir(), journal.RunFile))
	if err := j.Export(&run.State{Seq: 1}, time.Time{}, true); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(victim); len(data) != 0 {
		t.Error("the link was followed")
	}
}

// A reader in a tight loop never sees a part of a file, never none, and never an
// older one than before, while exports of many sizes come as fast as they can.
func TestExportIsNeverTorn(t *testing.T) {
	const exports = 500
	j := create(t, t.TempDir())
	path := filepath.Join(j.Dir(), journal.RunFile)
	s := &run.State{Program: run.Defaults()}
	export := func(seq uint64) error {
		s.Seq, s.Program.Name = seq, strings.Repeat("n", int(seq)*997%20000)
		return j.Export(s, time.Time{}, true)
	}
	if err := export(1); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	reads, seen, last := 0, 0, uint64(0)
	var reader sync.WaitGroup
	reader.Go(func() {
		for over := false; !over; reads++ {
			select {
			case <-done:
				over = true // and once more, for the last
			default:
			}
			data, err := os.ReadFile(path)
			if err != nil || !bytes.HasSuffix(data, []byte("}\n")) {
				t.Errorf("read %d: %d bytes, %v", reads, len(data), err)
				return
			}
			f, err := runfile.Decode(data)
			if err != nil || f.Layover.Seq < last || len(f.Layover.Program) != int(f.Layover.Seq)*997%20000 {
				t.Errorf("read %d, after fact %d: %+v, %v", reads, last, f, err)
				return
			}
			if f.Layover.Seq > last {
				seen++
			}
			last = f.Layover.Seq
		}
	})
	for seq := uint64(2); seq <= exports; seq++ {
		if err := export(seq); err != nil {
			t.Error(err)
		}
	}
	close(done)
	reader.Wait()
	t.Logf("%d reads saw %d of %d exports", reads, seen, exports)
	if last != exports || seen < 2 {
		t.Errorf("%d reads saw %d exports and ended at %d", reads, seen, last)
	}
}
