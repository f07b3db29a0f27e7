package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// asked are the errors of all that can be asked of a run; empty means none.
type asked struct{ resume, replay, send string }

const (
	gone       = "events.jsonl: no such file or directory"
	notRunning = "run is not running"
	dirGone    = id + ": no such file or directory"
)

// leftOver makes a run whose owner has closed it.
func leftOver(t *testing.T) (root, dir string) {
	t.Helper()
	root = t.TempDir()
	j := create(t, root)
	s, _, err := journal.Replay(nightDir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Append(night(t)), j.Export(s, s.LastAt, true), j.Close()); err != nil {
		t.Fatal(err)
	}
	return root, j.Dir()
}

// without removes some of what is in a directory.
func without(names ...string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		for _, name := range names {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// instead puts something else in the place of what is at a path in the directory.
func instead(name string, put func(path string) error) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.RemoveAll(path), put(path)); err != nil {
			t.Fatal(err)
		}
	}
}

func text(s string) func(string) error {
	return func(path string) error { return os.WriteFile(path, []byte(s), 0o600) }
}

func toNowhere(path string) error { return os.Symlink(path+"-elsewhere", path) }
func pipe(path string) error      { return syscall.Mkfifo(path, 0o600) }
func folder(path string) error    { return os.Mkdir(path, 0o700) }

func both(f, g func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, dir string) { f(t, dir); g(t, dir) }
}

// Whatever is left of a run, what is asked of it is answered or refused with one
// clear error and a hint, and what is refused changes nothing.
func TestRuins(t *testing.T) {
	half := text(`{"seq":1,"ts":"2026-03-01T22:00:00Z","type":"run_st`)
	all := []string{journal.EventsFile, journal.LockFile, journal.RunFile, journal.WorkersDir, journal.ControlDir}
	tests := map[string]struct {
		ruin func(*testing.T, string)
		want asked
	}{
		"whole":             {without(), asked{send: notRunning}},
		"no workers":        {without(journal.WorkersDir), asked{send: notRunning}},
		"no control":        {without(journal.ControlDir), asked{send: notRunning}},
		"no lock":           {without(journal.LockFile), asked{send: notRunning}},
		"no export":         {without(journal.RunFile), asked{send: notRunning}},
		"only facts":        {without(all[1:]...), asked{send: notRunning}},
		"no facts":          {without(journal.EventsFile), asked{gone, gone, notRunning}},
		"only the lock":     {without(journal.EventsFile, journal.WorkersDir, journal.ControlDir), asked{gone, gone, notRunning}},
		"nothing in it":     {without(all...), asked{gone, gone, notRunning}},
		"empty facts":       {instead(journal.EventsFile, text("")), asked{resume: "has no facts", send: notRunning}},
		"half a fact":       {instead(journal.EventsFile, half), asked{resume: "has no facts", send: notRunning}},
		"nothing but empty": {both(without(all...), instead(journal.EventsFile, text(""))), asked{resume: "has no facts", send: notRunning}},
		"damaged":           {both(without(all...), instead(journal.EventsFile, text("{}\n{}\n"))), asked{"damaged at line 1", "damaged at line 1", notRunning}},
		"facts are a link":  {instead(journal.EventsFile, toNowhere), asked{"is a symbolic link", "is a symbolic link", "is a symbolic link"}},
		"facts are a pipe":  {instead(journal.EventsFile, pipe), asked{"events.jsonl: ", "is not a regular file", "is not a regular file"}},
		"facts are a folder": {
			instead(journal.EventsFile, folder), asked{"is a directory", "is not a regular file", "is not a regular file"},
		},
		"lock is a link":     {instead(journal.LockFile, toNowhere), asked{resume: "is a symbolic link", send: "is a symbolic link"}},
		"lock is a pipe":     {instead(journal.LockFile, pipe), asked{resume: "is not a regular file", send: "is not a regular file"}},
		"lock is a folder":   {instead(journal.LockFile, folder), asked{resume: "is a directory", send: "is not a regular file"}},
		"control is a file":  {both(without(journal.WorkersDir), instead(journal.ControlDir, text("c"))), asked{resume: "is not a directory", send: notRunning}},
		"workers are a link": {both(without(journal.ControlDir), instead(journal.WorkersDir, toNowhere)), asked{resume: "is a symbolic link", send: notRunning}},
		"a file instead":     {instead("", text("run")), asked{"is not a directory", "is not a directory", "is not a directory"}},
		"a link instead":     {instead("", toNowhere), asked{"is a symbolic link", "is a symbolic link", "is a symbolic link"}},
		"nothing instead":    {without(""), asked{dirGone, dirGone, dirGone}},
		"another user's": {func(t *testing.T, dir string) {
			if err := os.Chown(dir, os.Geteuid()+1, -1); err != nil {
				t.Skip("only root gives files away: ", err)
			}
		}, asked{resume: "belongs to another user", send: notRunning}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root, dir := leftOver(t)
			tt.ruin(t, dir)
			before := snapshot(t, root)
			_, _, err := journal.Replay(dir)
			refused(t, "replay", err, tt.want.replay)
			_, err = journal.Facts(dir, func(run.Fact) error { return nil })
			refused(t, "facts", err, tt.want.replay)
			refused(t, "send", journal.Send(dir, journal.Control{Verb: run.VerbPause}), tt.want.send)
			same(t, root, before)
			j, _, _, err := journal.Resume(root, id)
			refused(t, "resume", err, tt.want.resume)
			if err == nil {
				intact(t, j)
				return
			}
			same(t, root, before)
		})
	}
}

// refused fails unless an error says what it has to, with a hint.
func refused(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || want == "" {
		if err != nil || want != "" {
			t.Errorf("%s: got %v, want %q", what, err, want)
		}
		return
	}
	var h interface{ Hint() string }
	if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || !errors.As(err, &h) || h.Hint() == "" {
		t.Errorf("%s: got %v, want %q and a hint", what, err, want)
	}
}

// intact fails unless a run that was taken up can be worked on.
func intact(t *testing.T, j *journal.Journal) {
	t.Helper()
	_, err := j.Worker("w", "0123456789ab")
	err = errors.Join(err, journal.Send(j.Dir(), journal.Control{Verb: run.VerbPause}))
	wishes, failed := j.Controls()
	if err = errors.Join(err, failed, j.Close()); err != nil || len(wishes) != 1 {
		t.Errorf("after it was taken up: %v, %v", wishes, err)
	}
}

// What happens to the directory of a run that goes on.
func TestRuinsOfALiveRun(t *testing.T) {
	tests := map[string]struct {
		ruin           func(*testing.T, string)
		send, controls string
	}{
		"whole":             {without(), "", ""},
		"no control":        {without(journal.ControlDir), "control: no such file", "control: no such file"},
		"control is a link": {instead(journal.ControlDir, toNowhere), "is a symbolic link", "is a symbolic link"},
		"control is a file": {instead(journal.ControlDir, text("c")), "is not a directory", "is not a directory"},
		"no lock":           {without(journal.LockFile), "", ""},
		"another user's": {func(t *testing.T, dir string) {
			if err := os.Chown(dir, os.Geteuid()+1, -1); err != nil {
				t.Skip("only root gives files away: ", err)
			}
		}, "belongs to another user", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			j := create(t, root)
			if err := j.Append(night(t)); err != nil {
				t.Fatal(err)
			}
			tt.ruin(t, j.Dir())
			before := snapshot(t, root)
			_, err := j.Controls()
			refused(t, "controls", err, tt.controls)
			_, _, err = journal.Replay(j.Dir())
			refused(t, "replay", err, "")
			_, err = journal.List(root)
			refused(t, "list", err, "")
			_, _, _, err = journal.Resume(root, id)
			if tt.send != "belongs to another user" && !errors.Is(err, journal.ErrOwned) {
				t.Errorf("resume: got %v", err)
			}
			same(t, root, before)
			err = journal.Send(j.Dir(), journal.Control{Verb: run.VerbPause})
			refused(t, "send", err, tt.send)
			if err != nil {
				same(t, root, before)
			}
		})
	}
}

func TestListRefuses(t *testing.T) {
	tests := map[string]struct {
		ruin func(*testing.T, string)
		want string
	}{
		"no directory":        {without("layover"), ""},
		"no runs":             {without("layover/runs"), ""},
		"empty":               {instead("layover/runs", folder), ""},
		"a link":              {instead("layover", toNowhere), "is a symbolic link"},
		"a file":              {instead("layover", text("f")), "is not a directory"},
		"runs are a link":     {instead("layover/runs", toNowhere), "is a symbolic link"},
		"runs are a file":     {instead("layover/runs", text("f")), "is not a directory"},
		"a run half deleted":  {without("layover/runs/"+id+"/events.jsonl", "layover/runs/"+id+"/workers"), ""},
		"a file for the only": {instead("layover/runs/"+id, text("f")), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			root := filepath.Join(base, "layover")
			_ = create(t, root).Close()
			tt.ruin(t, base)
			before := snapshot(t, base)
			_, err := journal.List(root)
			refused(t, "list", err, tt.want)
			same(t, base, before)
		})
	}
}
