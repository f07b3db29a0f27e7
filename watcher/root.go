package watcher

import (
	"os"
	"path/filepath"
	"strings"
)

// Kind is how a root is laid out.
type Kind int

const (
	// KindAny is anything: each run.json and each JSONL file below it counts.
	KindAny Kind = iota + 1
	// KindClaude holds the sessions of Claude Code: projects/*/*.jsonl, and those of
	// their sub-agents.
	KindClaude
	// KindCodex holds the rollouts of Codex, by year, month and day.
	KindCodex
	// KindHarness holds the runs of team-harness: */run.json.
	KindHarness
	// KindLoop is a directory of loopy-loop: **/harness/**/run.json.
	KindLoop
	// KindLayover holds Layover's own runs: */run.json.
	KindLayover
	// KindLedger holds the windows that Layover's runs share.
	KindLedger
)

// Root is a directory that is watched with all in it, or a single file.
type Root struct {
	Path string
	Kind Kind
}

// loopDir is where loopy-loop keeps what it does, in the directory of the work.
const loopDir = ".loopy_loop"

// DefaultRoots are those of a user, from the environment: CLAUDE_CONFIG_DIR, which may be
// a list with commas, CODEX_HOME, XDG_CONFIG_HOME and HOME. State is Layover's own state
// directory, and dir the working directory; each may be empty. They need not exist.
func DefaultRoots(getenv func(string) string, state, dir string) []Root {
	home := getenv("HOME")
	under := func(parts ...string) string {
		if !filepath.IsAbs(parts[0]) {
			return ""
		}
		return filepath.Join(parts...)
	}
	var roots []Root
	add := func(kind Kind, path string) {
		if path != "" {
			roots = append(roots, Root{path, kind})
		}
	}
	if state != "" {
		add(KindLayover, under(state, "runs"))
		add(KindLayover, under(state, "demo", "runs"))
		add(KindLedger, under(state, "windows"))
	}
	add(KindHarness, under(home, ".team-harness", "runs"))
	if dir != "" {
		add(KindLoop, under(dir, loopDir))
	}
	if named := getenv("CLAUDE_CONFIG_DIR"); named != "" {
		for _, one := range strings.Split(named, ",") {
			add(KindClaude, under(strings.TrimSpace(one), "projects"))
		}
	} else {
		config := getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(config) {
			config = under(home, ".config")
		}
		add(KindClaude, under(home, ".claude", "projects"))
		add(KindClaude, under(config, "claude", "projects"))
	}
	if codex := getenv("CODEX_HOME"); codex != "" {
		add(KindCodex, under(codex, "sessions"))
	} else {
		add(KindCodex, under(home, ".codex", "sessions"))
	}
	return roots
}

// RootsOf tells what somebody means who names a path, which is absolute: the directories
// of an agent or a tool, or else anything.
func RootsOf(path string) []Root {
	at := func(kind Kind, parts ...string) (Root, bool) {
		dir := filepath.Join(append([]string{path}, parts...)...)
		info, err := os.Stat(dir)
		return Root{dir, kind}, err == nil && info.IsDir()
	}
	if filepath.Base(path) == loopDir {
		return []Root{{path, KindLoop}}
	}
	var roots []Root
	for _, known := range []struct {
		kind  Kind
		parts []string
	}{
		{KindClaude, []string{".claude", "projects"}},
		{KindCodex, []string{".codex", "sessions"}},
		{KindHarness, []string{".team-harness", "runs"}},
		{KindLoop, []string{loopDir}},
		{KindClaude, []string{"projects"}},
		{KindCodex, []string{"sessions"}},
	} {
		if bare := len(known.parts) == 1 && known.kind != KindLoop; bare && !named(path, known.kind) {
			continue
		}
		if r, is := at(known.kind, known.parts...); is {
			roots = append(roots, r)
		}
	}
	if len(roots) > 0 { // an agent's own directory, somebody's home, or a directory of work
		return roots
	}
	return []Root{{path, KindAny}}
}

// named reports whether a directory is called as an agent's own is: others may well have
// projects or sessions in them.
func named(path string, k Kind) bool {
	name := filepath.Base(path)
	return (k == KindClaude && (name == ".claude" || name == "claude")) || (k == KindCodex && (name == ".codex" || name == "codex"))
}
