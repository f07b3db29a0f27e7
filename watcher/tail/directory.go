package tail

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// follow is who wants notices about which file.
type follow struct {
	dir, name string
	wake      chan<- struct{} // capacity 1
}

// place tells where notices about a file appear: the directory is named without
// links, because the notifier knows a directory by one name only.
func place(path string, wake chan<- struct{}) follow {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if plain, err := filepath.EvalSymlinks(dir); err == nil {
		dir = plain
	}
	return follow{dir: dir, name: name, wake: wake}
}

func (f follow) notify() {
	select {
	case f.wake <- struct{}{}:
	default: // one is waiting already
	}
}

// directory is a directory with followed files in it.
type directory struct {
	path  string
	names map[string]map[follow]bool
	info  os.FileInfo // what is being watched; nil if nothing is
	err   error       // why nothing is
}

func (d *directory) notifyAll() {
	for _, follows := range d.names {
		for f := range follows {
			f.notify()
		}
	}
}

// obey does what was asked for.
func (w *watchman) obey(c command) {
	switch c := c.(type) {
	case followCommand:
		w.join(c.follow)
	case leaveCommand:
		w.leave(c.follow)
	case statusCommand:
		c.reply <- w.status()
	}
}

func (w *watchman) join(f follow) {
	d := w.dirs[f.dir]
	if d == nil {
		d = &directory{path: f.dir, names: map[string]map[follow]bool{}}
		w.dirs[f.dir] = d
		w.bare++
		w.watch(d)
		w.pace()
	}
	if d.names[f.name] == nil {
		d.names[f.name] = map[follow]bool{}
	}
	d.names[f.name][f] = true
	f.notify() // what happened before the watch was set is seen by this look
}

func (w *watchman) leave(f follow) {
	d := w.dirs[f.dir]
	if d == nil {
		return
	}
	delete(d.names[f.name], f)
	if len(d.names[f.name]) == 0 {
		delete(d.names, f.name)
	}
	if len(d.names) == 0 {
		w.unwatch(d, nil)
		w.bare--
		delete(w.dirs, f.dir)
		w.pace()
	}
}

// status counts; the directories are few compared with the files in them.
func (w *watchman) status() Status {
	s := Status{Overflows: w.overflows, Reason: w.noneFor}
	for _, d := range w.dirs {
		n := 0
		for _, follows := range d.names {
			n += len(follows)
		}
		s.Following += n
		if d.info == nil {
			s.Polled += n
			s.Reason = d.err
		}
	}
	return s
}

// watch begins to watch a bare directory, if it can be.
func (w *watchman) watch(d *directory) {
	if w.notifier == nil {
		d.err = w.noneFor
		return
	}
	info, err := os.Stat(d.path)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "watch", Path: d.path, Err: syscall.ENOTDIR}
	}
	if err == nil {
		err = w.notifier.Add(d.path)
	}
	if err != nil {
		d.err = fmt.Errorf("watch %q: %w", d.path, err)
		return
	}
	d.info, d.err = info, nil
	w.bare--
}

// unwatch makes a directory bare.
func (w *watchman) unwatch(d *directory, why error) {
	if d.info == nil {
		return
	}
	if w.notifier != nil {
		_ = w.notifier.Remove(d.path) // the notifier may have dropped it itself
	}
	d.info, d.err = nil, why
	w.bare++
	w.pace()
}

// rewatch tries the bare directories again and has their files looked at.
func (w *watchman) rewatch() {
	for _, d := range w.dirs {
		if d.info == nil {
			w.watch(d)
			d.notifyAll() // after the watch, so that nothing falls between
		}
	}
	w.pace()
}

// verify finds directories that are no longer what is being watched: the notifier
// goes with the directory, not with its name. It is silent when a parent moves, and
// when a directory is removed in which a removed file is still open.
func (w *watchman) verify() {
	for _, d := range w.dirs {
		if d.info == nil {
			continue
		}
		info, err := os.Stat(d.path)
		if err == nil && os.SameFile(info, d.info) {
			continue
		}
		w.unwatch(d, err)
		w.watch(d)
	}
	w.pace()
}

// event wakes those who follow the file that a notice is about.
func (w *watchman) event(e fsnotify.Event) {
	path := filepath.Clean(e.Name)
	if d := w.dirs[path]; d != nil && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) {
		w.unwatch(d, fmt.Errorf("watch %q: it is gone", path))
		w.watch(d)
		d.notifyAll()
		w.pace()
	}
	if d := w.dirs[filepath.Dir(path)]; d != nil {
		for f := range d.names[filepath.Base(path)] {
			f.notify()
		}
	}
}
