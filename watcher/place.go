package watcher

import (
	"path/filepath"
	"strings"

	"example.com/layover/engine/run"
)

// what a file is, as far as its place and its name tell.
type what struct {
	form    form
	origin  run.Origin
	dialect string // of a stream; empty if that is to be guessed
	key     string // of the run that it belongs to, see [run.Watched]
}

type form int

const (
	formStream  form = iota + 1
	formRunFile      // a run.json
	formWindow       // of the ledger
)

const (
	runFile    = "run.json"
	subagents  = "subagents"
	transcript = "claude-transcript"
	rollout    = "codex-rollout"
)

// place finds the root that a path is below, the innermost one, and the names from there.
func place(roots []Root, path string) (Root, []string) {
	var best Root
	var below []string
	for _, r := range roots {
		rel, ok := strings.CutPrefix(path, r.Path)
		if !ok || len(r.Path) < len(best.Path) || (rel != "" && rel[0] != filepath.Separator && r.Path != "/") {
			continue
		}
		best, below = r, nil
		if rel = strings.Trim(rel, string(filepath.Separator)); rel != "" {
			below = strings.Split(rel, string(filepath.Separator))
		}
	}
	return best, below
}

// entered reports whether a directory below a root can hold something to be watched.
func entered(roots []Root, dir string) bool {
	root, below := place(roots, dir)
	if len(below) == 0 {
		return true
	}
	last := below[len(below)-1]
	switch root.Kind {
	case KindClaude:
		return len(below) <= 2 || (len(below) == 3 && last == subagents)
	case KindHarness, KindLayover:
		return len(below) == 1
	case KindLedger:
		return false
	case KindCodex:
		return len(below) <= 3
	}
	return last != ".git" && last != ".hg" && last != "node_modules"
}

// sorted tells what a file is; false if it is not to be watched.
func sorted(roots []Root, path string) (what, bool) {
	root, below := place(roots, path)
	name := filepath.Base(path)
	lines := strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
	run1 := what{form: formRunFile, key: filepath.Dir(path)}
	switch root.Kind {
	case KindClaude:
		return ofSession(path, below), lines && len(below) >= 2
	case KindCodex:
		return what{formStream, run.OriginSession, rollout, path}, lines && strings.HasPrefix(name, "rollout-")
	case KindHarness:
		run1.origin = run.OriginHarness
		return run1, len(below) == 2 && name == runFile
	case KindLayover:
		run1.origin = run.OriginLayover
		return run1, len(below) == 2 && name == runFile
	case KindLoop:
		run1.origin = run.OriginLoop
		return run1, name == runFile && inHarness(below)
	case KindLedger:
		return what{form: formWindow}, filepath.Ext(name) == ".json"
	case KindAny:
		if name == runFile {
			run1.origin = run.OriginHarness
			if inHarness(below) {
				run1.origin = run.OriginLoop
			}
			return run1, true
		}
		return anyStream(path, name), lines || len(below) == 0
	}
	return what{}, false
}

func inHarness(below []string) bool {
	for _, name := range below[:max(0, len(below)-1)] {
		if name == "harness" {
			return true
		}
	}
	return false
}

// ofSession is a transcript below projects. What a sub-agent did belongs to the session that
// started it.
func ofSession(path string, below []string) what {
	w := what{formStream, run.OriginSession, transcript, path}
	if n := len(below); n >= 4 && below[n-2] == subagents {
		w.key = filepath.Dir(filepath.Dir(path)) + ".jsonl"
	}
	return w
}

// anyStream is a JSONL file anywhere; the one of a sub-agent belongs to the session
// beside whose directory it is.
func anyStream(path, name string) what {
	w := what{form: formStream, origin: run.OriginStream, key: path}
	if dir := filepath.Dir(path); filepath.Base(dir) == subagents && strings.HasPrefix(name, "agent-") {
		w.key = filepath.Dir(dir) + ".jsonl"
	}
	return w
}
