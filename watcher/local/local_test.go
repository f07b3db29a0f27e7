package local_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/watcher"
	"example.com/layover/watcher/local"
)

// way keeps what came by it.
type way struct {
	mu    sync.Mutex
	state run.State
	err   error
	ended chan struct{}
}

func (w *way) Restart() {}

func (w *way) Facts(facts []run.Fact) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range facts {
		if err := w.state.Apply(f); err != nil && w.err == nil {
			w.err = err
		}
	}
}

func (w *way) Observe(run.Observation) {}

func (w *way) Ended(int, error) { close(w.ended) }

// machine is what a user has whose home is empty but for what is put there.
func machine(t *testing.T, paths ...string) (m *local.Machine, home string) {
	t.Helper()
	home = t.TempDir()
	env := map[string]string{"HOME": home}
	return local.New(local.Options{Paths: paths, Getenv: func(n string) string { return env[n] }, Now: time.Now}), home
}

// A run of Layover's that is opened is told by its own facts, to its end.
func TestAnOwnRunIsToldByItsFacts(t *testing.T) {
	m, home := machine(t)
	text, err := os.ReadFile("../../testdata/runs/night/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "20261130_221502_7f44a784")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, journal.EventsFile), text, 0o600); err != nil {
		t.Fatal(err)
	}
	w := &way{ended: make(chan struct{})}
	m.Open(dir, run.OriginLayover, w)
	select {
	case <-w.ended:
	case <-time.After(20 * time.Second):
		t.Fatal("its end was not told")
	}
	m.Leave(dir)
	if w.err != nil || w.state.Phase != run.PhaseEnded || len(w.state.Lanes) == 0 {
		t.Errorf("%v, phase %s, %d lanes", w.err, w.state.Phase, len(w.state.Lanes))
	}
}

// Paths are watched instead of what the environment names.
func TestRoots(t *testing.T) {
	all, home := machine(t)
	kinds := map[watcher.Kind]bool{}
	for _, r := range all.Roots {
		kinds[r.Kind] = true
		if !filepath.IsAbs(r.Path) {
			t.Errorf("%s is not absolute", r.Path)
		}
	}
	for _, k := range []watcher.Kind{watcher.KindClaude, watcher.KindCodex, watcher.KindHarness, watcher.KindLayover, watcher.KindLedger} {
		if !kinds[k] {
			t.Errorf("nothing of kind %d is watched below %s", k, home)
		}
	}
	dir := t.TempDir()
	one, _ := machine(t, dir)
	if len(one.Roots) != 1 || one.Roots[0] != (watcher.Root{Path: dir, Kind: watcher.KindAny}) {
		t.Errorf("watched are %v", one.Roots)
	}
}

// What was read once is not read again because somebody stands in another directory.
func TestOneCheckpointForAllDirectories(t *testing.T) {
	home := t.TempDir()
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(home, ".claude", "projects", "p", "s.jsonl"),
		`{"type":"assistant","sessionId":"s","timestamp":"2026-12-01T12:00:00.000Z","message":{"id":"m","role":"assistant","content":[],"usage":{"output_tokens":7}}}`+"\n")
	loop := t.TempDir()
	put(filepath.Join(loop, ".loopy_loop", "state.json"), "{}")
	for _, c := range []struct {
		dir  string
		kept int
	}{{t.TempDir(), 1}, {t.TempDir(), 1}, {loop, 2}} {
		env := map[string]string{"HOME": home}
		m := local.New(local.Options{Dir: c.dir, Getenv: func(n string) string { return env[n] }, Now: time.Now})
		ctx, cancel := context.WithCancel(t.Context())
		used := int64(0)
		if err := m.Run(ctx, func(x run.Changes) {
			if x.Complete {
				used = x.Usage.Output
				cancel()
			}
		}); err != nil {
			t.Fatal(err)
		}
		kept, err := filepath.Glob(filepath.Join(home, ".cache", "layover", "watch-*"))
		if err != nil || len(kept) != c.kept || used != 7 {
			t.Errorf("in %s: %d checkpoints, want %d; used %d; %v", c.dir, len(kept), c.kept, used, err)
		}
	}
}

// Orders go to the run that is named, or it is said why not.
func TestOrdersToNoRun(t *testing.T) {
	m, home := machine(t)
	for _, dir := range []string{home, filepath.Join(home, "nowhere")} {
		if err := m.Send(dir, run.Command{Verb: run.VerbSoftStop}); err == nil {
			t.Errorf("an order to %s went well", dir)
		}
	}
}
