package watcher

import (
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/tail"
	"example.com/layover/watcher/tree"
)

const (
	// frameEvery is how often it is told what has changed, once all is known: a screen shows
	// no more.
	frameEvery = time.Second / 12
	// processEvery is how often it is asked whether the processes of unfinished runs live.
	processEvery = 2 * time.Second
	// saveEvery is how long what was read stays unsaved at most.
	saveEvery = 5 * time.Minute
	// warm is how many streams keep their readers: those that were read last.
	warm = 64
)

// owner is all that a watcher knows. One goroutine uses it.
type owner struct {
	Options
	tree *tree.Tree
	tell func(run.Changes)
	feed func(Feed)

	sources map[string]*source // by path
	numbers int32
	warm    []*source // those that have a reader
	reads   uint64
	entries map[string]*entry // by key
	opened  map[string]*opened

	messages   messages
	counts     []message // that were told of since count
	tellers    []teller
	void       []int32 // files of which what they told counts no more
	families   families
	documents  *documents
	checkpoint checkpoint

	settled bool      // the first scan is over
	waiting []*source // what is to be read once it is
	// expected are the logs of runs that are there, and were not found yet.
	expected map[string]bool
	rested   []*source        // what was read to its end, and rests after the next telling
	moved    map[*source]bool // what was read since the last telling
	fresh    []*source        // what has told something since the last telling
	pending  int              // first reads under way
	reading  run.Progress
	notes    []string

	changed map[*entry]bool
	gone    []string
	told    bool                 // the picture was told to be complete
	dirty   bool                 // something else than entries has changed
	crews   map[one]foreign.Crew // of sessions
	cost    int64                // of all that is shown, in millionths of a dollar
	// frame runs while something waits to be told, which was last done at flushed.
	frame   *time.Timer
	framing bool
	flushed time.Time
	look    *time.Timer
	looking bool
	// turn runs until something may stand otherwise by the passing of time alone: at turns,
	// or when what is absent may have come.
	turn     *time.Timer
	turns    time.Time
	absent   []string // what was named, and is not there yet
	saving   *time.Timer
	unsaved  bool
	unkept   error // of the last time that it was saved
	restored map[string]saved
}

func newOwner(o Options, tell func(run.Changes), feed func(Feed)) *owner {
	w := &owner{
		Options: o, tell: tell, feed: feed,
		sources: map[string]*source{}, entries: map[string]*entry{}, opened: map[string]*opened{},
		changed: map[*entry]bool{}, crews: map[one]foreign.Crew{}, moved: map[*source]bool{}, expected: map[string]bool{}, documents: newDocuments(o.Keep), families: newFamilies(),
		look: stopped(), saving: stopped(), frame: stopped(), turn: stopped(), absent: slices.Clone(o.Named),
	}
	w.checkpoint = checkpoint{path: o.Checkpoint}
	w.tree = tree.New(tree.Options{
		Enter:   func(dir string) bool { return entered(o.Roots, dir) },
		Keep:    func(path string) bool { _, ok := sorted(o.Roots, path); return ok }, // the logs of runs are roots
		Once:    o.Once,
		Watches: o.Watches,
		Workers: runtime.GOMAXPROCS(0) + 1, // one is kept for what is written now
	})
	return w
}

// restore takes up what an earlier watcher has kept. It counts once its files are found.
func (w *owner) restore() {
	w.restored = w.checkpoint.load(w.messages.restore)
	w.messages.asleep = make(map[int32]run.Usage, len(w.restored))
	for _, s := range w.restored {
		w.messages.asleep[s.Number] = s.Sum
		w.numbers = max(w.numbers, s.Number)
	}
}

// stopped makes a timer that does not run.
func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// sorted tells what a file is: a log that a run names is a stream of that run.
func (w *owner) sorted(path string) (what, bool) {
	if s := w.sources[path]; s != nil {
		return s.what, true
	}
	return sorted(w.Roots, path)
}

// take takes what the files below the roots have shown.
func (w *owner) take(b tree.Batch) {
	for _, r := range b.Read {
		w.read(r)
	}
	w.count()
	for _, f := range b.Found {
		w.found(f)
	}
	for _, path := range b.Gone {
		w.lost(path)
	}
	w.count()
	for _, f := range b.Failed {
		w.say(fmt.Sprintf("%s cannot be watched: %v", f.Path, f.Err))
	}
	if b.Settled && !w.settled {
		w.settled = true
		w.forget()
		w.begin()
	}
}

// count takes what files have told of messages, after what has become void: to find that
// goes through all messages, so it is done once for all files.
func (w *owner) count() {
	w.dirty = w.dirty || len(w.void) > 0 || len(w.counts) > 0 // they are in the sum
	w.messages.drop(w.void...)
	from := 0
	for _, t := range w.tellers {
		for _, m := range w.counts[from:t.to] {
			w.messages.add(t.file, m.id, m.tokens)
		}
		from = t.to
	}
	w.void, w.counts, w.tellers = w.void[:0], w.counts[:0], w.tellers[:0]
}

// teller is a file, and how many messages it and those before it have told of.
type teller struct {
	file int32
	to   int
}

func (w *owner) found(f tree.Found) {
	is, ok := w.sorted(f.Path)
	if !ok {
		return
	}
	switch is.form {
	case formWindow:
		w.families.stale = true
	case formRunFile:
		w.documents.want(f.Path)
	case formStream:
		w.foundStream(f, is)
	}
}

func (w *owner) foundStream(f tree.Found, is what) {
	s := w.source(f.Path, is)
	s.found(f)
	if s.followed {
		return
	}
	delete(w.expected, f.Path)
	if !s.recent(w.Now(), w.Since) && !w.isOpen(s.key) && !w.single(f.Path) && s.log == "" {
		w.touch(w.entry(s.key, s.origin)) // it is listed
		return
	}
	w.recall(s)
	if s.known() && !s.found(f) {
		return // nothing is new
	}
	if s.known() && w.settled { // it was read to its end: this is new
		w.follow(s, false)
		return
	}
	if w.waiting = append(w.waiting, s); w.settled {
		w.begin()
	}
}

// follow has a file read from where it was left on, and as it grows.
func (w *owner) follow(s *source, first bool) tail.Place {
	from := s.begin(!first)
	s.followed, s.first = true, -1
	w.tree.Follow(s.path, from, s, first)
	return from
}

// recall takes up what an earlier watcher has read of a file.
func (w *owner) recall(s *source) {
	old, ok := w.restored[s.path]
	if !ok || s.known() {
		return
	}
	delete(w.restored, s.path)
	if old.Place.Identity == s.id {
		s.resume(old)
		w.messages.wake(s.number)
		w.account(s)
	}
}

// forget lets go of what an earlier watcher has read in files that are not there any more,
// once all have been found that are.
func (w *owner) forget() {
	gone := maps.Clone(w.messages.asleep)
	if len(gone) == 0 {
		return
	}
	for path, old := range w.restored {
		if w.sources[path] != nil {
			delete(gone, old.Number) // it is only listed
		} else {
			delete(w.restored, path)
		}
	}
	w.messages.drop(slices.Collect(maps.Keys(gone))...)
	w.messages.stand()
}

// single reports whether a file was named by itself.
func (w *owner) single(path string) bool {
	return slices.ContainsFunc(w.Roots, func(r Root) bool { return r.Path == path })
}

// source is what is known of a stream.
func (w *owner) source(path string, is what) *source {
	s := w.sources[path]
	if s == nil {
		w.numbers++
		s = &source{what: is, path: path, number: w.numbers, options: &w.Options}
		w.sources[path] = s
		e := w.entry(is.key, is.origin)
		e.sources = append(e.sources, s)
	}
	return s
}

// begin reads what waits to be read, the newest first.
func (w *owner) begin() {
	slices.SortStableFunc(w.waiting, func(a, b *source) int { return b.modified.Compare(a.modified) })
	for _, s := range w.waiting {
		if s.followed || w.sources[s.path] != s {
			continue
		}
		from := w.follow(s, true)
		s.first = max(0, s.size-from.Offset)
		w.pending++
		w.reading.Total += s.first
	}
	w.waiting, w.dirty = nil, true
}

// read takes what was read of a stream.
func (w *owner) read(r tree.Read) {
	s := w.sources[r.Path]
	if s == nil {
		return
	}
	if r.Bytes > 0 && s.first < 0 {
		s.written(w.Now())
	}
	w.reads++
	s.read = w.reads
	first := s.first >= 0
	w.progress(s, r)
	var anew bool
	if w.counts, anew = s.took(r.Place, w.counts); anew {
		w.void = append(w.void, s.number)
	}
	w.tellers = append(w.tellers, teller{s.number, len(w.counts)})
	switch e := w.entry(s.key, s.origin); {
	case !isRun(s.origin):
		e.err = r.Err // nil once it can be read again
	case r.Err != nil:
		w.say(r.Err.Error())
	}
	w.moved[s] = true
	switch {
	case r.More:
	case first:
		w.rested = append(w.rested, s)
	default:
		w.cool(s)
	}
	w.unsave()
}

// progress reckons how far the first read has come.
func (w *owner) progress(s *source, r tree.Read) {
	if s.first < 0 {
		return
	}
	n := min(r.Bytes, s.first)
	if !r.More {
		n = s.first // it may have shrunk meanwhile
	}
	s.first -= n
	w.reading.Done += n
	if !r.More {
		s.first = -1
		w.pending--
	}
	w.dirty = true
}

// cool puts readers to rest that were not used for long.
func (w *owner) cool(s *source) {
	if !s.awake() {
		return
	}
	if !slices.Contains(w.warm, s) {
		w.warm = append(w.warm, s)
	}
	if len(w.warm) <= warm {
		return
	}
	oldest := slices.MinFunc(w.warm, func(a, b *source) int { return int(int64(a.read) - int64(b.read)) })
	if oldest == s {
		return
	}
	w.rested = append(w.rested, oldest)
	w.warm = slices.DeleteFunc(w.warm, func(x *source) bool { return x == oldest })
}

// lost takes that a file is no more.
func (w *owner) lost(path string) {
	delete(w.expected, path)
	is, ok := w.sorted(path)
	switch {
	case ok && is.form == formWindow:
		w.families.stale = true
	case ok && is.form == formRunFile:
		w.documents.drop(path)
		w.families.forget(path)
		w.remove(is.key, nil)
		w.left(is.key)
	case w.sources[path] != nil:
		s := w.sources[path]
		w.void = append(w.void, s.number)
		w.families.forget(path)
		w.tree.Leave(path)
		if s.first >= 0 && s.followed {
			w.progress(s, tree.Read{})
		}
		delete(w.sources, path)
		if w.remove(s.key, s); s.path == s.key {
			w.left(s.key)
		}
	}
	w.unsave()
}

func (w *owner) unsave() {
	if !w.unsaved && w.Checkpoint != "" {
		w.unsaved = true
		w.saving.Reset(saveEvery)
	}
}

// isOpen reports whether a run is shown by itself.
func (w *owner) isOpen(key string) bool { return w.opened[key] != nil }

// inside reports whether a path is below a directory.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

var _ tail.Sink = (*source)(nil)
