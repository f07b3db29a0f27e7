package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// store is a store whose disk can be full. It keeps the lines that it saved.
type store struct {
	w   *world
	dir string

	mu          sync.Mutex
	full        error // every save fails with it
	refuses     error // facts are not even kept
	last        uint64
	fullWorkers error
	hidden      error // no list of the directories can be had for it
	fullRun     error // every export fails with it
	kept        []run.Fact
	facts       []run.Fact
	lines       [][]byte
	exports     []uint64 // the facts that exports told last
}

var _ engine.Store = (*store)(nil)

// fill makes every save fail with an error, until it is nil.
func (s *store) fill(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = err
}

// refuse makes the store take no facts, until it is nil.
func (s *store) refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuses = err
}

// fillWorkers makes the directories of agents fail, or work again.
func (s *store) fillWorkers(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fullWorkers = err
}

// hideWorkers makes the list of the directories of agents fail, or work again.
func (s *store) hideWorkers(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hidden = err
}

// has reports whether a fact was saved, and nothing waits to be.
func (s *store) has(is func(run.Fact) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept) == 0 && slices.ContainsFunc(s.facts, is)
}

// behind reports whether facts wait to be saved.
func (s *store) behind() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept) > 0
}

// Append implements [engine.Store] as the journal does: it keeps what it cannot save.
func (s *store) Append(facts []run.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range facts {
		if f.Seq <= s.last {
			continue
		}
		if s.refuses != nil {
			return s.refuses
		}
		s.kept, s.last = append(s.kept, f), f.Seq
	}
	if s.full != nil {
		return s.full
	}
	for _, f := range s.kept {
		line, err := f.MarshalJSON()
		if err != nil {
			s.w.t.Error(err)
		}
		s.lines = append(s.lines, line)
		s.facts = append(s.facts, f)
		s.w.did("save %s", f.Body.Name())
	}
	s.kept = nil
	return nil
}

// Export implements [engine.Store].
func (s *store) Export(st *run.State, _ time.Time, _ bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fullRun != nil {
		return s.fullRun
	}
	s.exports = append(s.exports, st.Seq)
	return nil
}

// exported is the fact that the latest export told last.
func (s *store) exported() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.exports) == 0 {
		return 0
	}
	return s.exports[len(s.exports)-1]
}

// Worker implements [engine.Store].
func (s *store) Worker(label, hex string) (journal.Worker, error) {
	s.mu.Lock()
	full := s.fullWorkers
	s.mu.Unlock()
	if full != nil {
		return journal.Worker{}, full
	}
	if err := os.MkdirAll(filepath.Join(s.dir, label+hex), 0o700); err != nil {
		return journal.Worker{}, err
	}
	return s.OpenWorker(label + hex)
}

// OpenWorker implements [engine.Store]. It makes nothing.
func (s *store) OpenWorker(name string) (journal.Worker, error) {
	dir := filepath.Join(s.dir, name)
	if _, err := os.Stat(dir); err != nil {
		return journal.Worker{}, err
	}
	return journal.Worker{
		Name: name, Dir: dir, Stdout: filepath.Join(dir, "stdout.jsonl"), Stderr: filepath.Join(dir, "stderr.log"),
		Lock: filepath.Join(dir, "lock"), Exit: filepath.Join(dir, "exit.json"),
	}, nil
}

// Workers implements [engine.Store].
func (s *store) Workers() ([]journal.Worker, error) {
	s.mu.Lock()
	hidden := s.hidden
	s.mu.Unlock()
	if hidden != nil {
		return nil, hidden
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var all []journal.Worker
	for _, e := range entries {
		w, err := s.OpenWorker(e.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// ledger is the ledger of a world, with one permit per window.
type ledger world

var _ engine.Ledger = (*ledger)(nil)

// Poll implements [engine.Ledger].
func (l *ledger) Poll() []run.Seen {
	w := (*world)(l)
	w.mu.Lock()
	defer w.mu.Unlock()
	told := w.records
	w.records = nil
	return told
}

// asked checks that nothing that was decided before waits to be saved.
func (l *ledger) asked(format string, args ...any) *world {
	w := (*world)(l)
	w.did(format, args...)
	if w.store.behind() {
		w.t.Errorf("%s: the ledger is called while facts are not saved", format)
	}
	return w
}

// TryPermit implements [engine.Ledger].
func (l *ledger) TryPermit(keys []run.WindowKey) (bool, string) {
	w := l.asked("permit %s", keys[0])
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refuse > 0 {
		w.refuse--
		return false, "another process"
	}
	w.permits = append(w.permits, keys...)
	return true, ""
}

// Release implements [engine.Ledger].
func (l *ledger) Release(key run.WindowKey) {
	w := l.asked("release %s", key)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.permits = slices.DeleteFunc(w.permits, func(k run.WindowKey) bool { return k == key })
}

// permitsVar is the variable that tells an agent of the permits that its owner holds.
const permitsVar = "PERMITS"

// Environ implements [engine.Ledger]. Like the real one it tells only of permits that
// are held.
func (l *ledger) Environ(keys []run.WindowKey) []string {
	w := (*world)(l)
	w.mu.Lock()
	defer w.mu.Unlock()
	var told []string
	for _, k := range keys {
		if slices.Contains(w.permits, k) {
			told = append(told, permitsVar+"="+k.String())
		}
	}
	return told
}

// Merge implements [engine.Ledger]. What it tells must have been saved.
func (l *ledger) Merge(v run.Window, cleared bool) {
	what := "merge"
	if cleared {
		what = "clear"
	}
	w := l.asked("%s %s", what, v.WindowKey)
	if !w.store.has(func(f run.Fact) bool { return tells(f, v.WindowKey, cleared) }) {
		w.t.Errorf("%s %s before that is saved", what, v.WindowKey)
	}
}

func tells(f run.Fact, k run.WindowKey, cleared bool) bool {
	switch b := f.Body.(type) {
	case run.WindowOpened:
		return !cleared && b.WindowKey == k
	case run.WindowExtended:
		return !cleared && b.WindowKey == k
	case run.WindowCleared:
		return cleared && b.Key == k
	}
	return false
}
