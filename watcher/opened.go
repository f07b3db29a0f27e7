package watcher

import (
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/tree"
)

// opened is a run that is shown by itself, and what has been fed of it.
type opened struct{ teller foreign.Teller }

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
}

// fed tells what is new of a run that is open.
func (w *owner) fed(e *entry) {
	if e.file != nil && e.file.Layover != nil {
		return // its facts are in its directory
	}
	k := w.known(e)
	if e.file == nil {
		for _, s := range e.sources {
			if s.path == e.key {
				k.Account, k.Modified = s.account(), s.modified
				k.Origin = originOf(e.origin, k.Account.Dialect)
			}
		}
	}
	told := w.opened[e.key].teller.Tell(k, w.Now())
	w.feed(Feed{Key: e.key, Restarted: told.Restarted, Facts: told.Facts, Observations: told.Seen})
}
