package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

// batch is how many facts a saver hands over at once; the recorded run has three
// times as many.
const batch = 17

// saver writes the recorded run as an owner does, and tells on its standard output
// what is saved, as soon as it has been told so itself.
func saver(root string) int {
	var facts []run.Fact
	_, err := journal.Facts(nightDir, func(f run.Fact) error { facts = append(facts, f); return nil })
	if err == nil {
		err = saveAll(root, facts)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func saveAll(root string, facts []run.Fact) error {
	j, err := journal.Create(root, id)
	if err != nil {
		return err
	}
	s := &run.State{}
	for ; len(facts) > 0; facts = facts[batch:] {
		if err := j.Append(facts[:batch]); err != nil {
			return err
		}
		for _, f := range facts[:batch] {
			if err := s.Apply(f); err != nil {
				return err
			}
		}
		fmt.Println("saved", s.Seq)
		if err := j.Export(s, s.LastAt, true); err != nil {
			return err
		}
		fmt.Println("exported", s.Seq)
	}
	return j.Close()
}

// saved is what a saver has told: the last facts saved and exported.
type saved struct{ facts, export uint64 }

func parseSaved(t *testing.T, out []byte) saved {
	t.Helper()
	var got saved
	for line := range bytes.Lines(out) {
		var what string
		var seq uint64
		if n, err := fmt.Sscanf(string(line), "%s %d\n", &what, &seq); n != 2 || err != nil {
			t.Fatalf("the saver says %q", line)
		}
		if what == "saved" {
			got.facts = seq
		} else {
			got.export = seq
		}
	}
	return got
}

// stateAt is the state that the first facts of the recorded run add up to.
func stateAt(t *testing.T, facts []run.Fact, seq uint64) *run.State {
	t.Helper()
	s := &run.State{}
	for _, f := range facts[:seq] {
		if err := s.Apply(f); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// survives fails unless all that a dead saver has told is on the disk, and the run
// can be gone on with as if it had died between two batches.
func survives(t *testing.T, root string, told saved) {
	t.Helper()
	facts := night(t)
	dir := filepath.Join(root, "runs", id)
	s, _, err := journal.Replay(dir)
	if told.facts == 0 && errors.Is(err, fs.ErrNotExist) { // it died before there was a run
		_, _, _, err = journal.Resume(root, id)
		refused(t, "resume", err, "no such file or directory")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.Seq != told.facts && s.Seq != told.facts+batch {
		t.Fatalf("%d facts are there, %d were saved", s.Seq, told.facts)
	}
	if d := cmp.Diff(stateAt(t, facts, s.Seq), s, alike); d != "" {
		t.Fatalf("state (-live +replayed):\n%s", d)
	}
	exportIsWhole(t, dir, told.export, s.Seq)
	j, taken, _, err := journal.Resume(root, id)
	if s.Seq == 0 {
		refused(t, "resume", err, "has no facts")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(s, taken, alike); d != "" {
		t.Errorf("state (-replayed +resumed):\n%s", d)
	}
	all := stateAt(t, facts, uint64(len(facts)))
	if err := errors.Join(j.Append(facts), j.Export(all, all.LastAt, true), j.Close()); err != nil {
		t.Fatal(err)
	}
	end, _, err := journal.Replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(all, end, alike); d != "" {
		t.Errorf("state (-live +resumed and replayed):\n%s", d)
	}
	exportIsWhole(t, dir, all.Seq, all.Seq)
	for _, path := range tree(t, dir) {
		if name := filepath.Base(path); name[0] == '.' {
			t.Errorf("%s is still there", name)
		}
	}
}

// exportIsWhole fails unless run.json is a whole export of a fact in between; while
// nothing was exported it need not be there.
func exportIsWhole(t *testing.T, dir string, first, last uint64) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, journal.RunFile))
	if first == 0 && errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := runfile.Decode(data)
	if err != nil || !bytes.HasSuffix(data, []byte("}\n")) {
		t.Fatalf("run.json is torn: %v\n%s", err, data)
	}
	if seq := f.Layover.Seq; seq < first || seq > last || seq%batch != 0 {
		t.Errorf("run.json is of fact %d, want one from %d to %d", seq, first, last)
	}
}
