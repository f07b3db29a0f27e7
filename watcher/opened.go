package watcher

import (
	"slices"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
	"example.com/layover/watcher/tree"
)

// opened is a run that is shown by itself, and what has been fed of it.
type opened struct {
	teller foreign.Teller
	// known is what was fed last; zero if nothing was.
	known foreign.Known
}

// obey does what was asked for.
func (w *owner) obey(c command) {
	if !c.open {
		delete(w.opened, c.key)
		return
	}
	e := w.entries[c.key]
	if e == nil || w.opened[c.key] != nil {
		return
	}
	w.opened[c.key] = &opened{}
	for _, s := range e.sources { // one that was only listed is read now
		w.foundStream(tree.Found{Path: s.path, ID: s.id, Size: s.size, Modified: s.modified}, s.what)
	}
	if e.file != nil {
		w.logs(e)
	}
	w.touch(e)
	w.watchOpened()
}

// watchOpened has the runs that are open looked at from time to time: waits end, what is
// silent counts as ended, and what others say of limits changes.
func (w *owner) watchOpened() {
	if len(w.opened) > 0 && !w.looking {
		w.looking = true
		w.look.Reset(processEvery)
	}
}

// touchOpened has those looked at now that have not ended.
func (w *owner) touchOpened() {
	for key, o := range w.opened {
		if e := w.entries[key]; e != nil && !o.teller.Over() {
			w.touch(e)
		}
	}
	w.watchOpened()
}

// rejoin gives a run that is back, after its file was gone, a stream that is known already;
// false if it is not.
func (w *owner) rejoin(e *entry, path string) bool {
	s := w.sources[path]
	if s == nil {
		return false
	}
	if _, has := e.logs[s.log]; !has && s.key == e.key && !slices.Contains(e.sources, s) {
		e.sources = append(e.sources, s)
		if s.known() {
			w.account(s)
		}
	}
	return true
}

// fed tells what is new of a run that is open.
func (w *owner) fed(e *entry) {
	if e.file != nil && e.file.Layover != nil {
		return // its facts are in its directory
	}
	k := w.known(e)
	if e.file == nil && !w.ofSession(e, &k) {
		w.left(e.key)
		return
	}
	w.families.beside(&k)
	o := w.opened[e.key]
	o.known = k
	w.feedOpened(o)
}

// ofSession takes what the streams of a session tell; false if its own is not there.
func (w *owner) ofSession(e *entry, k *foreign.Known) (there bool) {
	for _, s := range e.sources {
		a := s.account()
		if s.path != e.key {
			if s.known() {
				k.Beside = k.Beside.Add(w.sideUsage(e, s, a))
			}
			continue
		}
		there = true
		k.Account, k.Modified = a, s.modified
		k.Origin = originOf(e.origin, a.Dialect)
	}
	return there
}

// sideUsage is what a sub-agent of a session has used.
func (w *owner) sideUsage(e *entry, s *source, a stream.Account) run.Usage {
	return foreign.Known{Key: e.key, Origin: originOf(e.origin, a.Dialect), Account: a, Modified: s.modified}.Watched(w.Now()).Usage
}

// left tells that the file of a run that is open is no more. Should there be one again, it
// is told anew.
func (w *owner) left(key string) {
	o := w.opened[key]
	if o == nil || o.known.Key == "" || o.known.Removed {
		return
	}
	o.known.Removed = true
	w.feedOpened(o)
}

func (w *owner) feedOpened(o *opened) {
	told := o.teller.Tell(o.known, w.Now())
	if len(told.Facts)+len(told.Seen) == 0 && !told.Restarted {
		return
	}
	w.feed(Feed{Key: o.known.Key, Restarted: told.Restarted, Facts: told.Facts, Observations: told.Seen})
}

// beside adds what is known elsewhere of limits.
func (f *families) beside(k *foreign.Known) {
	k.Others, k.Bound = nil, f.windows
	for _, ws := range f.doubts {
		k.Others = append(k.Others, ws...)
	}
	for _, s := range f.served {
		k.Others = append(k.Others, s)
	}
}
