package runfile_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

// night replays the first n facts of a recorded run; zero means all of them.
func night(t *testing.T, n int) *run.State {
	t.Helper()
	data, err := os.ReadFile("../../testdata/runs/night/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := &run.State{}
	for line := range bytes.Lines(data) {
		var f run.Fact
		if err := f.UnmarshalJSON(line); err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(f); err != nil {
			t.Fatal(err)
		}
		if int(s.Seq) == n {
			break
		}
	}
	return s
}

func options() runfile.Options {
	return runfile.Options{
		ParentPID: 3999, ParentStart: "880500",
		Logs: func(worker string) (string, string) {
			dir := filepath.Join("/state/runs/x/workers", worker)
			return filepath.Join(dir, "stdout.jsonl"), filepath.Join(dir, "stderr.log")
		},
	}
}

// golden gives what is expected of a case; UPDATE_GOLDEN=1 takes over what came.
func golden(t *testing.T, name string, got []byte) string {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(indented(t, got)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(want)
}

func indented(t *testing.T, data []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEncodeNight(t *testing.T) {
	tests := map[string]int{"opened": 10, "parked": 32, "probing": 36, "ended": 0}
	for name, n := range tests {
		t.Run(name, func(t *testing.T) {
			s := night(t, n)
			got, err := runfile.Encode(s, options())
			if err != nil {
				t.Fatal(err)
			}
			again, _ := runfile.Encode(s, options())
			if !bytes.Equal(got, again) {
				t.Error("two exports of one state differ")
			}
			if d := cmp.Diff(golden(t, name, got), indented(t, got)); d != "" {
				t.Errorf("run.json (-want +got):\n%s", d)
			}
			f, err := runfile.Decode(got)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(runfile.Of(s, options()), f, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("read back (-want +got):\n%s", d)
			}
		})
	}
}

// run.json has no character that a terminal obeys, or that reorders or hides text.
func TestNothingHiddenIsInTheFile(t *testing.T) {
	const hidden = "\u009b31m\u202e\u200b\u007f\U000e0041"
	f := runfile.File{RunID: "x" + hidden}
	if got := string(f.JSON()); !bytes.Contains([]byte(got), []byte(`x\u009b31m\u202e\u200b\u007f\udb40\udc41`)) {
		t.Errorf("%q", got)
	}
}
