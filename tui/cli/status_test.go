package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

// stateOf makes a state directory in which windows are open, with a run that somebody holds.
func stateOf(t *testing.T, windows ...run.Window) (change func(*Ports), held string) {
	t.Helper()
	state := t.TempDir()
	root := filepath.Join(state, "layover")
	l, err := ledger.Open(root, func(string) string { return "" }, ledger.WithClock(now))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range windows {
		w.OpenedAt, w.NextTry = now().Add(-time.Minute), w.Until
		if err := l.Merge(w, false); err != nil {
			t.Fatal(err)
		}
	}
	j, err := journal.Create(root, "20261001_120000_0badcafe")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(j.Close(), l.Close()) })
	return func(p *Ports) {
		p.Getenv = func(name string) string { return map[string]string{"XDG_STATE_HOME": state}[name] }
	}, j.Dir()
}

func limitOf(family, model string, kind run.Kind, until time.Duration) run.Window {
	w := run.Window{WindowKey: run.WindowKey{Family: family, Model: model, Sort: run.SortLimit}, Kind: kind, How: run.HowStated}
	if kind == run.KindAuth {
		w.Sort = run.SortLogin
		return w
	}
	w.Until = now().Add(until)
	return w
}

func TestStatus(t *testing.T) {
	claude := limitOf("claude", "", run.KindUsage, 83*time.Minute)
	opus := limitOf("claude", "opus", run.KindUsage, 3*time.Hour)
	tests := map[string]struct {
		windows []run.Window
		args    []string
		code    int
		want    string
	}{
		"free":            {nil, nil, ExitDone, "no family is limited\n"},
		"over":            {[]run.Window{limitOf("claude", "", run.KindUsage, -time.Second)}, nil, ExitDone, "no family is limited\n"},
		"limited":         {[]run.Window{claude}, nil, ExitLimited, "claude: limited until 13:23:00, in 1:23:00 (stated)\n"},
		"another family":  {[]run.Window{claude}, []string{"--family", "codex"}, ExitDone, "no family is limited\n"},
		"this family":     {[]run.Window{claude}, []string{"--family", "claude"}, ExitLimited, "claude: limited until 13:23:00, in 1:23:00 (stated)\n"},
		"its other model": {[]run.Window{opus}, []string{"--family", "claude:sonnet"}, ExitDone, "claude:opus: limited until 15:00:00, in 3:00:00 (stated)\n"},
		"its model":       {[]run.Window{opus}, []string{"--family", "claude:opus"}, ExitLimited, "claude:opus: limited until 15:00:00, in 3:00:00 (stated)\n"},
		"one model":       {[]run.Window{opus}, nil, ExitDone, "claude:opus: limited until 15:00:00, in 3:00:00 (stated)\n"},
		"login":           {[]run.Window{limitOf("codex", "", run.KindAuth, 0)}, nil, ExitLimited, "codex/login: needs a login, until somebody clears it\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			change, _ := stateOf(t, tt.windows...)
			var w world
			if code := w.do("", change, append([]string{"status"}, tt.args...)...); code != tt.code {
				t.Errorf("exit %d, want %d: %s", code, tt.code, w.err.String())
			}
			got := strings.Split(w.out.String(), "a run, ")[0]
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStatusRefusesSlips(t *testing.T) {
	change, _ := stateOf(t)
	for family, want := range map[string]string{
		"": "layover: --family cannot be \"\"\n", "cluade": "layover: no family is called \"cluade\"\nhint: did you mean --family claude?\n",
		"claude:": "layover: --family cannot be \"claude:\"\n",
	} {
		var w world
		if code := w.do("", change, "status", "--family", family); code != ExitUsage || !strings.HasPrefix(w.err.String(), want) || w.out.Len() > 0 {
			t.Errorf("%q: exit %d, %q", family, code, w.err.String())
		}
	}
	var w world
	if code := w.do("", change, "status", "--family", "ours"); code != ExitDone {
		t.Errorf("a family of a program is refused: exit %d, %q", code, w.err.String())
	}
}

// The lanes of a run that somebody holds are told, with what they wait for; those of one
// that nobody holds are not.
func TestStatusOfRuns(t *testing.T) {
	change, held := stateOf(t)
	wake := now().Add(90 * time.Second)
	f := runfile.File{RunID: filepath.Base(held), Layover: &runfile.Layover{
		Version: runfile.Version, Program: "night", Phase: run.PhaseRunning, Lanes: []runfile.Lane{
			{ID: 1, Task: "lint", State: run.LaneDone},
			{ID: 2, Task: "tests", State: run.LaneWorking, Target: run.Target{Agent: "codex"}},
			{ID: 3, Task: "docs \x1b[2J", State: run.LaneParked, Target: run.Target{Agent: "claude", Model: "opus"}, WakeAt: wake},
		},
	}}
	left := filepath.Join(filepath.Dir(held), "20260901_120000_deadbeef")
	if err := errors.Join(
		os.WriteFile(filepath.Join(held, journal.RunFile), f.JSON(), 0o600),
		os.Mkdir(left, 0o700),
		os.WriteFile(filepath.Join(left, journal.RunFile), f.JSON(), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	var w world
	if code := w.do("", change, "status"); code != ExitDone {
		t.Errorf("exit %d: %s", code, w.err.String())
	}
	want := `no family is limited
night, 20261001_120000_0badcafe: 2 open lanes
  working  tests  codex
  parked   docs   claude:opus  until 12:01:30, in 01:30
`
	if diff := cmp.Diff(want, w.out.String()); diff != "" {
		t.Error(diff)
	}
	var asJSON world
	if code := asJSON.do("", change, "status", "--json"); code != ExitDone {
		t.Errorf("exit %d: %s", code, asJSON.err.String())
	}
	var s status
	if err := json.Unmarshal(asJSON.out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Runs) != 1 || len(s.Runs[0].Lanes) != 2 || !s.Runs[0].Lanes[1].WakeAt.Equal(wake) {
		t.Errorf("told as %s", &asJSON.out)
	}
}

// A run.json that is torn does not keep the rest from being told.
func TestStatusOfADamagedRun(t *testing.T) {
	change, held := stateOf(t, limitOf("claude", "", run.KindUsage, time.Hour))
	if err := os.WriteFile(filepath.Join(held, journal.RunFile), []byte(`{"run_id":`), 0o600); err != nil {
		t.Fatal(err)
	}
	var w world
	if code := w.do("", change, "status"); code != ExitLimited {
		t.Errorf("exit %d", code)
	}
	if !strings.HasPrefix(w.out.String(), "claude: limited") || !strings.Contains(w.err.String(), "cannot be read") {
		t.Errorf("out %q, err %q", &w.out, &w.err)
	}
}
