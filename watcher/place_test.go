package watcher

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestPlaces(t *testing.T) {
	env := map[string]string{"HOME": "/home/me"}
	roots := append(DefaultRoots(func(n string) string { return env[n] }, "/home/me/.local/state/layover", "/work"), Root{"/data", KindAny}, Root{"/one.log", KindAny})
	const slug = "/home/me/.claude/projects/-work"
	tests := map[string]struct {
		path string
		want what
	}{
		"a session":           {slug + "/a1.jsonl", what{formStream, run.OriginSession, transcript, slug + "/a1.jsonl"}},
		"a sub-agent":         {slug + "/a1/subagents/agent-7.jsonl", what{formStream, run.OriginSession, transcript, slug + "/a1.jsonl"}},
		"an older sub-agent":  {slug + "/agent-7.jsonl", what{formStream, run.OriginSession, transcript, slug + "/agent-7.jsonl"}},
		"xdg":                 {"/home/me/.config/claude/projects/p/a.jsonl", what{formStream, run.OriginSession, transcript, "/home/me/.config/claude/projects/p/a.jsonl"}},
		"a file of projects":  {"/home/me/.claude/projects/a.jsonl", what{}},
		"a tool's result":     {slug + "/a1/tool-results/x.txt", what{}},
		"a rollout":           {"/home/me/.codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-x.jsonl", what{formStream, run.OriginSession, rollout, "/home/me/.codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-x.jsonl"}},
		"beside rollouts":     {"/home/me/.codex/sessions/2026/11/30/notes.jsonl", what{}},
		"team-harness":        {"/home/me/.team-harness/runs/r1/run.json", what{formRunFile, run.OriginHarness, "", "/home/me/.team-harness/runs/r1"}},
		"deeper":              {"/home/me/.team-harness/runs/r1/x/run.json", what{}},
		"loopy-loop":          {"/work/.loopy_loop/a/harness/b/run.json", what{formRunFile, run.OriginLoop, "", "/work/.loopy_loop/a/harness/b"}},
		"loopy-loop, another": {"/work/.loopy_loop/a/b/run.json", what{}},
		"a run of ours":       {"/home/me/.local/state/layover/runs/x/run.json", what{formRunFile, run.OriginLayover, "", "/home/me/.local/state/layover/runs/x"}},
		"its facts":           {"/home/me/.local/state/layover/runs/x/events.jsonl", what{}},
		"a window":            {"/home/me/.local/state/layover/windows/claude++limit+.json", what{form: formWindow}},
		"a permit":            {"/home/me/.local/state/layover/windows/claude++limit+.permit", what{}},
		"any lines":           {"/data/x/y.jsonl", what{formStream, run.OriginStream, "", "/data/x/y.jsonl"}},
		"any run":             {"/data/x/run.json", what{formRunFile, run.OriginHarness, "", "/data/x"}},
		"any loop":            {"/data/harness/x/run.json", what{formRunFile, run.OriginLoop, "", "/data/harness/x"}},
		"any sub-agent":       {"/data/p/a1/subagents/agent-7.jsonl", what{formStream, run.OriginStream, "", "/data/p/a1.jsonl"}},
		"any text":            {"/data/x/y.txt", what{}},
		"a file by itself":    {"/one.log", what{formStream, run.OriginStream, "", "/one.log"}},
		"a name that begins":  {"/database/x.jsonl", what{}},
		"elsewhere":           {"/etc/x.jsonl", what{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := sorted(roots, tt.path)
			if !ok {
				got = what{}
			}
			if got != tt.want || ok != (tt.want != what{}) {
				t.Errorf("%+v, %t, want %+v", got, ok, tt.want)
			}
		})
	}
}

// A directory is entered if something in it can be watched, and nothing else is.
func TestEntered(t *testing.T) {
	roots := []Root{{"/c", KindClaude}, {"/x", KindCodex}, {"/h", KindHarness}, {"/l", KindLoop}, {"/o", KindLayover}, {"/w", KindLedger}, {"/a", KindAny}}
	for dir, want := range map[string]bool{
		"/c": true, "/c/slug": true, "/c/slug/id": true, "/c/slug/id/subagents": true, "/c/slug/id/tool-results": false, "/c/slug/id/subagents/x": false,
		"/x/2026": true, "/x/2026/11/30": true, "/x/2026/11/30/x": false,
		"/h/run": true, "/h/run/logs": false, "/l/a/b/c/harness/d": true,
		"/o/run": true, "/o/run/workers": false, "/w": true, "/w/x": false,
		"/a/b/c": true, "/a/node_modules": false, "/a/b/.git": false, "/elsewhere": true,
	} {
		if got := entered(roots, dir); got != want {
			t.Errorf("%s: %t, want %t", dir, got, want)
		}
	}
}

// The environment names the roots; what is not absolute in it counts as unset.
func TestDefaultRoots(t *testing.T) {
	tests := map[string]struct {
		env        map[string]string
		state, dir string
		want       []Root
	}{
		"nothing": {nil, "", "", nil},
		"named": {
			map[string]string{"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c1, /c2", "CODEX_HOME": "/x"},
			"/s", "/d",
			[]Root{
				{"/s/runs", KindLayover},
				{"/s/demo/runs", KindLayover},
				{"/s/windows", KindLedger},
				{"/h/.team-harness/runs", KindHarness},
				{"/d/.loopy_loop", KindLoop},
				{"/c1/projects", KindClaude},
				{"/c2/projects", KindClaude},
				{"/x/sessions", KindCodex},
			},
		},
		"home alone": {
			map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "relative"},
			"", "",
			[]Root{{"/h/.team-harness/runs", KindHarness}, {"/h/.claude/projects", KindClaude}, {"/h/.config/claude/projects", KindClaude}, {"/h/.codex/sessions", KindCodex}},
		},
		"relative": {map[string]string{"HOME": "h", "CLAUDE_CONFIG_DIR": "c", "CODEX_HOME": "x"}, "", "", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := DefaultRoots(func(n string) string { return tt.env[n] }, tt.state, tt.dir)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A home or a directory of work stands for what agents and tools keep in it.
func TestRootsOf(t *testing.T) {
	home, plain := t.TempDir(), t.TempDir()
	for _, dir := range []string{".claude/projects", ".codex/sessions", ".loopy_loop"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string][]Root{
		home:                            {{filepath.Join(home, ".claude/projects"), KindClaude}, {filepath.Join(home, ".codex/sessions"), KindCodex}, {filepath.Join(home, ".loopy_loop"), KindLoop}},
		plain:                           {{plain, KindAny}},
		filepath.Join(home, loopDir):    {{filepath.Join(home, loopDir), KindLoop}},
		filepath.Join(plain, "x.jsonl"): {{filepath.Join(plain, "x.jsonl"), KindAny}},
		filepath.Join(home, ".claude"):  {{filepath.Join(home, ".claude/projects"), KindClaude}},
		filepath.Join(home, ".codex"):   {{filepath.Join(home, ".codex/sessions"), KindCodex}},
	} {
		if diff := cmp.Diff(want, RootsOf(path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}
