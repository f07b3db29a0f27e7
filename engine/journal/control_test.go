package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
