package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"example.com/layover/watcher/tail"
)

// notice looks at what a notice was about.
func (o *owner) notice(path string, op fsnotify.Op) {
	path = filepath.Clean(path)
	moved := op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename)
	if d := o.dirs[path]; d != nil {
		switch {
		case moved: // what is there now may have the same identity
			o.again(d)
		case op.Has(fsnotify.Chmod):
			d.modified = time.Time{}
			o.queue(d)
		}
	}
	d := o.dirs[filepath.Dir(path)]
	if d == nil {
		return
	}
	if op.Has(fsnotify.Write) {
		o.heat(d)
	}
	name := filepath.Base(path)
	f := d.files[name]
	switch {
	case f != nil && f.follow != nil && op == fsnotify.Write:
		o.dirty(f.follow)
	case f != nil && f.follow != nil && op.Has(fsnotify.Chmod) && f.follow.failing():
		o.retry(f.follow)
	case op == fsnotify.Chmod:
	case f != nil || d.dirs[name] != nil || op.Has(fsnotify.Create) || o.keeps(path):
		if d.only == nil || d.only[name] {
			o.examine(d, name, f != nil && op != fsnotify.Write)
		}
	}
}

// examine looks at one name in a directory; notified is set if a notice says that the
// file has changed in more than its length.
func (o *owner) examine(d *directory, name string, notified bool) {
	path := filepath.Join(d.path, name)
	info, err := os.Lstat(path)
	if err != nil && !absent(err) {
		o.fail(path, err)
		return
	}
	if below := d.dirs[name]; below != nil && (err != nil || tail.IdentityOf(info) != below.id) {
		o.drop(below)
	}
	if err != nil || !info.Mode().IsRegular() {
		o.vanish(d, name)
	}
	switch {
	case err != nil:
	case info.IsDir():
		o.subdirectory(d, name, path, info)
	case info.Mode().IsRegular() && (d.files[name] != nil || o.keeps(path)):
		o.seen(d, name, path, info, notified)
	}
}

func (o *owner) subdirectory(d *directory, name, path string, info fs.FileInfo) {
	if d.only != nil || d.dirs[name] != nil {
		return
	}
	if root := o.dirs[path]; root != nil && root.only == nil {
		return // is watched for itself
	}
	if o.Enter(path) {
		if partly := o.dirs[path]; partly != nil {
			partly.only, partly.modified = nil, time.Time{}
			d.join(partly)
			o.queue(partly)
			return
		}
		o.enter(d, path, info)
	}
}

// seen compares a file with what is known of it.
func (o *owner) seen(d *directory, name, path string, info fs.FileInfo, notified bool) {
	id, size, modified := tail.IdentityOf(info), info.Size(), info.ModTime().UnixNano()
	f := d.files[name]
	changed := f == nil || f.id != id || f.size != size || f.modified != modified
	if f == nil {
		if d.files == nil {
			d.files = map[string]*file{}
		}
		f = &file{follow: o.follows[path]}
		d.files[name] = f
		o.files++
	}
	if changed {
		o.busy[d].news(f.follow)
	}
	delete(o.away, path)
	f.id, f.size, f.modified = id, size, modified
	switch w := f.follow; {
	case w == nil && changed:
		o.found(path, f, false)
	case w == nil:
	case w.gone:
		w.gone, w.looked = false, false
		o.dirty(w)
	case notified || w.busy || !w.place.Fits(info):
		o.dirty(w)
	}
}

// found tells of a file. If it is followed under a name that it has no more, it is
// read to its end there first; looked is set once that was done.
func (o *owner) found(path string, f *file, looked bool) {
	found := Found{Path: path, ID: f.id, Size: f.size, Modified: time.Unix(0, f.modified)}
	if w := o.places[f.id]; w != nil && w.path != path && !w.still(f.id) {
		if !looked && w.place.Identity == f.id {
			w.after = append(w.after, path)
			o.dirty(w)
			return
		}
		found.Was, found.Place = w.path, w.reached(f.id)
		if w.place.Identity == f.id && !w.busy {
			o.pool.shut(w) // what comes now is read under the other name
		}
	}
	o.batch.Found = append(o.batch.Found, found)
}

// vanish forgets a file that is not there. It may come back within the grace.
func (o *owner) vanish(d *directory, name string) {
	f := d.files[name]
	if f == nil {
		return
	}
	path := filepath.Join(d.path, name)
	delete(d.files, name)
	o.files--
	o.depart(path, time.Now())
	if f.follow != nil {
		o.dirty(f.follow) // what is open is read to its end
	}
}

func (o *owner) depart(path string, now time.Time) {
	at := now.Add(grace)
	o.away[path] = at
	o.leaving = append(o.leaving, departure{path, at})
}

// gone tells that a file is gone, once all that was left of it is read.
func (o *owner) gone(path string, now time.Time) {
	if w := o.follows[path]; w != nil {
		if w.busy || w.dirty {
			o.depart(path, now)
			return
		}
		o.pool.shut(w)
		w.gone = true
	}
	delete(o.away, path)
	o.batch.Gone = append(o.batch.Gone, path)
}

// locate gives the file at a path, if it is known.
func (o *owner) locate(path string) (*directory, *file) {
	d := o.dirs[filepath.Dir(path)]
	if d == nil {
		return nil, nil
	}
	return d, d.files[filepath.Base(path)]
}
