package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// begun makes a run with one fact and gives its directory.
func begun(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s, err := Open(Options{Program: run.Program{Name: "night", Iterations: 1}, NoWait: true})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Launch.Program.NoWait || s.Launch.Seed == 0 || s.Ports.Ledger == nil || s.Ports.Login == nil || s.Over {
		t.Errorf("launch %+v", s.Launch)
	}
	first := run.Fact{Seq: 1, At: time.Now().UTC().Round(0), Body: run.RunStarted{RunID: s.Launch.ID, Program: s.Launch.Program, Speed: 1}}
	if err := errors.Join(s.Ports.Store.Append([]run.Fact{first}), s.Close()); err != nil {
		t.Fatal(err)
	}
	return s.Dir
}

func TestARunIsTakenUp(t *testing.T) {
	dir := begun(t)
	s, err := Open(Options{Resume: dir})
	if err != nil {
		t.Fatal(err)
	}
	if s.Launch.State == nil || s.Launch.State.Program.Name != "night" || len(s.Past) != 1 || s.Launch.Notice != "" {
		t.Errorf("launch %+v, %d facts", s.Launch, len(s.Past))
	}
	_, err = Open(Options{Resume: dir})
	if !errors.Is(err, journal.ErrOwned) {
		t.Errorf("taken twice: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// What was asked of the last owner is nothing for the next; what it did not finish to
// write is told of.
func TestWhatTheLastOwnerLeftHalfDone(t *testing.T) {
	dir := begun(t)
	events, err := os.OpenFile(filepath.Join(dir, journal.EventsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = events.WriteString(`{"seq":2`)
	wish := filepath.Join(dir, journal.ControlDir, "x.json")
	if err := errors.Join(err, events.Close(), os.WriteFile(wish, []byte(`{"verb":"hard-stop"}`), 0o600)); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Options{Resume: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for _, want := range []string{"8 bytes", "dropped"} {
		if !strings.Contains(s.Launch.Notice, want) {
			t.Errorf("no %q in %q", want, s.Launch.Notice)
		}
	}
	if left, err := s.Ports.Controls(); len(left) > 0 || err != nil {
		t.Errorf("left %v, %v", left, err)
	}
}

// A session that cannot be opened leaves the run to others.
func TestAFailedSessionHoldsNothing(t *testing.T) {
	dir := begun(t)
	if err := os.Mkdir(filepath.Join(dir, "layover.log"), 0o700); err == nil {
		t.Fatal("there was no log")
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "layover.log")), os.Mkdir(filepath.Join(dir, "layover.log"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Resume: dir}); err == nil {
		t.Fatal("a directory serves as the log")
	}
	if err := os.Remove(filepath.Join(dir, "layover.log")); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Options{Resume: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// The log of a run is its own file, or there is no run.
func TestTheLogIsNoLink(t *testing.T) {
	dir := begun(t)
	log, precious := filepath.Join(dir, journal.LogFile), filepath.Join(t.TempDir(), "precious")
	err := errors.Join(os.Remove(log), os.WriteFile(precious, []byte("mine"), 0o600), os.Symlink(precious, log))
	if err != nil {
		t.Fatal(err)
	}
	var hinted interface{ Hint() string }
	if _, err := Open(Options{Resume: dir}); !errors.As(err, &hinted) || hinted.Hint() == "" {
		t.Errorf("opened with %v", err)
	}
	if text, err := os.ReadFile(precious); string(text) != "mine" || err != nil {
		t.Errorf("it holds %q, %v", text, err)
	}
}

// A run none of whose agents is installed any more is left as it is.
func TestARunWithoutAgentsIsNotTakenUp(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	p := run.Program{
		Name: "night", Iterations: 1, Order: []run.Target{{Agent: "claude"}}, Tasks: []run.Task{{Name: "one"}},
		Agents: map[string]run.Agent{"claude": {Preset: "claude", Command: []string{"/nowhere/claude"}}},
	}
	s, err := Open(Options{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	first := run.Fact{Seq: 1, At: time.Now().UTC().Round(0), Body: run.RunStarted{RunID: s.Launch.ID, Program: p, Speed: 1}}
	if err := errors.Join(s.Ports.Store.Append([]run.Fact{first}), s.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = Open(Options{Resume: s.Dir})
	missing, ok := errors.AsType[*MissingError](err)
	if !ok || len(missing.Agents) != 1 || missing.Hint() == "" {
		t.Errorf("opened with %v", err)
	}
	if again, _, err := journal.Replay(s.Dir); err != nil || again.Seq != 1 {
		t.Errorf("it has changed: %v", err)
	}
}

// A run that has ended and whose budget of time is over is not taken up again in vain.
func TestARunThatIsOutOfTimeIsNotTakenUp(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for name, lasts := range map[string]time.Duration{"over": time.Hour, "not over": 3 * time.Hour} {
		p := run.Program{
			Name: "night", Iterations: 1, Order: []run.Target{{Agent: "sh"}}, Tasks: []run.Task{{Name: "one"}}, Deadline: run.Duration(lasts),
			Agents: map[string]run.Agent{"sh": {Preset: "generic", Command: []string{"/bin/sh"}}},
		}
		s, err := Open(Options{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now().Add(-2 * time.Hour).UTC().Round(0)
		facts := []run.Fact{
			{Seq: 1, At: began, Body: run.RunStarted{RunID: s.Launch.ID, Program: p, Speed: 1}, More: true},
			{Seq: 2, At: began, Body: run.IterationStarted{Iteration: 1}},
			{Seq: 3, At: began.Add(time.Minute), Body: run.RunEnded{Exit: 75, Why: "no target can be used before the deadline"}},
		}
		if err := errors.Join(s.Ports.Store.Append(facts), s.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := Open(Options{Resume: s.Dir})
		late, is := errors.AsType[*LateError](err)
		if is != (lasts < 2*time.Hour) || is && late.Hint() == "" {
			t.Errorf("%s: opened with %v", name, err)
		}
		if again != nil && err == nil {
			_ = again.Close()
		}
	}
}
