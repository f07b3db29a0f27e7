package watcher

import (
	"cmp"
	"hash/maphash"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// entry is a run or a session that is watched.
type entry struct {
	key     string
	origin  run.Origin
	sources []*source
	// file is what its run.json says, and err why that cannot be read; nil of a session.
	file *runfile.File
	err  error
	// written is when that was written last.
	written time.Time
	// logs are the accounts of the outputs that its run.json names, by the names that it
	// has for them.
	logs map[string]stream.Account
	// told is how it was told last, and last the same whole, of a run that has a run.json.
	told told
	last *run.Watched
	// crew is who was told to be at work in it.
	crew foreign.Crew
	// turns is when it may stand otherwise by the passing of time alone; zero if never.
	turns time.Time
}

// told is what is remembered of how something was told. The zero value was not.
type told struct {
	sum   uint64
	state run.Standing
	cost  int64 // in millionths of a dollar
}

var seed = maphash.MakeSeed()

func toldOf(x run.Watched, now time.Time) told {
	return told{maphash.Comparable(seed, x), x.Standing(now), int64(1e6 * x.Usage.CostUSD)}
}

// entry finds or makes what is watched under a key.
func (w *owner) entry(key string, origin run.Origin) *entry {
	e := w.entries[key]
	if e == nil {
		e = &entry{key: key, origin: origin}
		w.entries[key] = e
		w.touch(e)
	}
	return e
}

// touch has an entry looked at before the next telling.
func (w *owner) touch(e *entry) { w.changed[e] = true }

// remove takes a stream out of an entry, or a whole run; what is left is shown.
func (w *owner) remove(key string, s *source) {
	e := w.entries[key]
	if e == nil {
		return
	}
	if s == nil {
		e.file, e.err = nil, nil
	} else {
		delete(e.logs, s.log)
		for i, x := range e.sources {
			if x == s {
				e.sources = append(e.sources[:i:i], e.sources[i+1:]...)
				break
			}
		}
	}
	w.touch(e)
	if e.file == nil && e.err == nil && (len(e.sources) == 0 || s == nil) {
		w.hide(e)
		delete(w.entries, key)
		delete(w.changed, e)
	}
}

// account takes what a stream has told so far.
func (w *owner) account(s *source) {
	e, a := w.entry(s.key, s.origin), s.account()
	s.fresh = &a
	w.fresh = append(w.fresh, s)
	said, at := a, s.modified
	if isRun(e.origin) && e.file != nil && !e.file.End.IsZero() { // it may be a copy, written long after
		said = foreign.Before(said, e.file.End)
		if at.After(e.file.End) {
			at = e.file.End
		}
	}
	w.families.account(s.path, said, at)
	if a.Dialect != "" && !counts(a.Dialect) {
		w.messages.session(s.number, cmp.Or(a.Session, s.path), a.Activity.Usage)
		w.dirty = true
	}
	if isRun(e.origin) {
		if e.logs == nil {
			e.logs = map[string]stream.Account{}
		}
		e.logs[s.log] = a
	}
	w.touch(e)
}

// isRun reports whether a run.json tells of what has this origin.
func isRun(o run.Origin) bool { return o != run.OriginSession && o != run.OriginStream }

// watched makes of an entry what is shown, and who is at work in it; false if it is not to
// be shown.
func (w *owner) watched(e *entry) (run.Watched, foreign.Crew, bool) {
	switch {
	case e.err != nil:
		return unreadable(e), nil, true
	case e.file != nil && e.file.Layover != nil:
		held := w.Held != nil && w.Held(e.key)
		x, crew := foreign.Own(e.key, e.file, held)
		x.At = e.written // the clock of a demo is not ours
		return x, crew, true
	case e.file != nil:
		x, crew := w.known(e).See(w.Now())
		return x, crew, true
	case isRun(e.origin): // its run.json is still to come
		return run.Watched{}, nil, false
	case w.covered(e.key):
		return run.Watched{}, nil, false
	}
	x, ok := w.session(e)
	if x.Standing(w.Now()) == run.StandingWorking {
		return x, w.crew(x.Family, max(1, x.Lanes.Working)), ok
	}
	return x, nil, ok
}

// known is what is known of the run of another tool.
func (w *owner) known(e *entry) foreign.Known {
	return foreign.Known{Key: e.key, Origin: e.origin, File: e.file, Logs: e.logs, Alive: w.alive(e.file), Modified: e.written}
}

// originOf is whose a stream is, once it is known in which dialect it is written.
func originOf(o run.Origin, dialect string) run.Origin {
	if dialect == transcript || dialect == rollout {
		return run.OriginSession
	}
	return o
}

// session puts together what the streams of a session tell: the one of its key, and those
// of its sub-agents.
func (w *owner) session(e *entry) (run.Watched, bool) {
	var all, side run.Watched
	listed := run.Watched{Key: e.key, Origin: e.origin, Name: run.Untrusted(called(e.key)), State: run.StandingListed}
	for _, s := range e.sources {
		if s.modified.After(listed.At) {
			listed.At = s.modified
		}
		switch x, told := w.part(e, s); {
		case !told:
		case s.path == e.key:
			all = x
		case side.Key == "":
			side = x
		default:
			side.Usage, side.Lanes.Working = side.Usage.Add(x.Usage), side.Lanes.Working+x.Lanes.Working
			side.At = later(side.At, x.At)
		}
	}
	switch {
	case all.Key == "" && side.Key == "":
		return listed, true
	case all.Key == "": // the session itself is gone, or was not read
		return side, true
	case all.Origin == run.OriginStream && all.Family == "": // it is no agent's output
		all.State, all.Why, all.Lanes = run.StandingUnreadable, "it is not the output of an agent that is known", run.LaneCounts{}
		return all, w.single(e.key)
	}
	all.Usage, all.Lanes.Working = all.Usage.Add(side.Usage), all.Lanes.Working+side.Lanes.Working
	all.At = later(all.At, side.At)
	return all, true
}

// part is what one stream of a session tells; false if it has not been read.
func (w *owner) part(e *entry, s *source) (run.Watched, bool) {
	if !s.known() {
		return run.Watched{}, false
	}
	var a stream.Account
	if s.fresh != nil {
		a = *s.fresh
	} else {
		a = s.account()
	}
	k := foreign.Known{Key: e.key, Origin: originOf(e.origin, a.Dialect), Account: a, Modified: s.modified}
	x := k.Watched(w.Now())
	if a.Turn == 0 && a.Activity.Lines == 0 { // nothing was written yet
		x.State, x.Lanes = run.StandingListed, run.LaneCounts{}
	}
	return x, true
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// called is what a file is called if nothing tells more of it.
func called(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return filepath.Base(filepath.Dir(path)) + "/" + base
}

// covered reports whether a file is within the directory of a run that is watched: what it
// holds is a part of that.
func (w *owner) covered(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if e := w.entries[dir]; e != nil && isRun(e.origin) && e.file != nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

func unreadable(e *entry) run.Watched {
	var x run.Watched
	if e.last != nil {
		x = *e.last
	}
	x.Key, x.Origin, x.State, x.Why = e.key, e.origin, run.StandingUnreadable, run.Untrusted(e.err.Error())
	if x.Name == "" {
		x.Name = run.Untrusted(filepath.Base(e.key))
	}
	return x
}

// pace tells what has changed at once, or a while after the last time. The first picture
// does not wait.
func (w *owner) pace() {
	now := time.Now()
	if wait := frameEvery - now.Sub(w.flushed); w.told && wait > 0 {
		if !w.framing {
			w.framing = true
			w.frame.Reset(wait)
		}
		return
	}
	if w.flush() {
		w.flushed = now
	}
}

// flush tells what has changed, and reports whether anything has.
func (w *owner) flush() bool {
	var c run.Changes
	w.await()
	for s := range w.moved {
		if w.sources[s.path] == s {
			w.account(s)
		}
	}
	clear(w.moved)
	for e := range w.changed {
		now, crew, ok := w.watched(e)
		if !ok {
			w.hide(e)
			continue
		}
		if w.opened[e.key] != nil {
			w.fed(e)
		}
		e.turns = now.Turns(w.Now())
		w.turnAt(e.turns)
		w.work(e, crew)
		if is := toldOf(now, w.Now()); is != e.told {
			w.cost += is.cost - e.told.cost
			if e.told = is; isRun(e.origin) {
				e.last = &now
			}
			c.Runs = append(c.Runs, now)
		}
		w.watchProcess(e)
	}
	clear(w.changed)
	w.rest()
	c.Gone, w.gone = w.gone, nil
	c.Families = w.families.fresh(w.Now(), w.Windows)
	w.turnAt(w.families.turns)
	c.Complete = w.settled && w.pending == 0 && len(w.waiting) == 0 && len(w.expected) == 0 && w.documents.idle()
	if len(c.Runs) == 0 && len(c.Gone) == 0 && c.Families == nil && !w.dirty && c.Complete == w.told {
		return false
	}
	c.Usage, c.Reading, c.Notes = w.messages.sum, w.reading, w.allNotes()
	c.Usage.CostUSD = float64(w.cost) / 1e6
	w.dirty, w.told = false, c.Complete
	w.tell(c)
	return true
}

// rest puts to rest what was read to its end, or not for long: what is written to its file
// from now on is found anew.
func (w *owner) rest() {
	for _, s := range w.rested {
		if s.settle() && s.followed {
			s.followed = false
			w.tree.Leave(s.path)
		}
	}
	w.rested = w.rested[:0]
	for _, s := range w.fresh {
		s.fresh = nil
	}
	w.fresh = w.fresh[:0]
}

// hide takes back what was shown of an entry.
func (w *owner) hide(e *entry) {
	if e.told == (told{}) {
		return
	}
	w.work(e, nil)
	w.cost -= e.told.cost
	w.gone = append(w.gone, e.key)
	e.told, e.last, e.turns = told{}, nil, time.Time{}
}

// crew is so many agents of a family. There is one of each, as there may be thousands of
// sessions.
func (w *owner) crew(family string, n int) foreign.Crew {
	key := one{family, n}
	if w.crews[key] == nil {
		w.crews[key] = foreign.Crew{family: n}
	}
	return w.crews[key]
}

type one struct {
	family string
	n      int
}

// work takes who is at work in a run.
func (w *owner) work(e *entry, crew foreign.Crew) {
	if !maps.Equal(e.crew, crew) {
		w.families.working(e.crew, crew)
		e.crew = crew
	}
}
