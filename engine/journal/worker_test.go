package journal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/journal"
)

const hex = "0123456789ab"

func TestWorkerNames(t *testing.T) {
	tests := map[string]struct{ label, want string }{
		"plain":       {"tests", "tests"},
		"iteration":   {"Tests#2", "tests-2"},
		"path":        {"../../etc/passwd", "etc-passwd"},
		"dots":        {"..", "task"},
		"empty":       {"", "task"},
		"hidden":      {".git", "git"},
		"foreign":     {"日本", "task"},
		"mixed":       {"a 日本 b", "a-b"},
		"controls":    {"a\x1b[31m\nb\x00", "a-31m-b-"},
		"not UTF-8":   {"a\xffb", "a-b"},
		"long":        {strings.Repeat("x", 100), strings.Repeat("x", 40)},
		"marks":       {"a__agent_b", "a__agent_b"},
		"all that is": {"az09-_.", "az09-_."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			j := create(t, t.TempDir())
			w, err := j.Worker(tt.label, hex)
			if err != nil {
				t.Fatal(err)
			}
			if want := tt.want + "__agent_" + hex; w.Name != want || w.Dir != filepath.Join(j.Dir(), "workers", want) {
				t.Errorf("got %q in %q, want %q", w.Name, w.Dir, want)
			}
			again, err := journal.OpenWorker(j.Dir(), w.Name)
			if err != nil || again != w {
				t.Errorf("opened %+v, %v", again, err)
			}
			if again, err := j.Worker(tt.label, hex); err != nil || again != w {
				t.Errorf("taken again: %+v, %v", again, err)
			}
		})
	}
}

func TestWorkerNameIsNeverAPath(t *testing.T) {
	j := create(t, t.TempDir())
	fit := regexp.MustCompile(`^[a-z0-9_][a-z0-9_.-]{0,39}__agent_` + hex + `$`)
	rapid.Check(t, func(rt *rapid.T) {
		w, err := j.Worker(rapid.String().Draw(rt, "label"), hex)
		if err != nil {
			rt.Fatal(err)
		}
		if !fit.MatchString(w.Name) || filepath.Dir(w.Dir) != filepath.Join(j.Dir(), "workers") {
			rt.Fatalf("got %q", w.Name)
		}
		if err := os.Remove(w.Dir); err != nil {
			rt.Fatal(err)
		}
	})
}

func TestWorkerRefused(t *testing.T) {
	j := create(t, t.TempDir())
	for _, bad := range []string{"", "0123456789a", "0123456789abc", "0123456789aB", "../../../../x", "0123456789a/"} {
		if _, err := j.Worker("tests", bad); err == nil {
			t.Errorf("%q passes for hexadecimal digits", bad)
		}
		if _, err := journal.OpenWorker(j.Dir(), "tests__agent_"+bad); err == nil {
			t.Errorf("a worker %q was opened", bad)
		}
	}
	for _, bad := range []string{"", "..", "tests", "../x__agent_" + hex, "/__agent_" + hex, "gone__agent_" + hex} {
		if _, err := journal.OpenWorker(j.Dir(), bad); err == nil {
			t.Errorf("a worker %q was opened", bad)
		}
	}
}

func TestWorkerWriteFile(t *testing.T) {
	j := create(t, t.TempDir())
	w, err := j.Worker("tests", hex)
	if err != nil {
		t.Fatal(err)
	}
	victim := touch(t, t.TempDir(), "victim")
	link(t, victim, w.Handoff)
	for _, path := range []string{w.Prompt, w.Handoff, w.Prompt} {
		if err := w.WriteFile(filepath.Base(path), []byte("text of "+path)); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != "text of "+path {
			t.Errorf("%s holds %q, %v", path, data, err)
		}
	}
	if data, _ := os.ReadFile(victim); len(data) != 0 {
		t.Error("a link was followed")
	}
	before := tree(t, j.Dir())
	for _, bad := range []string{"", ".", "..", "../x", "a/b", "/x", "a\x00"} {
		if err := w.WriteFile(bad, nil); err == nil {
			t.Errorf("%q was written", bad)
		}
	}
	if after := tree(t, j.Dir()); len(after) != len(before) {
		t.Errorf("left behind: %v", after)
	}
}

// What stands among the workers and is none is left out.
func TestWorkersAreListed(t *testing.T) {
	j := create(t, t.TempDir())
	var want []journal.Worker
	for _, label := range []string{"a", "b"} {
		w, err := j.Worker(label, hex)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, w)
	}
	workers := filepath.Join(j.Dir(), "workers")
	mkdir(t, filepath.Join(workers, "other"))
	touch(t, workers, "file__agent_"+hex)
	link(t, want[0].Dir, filepath.Join(workers, "link__agent_"+hex))
	got, err := j.Workers()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if err := os.RemoveAll(workers); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Workers(); err == nil {
		t.Errorf("listed %v though there is no directory", got)
	}
}

func TestWorkerReadFile(t *testing.T) {
	j := create(t, t.TempDir())
	w, err := j.Worker("tests", hex)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteFile("attempt.json", []byte("text")); err != nil {
		t.Fatal(err)
	}
	if text, err := w.ReadFile("attempt.json"); string(text) != "text" || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
	mkdir(t, filepath.Join(w.Dir, "directory"))
	link(t, filepath.Join(w.Dir, "attempt.json"), filepath.Join(w.Dir, "link"))
	for _, bad := range []string{"", ".", "..", "../tests", "directory", "link", "missing"} {
		if text, err := w.ReadFile(bad); err == nil {
			t.Errorf("%q holds %q", bad, text)
		}
	}
	if err := os.WriteFile(filepath.Join(w.Dir, "long"), make([]byte, journal.MaxLine+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, _ := w.ReadFile("long"); len(text) != journal.MaxLine {
		t.Errorf("read %d bytes", len(text))
	}
}
