package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestWishesAreObeyedOnce(t *testing.T) {
	j, err := Create(t.TempDir(), "20260101_000000_0badcafe")
	if err != nil {
		t.Fatal(err)
	}
	want := []Control{{Verb: run.VerbSoftStop, From: "stop"}, {Verb: run.VerbClear, Target: "claude"}}
	for _, c := range want {
		if err := Send(j.Dir(), c); err != nil {
			t.Fatal(err)
		}
	}
	got, err := j.Controls()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) == 2 && got[0].Verb == run.VerbClear {
		got[0], got[1] = got[1], got[0] // their names are random
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again, err := j.Controls(); len(again) != 0 || err != nil {
		t.Errorf("obeyed again: %v, %v", again, err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Send(j.Dir(), want[0]); !errors.Is(err, ErrNotRunning) {
		t.Errorf("a wish for a run that nobody holds: %v", err)
	}
}

// What is no wish is told once, by its name, and the others count.
func TestWhatIsNoWishIsToldAndRemoved(t *testing.T) {
	for name, text := range map[string]string{
		"torn": `{"verb":"soft-st`, "unknown": `{"verb":"dance"}`, "empty": ``, "none": `{}`, "large": `{"verb":"wake","target":"` + strings.Repeat("x", maxControl) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			j, err := Create(t.TempDir(), "20260101_000000_0badcafe")
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			path := filepath.Join(j.Dir(), ControlDir, "bad.json")
			if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), Send(j.Dir(), Control{Verb: run.VerbPause})); err != nil {
				t.Fatal(err)
			}
			got, err := j.Controls()
			if len(got) != 1 || err == nil || !strings.Contains(err.Error(), "bad.json") {
				t.Errorf("got %v, %v", got, err)
			}
			if _, err := j.Controls(); err != nil {
				t.Errorf("told twice: %v", err)
			}
		})
	}
}

// A link or a pipe in the place of a wish is neither followed nor waited for.
func TestAWishThatIsNoFile(t *testing.T) {
	j, err := Create(t.TempDir(), "20260101_000000_0badcafe")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := os.Symlink("/dev/zero", filepath.Join(j.Dir(), ControlDir, "link.json")); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Controls(); len(got) != 0 || err == nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// A wish stays on the disk until it is said to be obeyed: if its owner dies before, it is
// given to the next, and only once to each.
func TestAWishOutlivesWhoTookIt(t *testing.T) {
	root, name := t.TempDir(), "20260101_000000_0badcafe"
	j, err := Create(root, name)
	if err != nil {
		t.Fatal(err)
	}
	first := run.Fact{Seq: 1, Body: run.RunStarted{Format: run.Format, Program: run.Defaults()}}
	if err := errors.Join(j.Append([]run.Fact{first}), Send(j.Dir(), Control{Verb: run.VerbPause})); err != nil {
		t.Fatal(err)
	}
	for owner, obeys := range []bool{false, true, true} {
		got, err := j.Controls()
		if want := 1 - owner/2; len(got) != want || err != nil {
			t.Fatalf("owner %d takes %v, %v, want %d", owner, got, err, want)
		}
		if again, err := j.Controls(); len(again) != 0 || err != nil {
			t.Errorf("owner %d takes again: %v, %v", owner, again, err)
		}
		if obeys {
			err = j.Obeyed()
		}
		left, failed := os.ReadDir(filepath.Join(j.Dir(), ControlDir))
		if (len(left) == 0) != obeys || errors.Join(err, failed, j.Close()) != nil {
			t.Errorf("owner %d leaves %d files: %v, %v", owner, len(left), err, failed)
		}
		if j, _, _, err = Resume(root, name); err != nil {
			t.Fatal(err)
		}
	}
	_ = j.Close()
}

// A directory that stays the same is not read each time, and what is left in it is found
// at the next look all the same; if its time does not tell, within ten.
func TestAWishIsFoundAtTheNextLook(t *testing.T) {
	j, err := Create(t.TempDir(), "20260101_000000_0badcafe")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	dir := filepath.Join(j.Dir(), ControlDir)
	for _, tells := range []bool{true, false} {
		for range 25 {
			if got, err := j.Controls(); len(got) != 0 || err != nil {
				t.Fatalf("found %v, %v", got, err)
			}
		}
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := Send(j.Dir(), Control{Verb: run.VerbPause}); err != nil {
			t.Fatal(err)
		}
		if !tells {
			if err := os.Chtimes(dir, time.Time{}, info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
		looks := 1
		for ; looks <= 10; looks++ {
			got, err := j.Controls()
			if err != nil {
				t.Fatal(err)
			}
			if len(got) == 1 {
				break
			}
		}
		if tells && looks > 1 || !tells && (looks == 1 || looks > 10) {
			t.Errorf("found at look %d", looks)
		}
	}
}

// A wish that cannot be taken is told at every look, and obeyed once it can.
func TestAWishThatCannotBeTaken(t *testing.T) {
	j, err := Create(t.TempDir(), "20260101_000000_0badcafe")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	dir := filepath.Join(j.Dir(), ControlDir)
	wish, inTheWay := filepath.Join(dir, "x.json"), filepath.Join(dir, ".x.json"+takenSuffix)
	if err := errors.Join(os.WriteFile(wish, []byte(`{"verb":"pause"}`), 0o600), os.MkdirAll(inTheWay, 0o700)); err != nil {
		t.Fatal(err)
	}
	for look := range 25 {
		if got, err := j.Controls(); len(got) != 0 || err == nil || !strings.Contains(err.Error(), "x.json") {
			t.Fatalf("look %d: %v, %v", look, got, err)
		}
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Controls(); len(got) != 1 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}
