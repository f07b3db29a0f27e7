package watcher

import (
	"cmp"
	"path/filepath"
	"reflect"
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
	// parts are what the streams of a session tell, each by itself.
	parts map[*source]run.Watched
	// shown is how it was told last.
	shown run.Watched
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

// fault takes why a file cannot be read.
func (e *entry) fault(err error) { e.err = err }

// remove takes a stream out of an entry, or a whole run; what is left is shown.
func (w *owner) remove(key string, s *source) {
	e := w.entries[key]
	if e == nil {
		return
	}
	if s == nil {
		e.file, e.err = nil, nil
	} else {
		delete(e.parts, s)
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
	w.families.account(s.path, a, s.found.Modified)
	if a.Dialect != "" && !counts(a.Dialect) {
		w.messages.session(s.number, cmp.Or(a.Session, s.path), a.Activity.Usage)
		w.dirty = true
	}
	if isRun(e.origin) {
		if e.logs == nil {
			e.logs = map[string]stream.Account{}
		}
		e.logs[s.log] = a
	} else {
		if e.parts == nil {
			e.parts = map[*source]run.Watched{}
		}
		k := foreign.Known{Key: e.key, Origin: originOf(e.origin, a.Dialect), Account: a, Modified: s.found.Modified}
		e.parts[s] = k.Watched(w.Now())
	}
	w.touch(e)
}

// isRun reports whether a run.json tells of what has this origin.
func isRun(o run.Origin) bool { return o != run.OriginSession && o != run.OriginStream }

// watched makes of an entry what is shown; false if it is not to be.
func (w *owner) watched(e *entry) (run.Watched, bool) {
	switch {
	case e.err != nil:
		return unreadable(e), true
	case e.file != nil && e.file.Layover != nil:
		held := w.Held != nil && w.Held(e.key)
		return foreign.Own(e.key, e.file, held), true
	case e.file != nil:
		return w.known(e).Watched(w.Now()), true
	case isRun(e.origin):
		return run.Watched{}, false // its run.json is still to come
	}
	if w.covered(e.key) {
		return run.Watched{}, false
	}
	return w.session(e)
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
	var all run.Watched
	listed := run.Watched{Key: e.key, Origin: e.origin, Name: run.Untrusted(called(e.key)), State: run.StandingListed}
	for _, s := range e.sources {
		if s.found.Modified.After(listed.At) {
			listed.At = s.found.Modified
		}
		if x, told := e.parts[s]; told && s.path == e.key {
			all = x
		}
	}
	var at time.Time
	for s, x := range e.parts {
		if s.path == e.key {
			continue
		}
		if all.Key == "" { // the session itself is gone, or was not read
			u := all.Usage
			all, all.Key, all.Usage = x, e.key, u
		}
		all.Usage = all.Usage.Add(x.Usage)
		all.Lanes.Working += x.Lanes.Working
		if x.At.After(at) {
			at = x.At
		}
	}
	if at.After(all.At) {
		all.At = at
	}
	switch {
	case all.Key == "":
		return listed, true
	case all.Origin == run.OriginStream && all.Family == "" && !w.single(e.key):
		return run.Watched{}, false // it is no agent's output
	}
	return all, true
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
	x := e.shown
	x.Key, x.Origin, x.State, x.Why = e.key, e.origin, run.StandingUnreadable, run.Untrusted(e.err.Error())
	if x.Name == "" {
		x.Name = run.Untrusted(filepath.Base(e.key))
	}
	return x
}

// flush tells what has changed.
func (w *owner) flush() {
	var c run.Changes
	for e := range w.changed {
		now, ok := w.watched(e)
		if !ok {
			w.hide(e)
			continue
		}
		if w.opened[e.key] != nil {
			w.fed(e)
		}
		if !reflect.DeepEqual(now, e.shown) {
			w.families.working(e.shown, now)
			e.shown = now
			c.Runs = append(c.Runs, now)
		}
		w.watchProcess(e)
	}
	clear(w.changed)
	c.Gone, w.gone = w.gone, nil
	c.Families = w.families.fresh(w.Now(), w.Windows)
	c.Complete = w.settled && w.pending == 0 && len(w.waiting) == 0 && w.documents.idle()
	if len(c.Runs) == 0 && len(c.Gone) == 0 && c.Families == nil && !w.dirty && c.Complete == w.told {
		return
	}
	c.Usage, c.Reading, c.Notes = w.messages.sum, w.reading, w.allNotes()
	w.dirty, w.told = false, c.Complete
	w.tell(c)
}

// hide takes back what was shown of an entry.
func (w *owner) hide(e *entry) {
	if e.shown.Key == "" {
		return
	}
	w.families.working(e.shown, run.Watched{})
	w.gone = append(w.gone, e.key)
	e.shown = run.Watched{}
}
