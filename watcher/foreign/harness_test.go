package foreign_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// runs is a directory of runs of team-harness; home is where its files say that it is.
const (
	runs = "testdata/harness/runs"
	home = "/home/dev/.team-harness/runs"
)

func at(clock string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", clock)
	if err != nil {
		panic(err)
	}
	return t
}

// account reads a log to its end, as if it had been written at an instant.
func account(t testing.TB, path string, written time.Time) (stream.Account, bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return stream.Account{}, false
	}
	dialect := agent.Guess(text)
	r, err := agent.NewReader(dialect, agent.Reference{Now: written, Zone: time.UTC})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	a := stream.Account{Dialect: dialect, Family: dialect, Turn: stream.TurnOpen, At: written}
	r.Feed(text, func(s run.Sight) {
		if s.Session != "" {
			a.Session = s.Session
		}
		if s.Model != "" {
			a.Model = s.Model
		}
		if s.Served != "" {
			a.ServedAt, a.Suspect, a.SuspectedAt = written, "", time.Time{}
		}
		if s.Suspect != "" {
			a.Suspect, a.SuspectedAt = s.Suspect, written
		}
		if s.Doing != "" || s.Message != "" {
			a.Activity.Doing, a.Activity.Message = s.Doing, s.Message
		}
		if s.Usage != (run.Usage{}) {
			a.Activity.Usage = s.Usage
		}
		if s.Terminal {
			a.Turn = stream.TurnOver
		}
	})
	if a.Turn == stream.TurnOver {
		a.Verdict = r.End(agent.End{}, nil)
		a.Activity.Usage = a.Verdict.Usage
	}
	return a, true
}

// known reads a run of the directory, with the logs that it names; written is when they
// were last written.
func known(t testing.TB, id string, written time.Time) foreign.Known {
	t.Helper()
	path := filepath.Join(runs, id, "run.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := runfile.Decode(text)
	if err != nil || !f.Known() {
		t.Fatalf("%s: %v", path, err)
	}
	k := foreign.Known{Key: path, Origin: run.OriginHarness, File: f, Logs: map[string]stream.Account{}}
	for _, a := range f.Agents {
		where := strings.Replace(foreign.LogPath(path, a), home, runs, 1)
		if acc, ok := account(t, where, first(a.FinishedAt, written)); ok {
			k.Logs[a.StdoutLog] = acc
		}
	}
	return k
}

func first(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// replay makes a state of facts, each of which it must accept.
func replay(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *run.State, facts []run.Fact,
) {
	t.Helper()
	for _, f := range facts {
		line, err := f.MarshalJSON()
		if err != nil {
			t.Fatalf("fact %d %T: %v", f.Seq, f.Body, err)
		}
		if err := s.Apply(f); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
	}
}
