package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"example.com/layover/watcher/tail"
)

// raceWindow is how old the last change of a directory must be for its time to tell
// that nothing has changed since: some file systems count time in seconds.
const raceWindow = 3 * time.Second

// root is what was asked for.
type root struct {
	path string
	name string // of a file, the path without links; empty for a directory
}

// directory is one that is known.
type directory struct {
	path     string
	id       tail.Identity
	modified time.Time // when it had changed last as it was read; zero if that may not tell
	watched  bool
	why      error // why it is not watched, or that is not enough
	remote   error // why notices do not tell all; nil if they do
	beat     int   // the last in which something in it was written
	heat     int   // in how many beats in a row before
	queued   bool
	gone     bool
	up       *directory      // nil for a root that is in no other
	only     map[string]bool // the files that are roots; nil if the directory is
	dirs     map[string]*directory
	files    map[string]*file
}

// file is one that is kept, as it was when it was looked at last.
type file struct {
	id       tail.Identity
	size     int64
	modified int64 // ns
	follow   *follow
}

// absent reports whether an error says that there is nothing.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// attach begins to watch a root, if it is there.
func (o *owner) attach(r *root) {
	info, err := os.Stat(r.path)
	switch {
	case absent(err):
	case err != nil:
		o.fail(r.path, err)
	case info.IsDir():
		r.name = ""
		o.attachDirectory(r.path, info)
	case info.Mode().IsRegular():
		o.attachFile(r)
	default:
		o.fail(r.path, tail.ErrNotRegular)
	}
}

func (o *owner) attachDirectory(path string, info fs.FileInfo) {
	d := o.dirs[path]
	if d == nil {
		o.enter(nil, path, info)
		return
	}
	if d.only != nil { // for files in it so far
		d.only, d.modified = nil, time.Time{}
		o.queue(d)
	}
}

func (o *owner) attachFile(r *root) {
	path, err := filepath.EvalSymlinks(r.path)
	if err != nil {
		return // gone again
	}
	r.name = path
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if o.dirs[dir] == nil {
		info, err := os.Stat(dir)
		if err != nil {
			return
		}
		if d := o.enter(nil, dir, info); d != nil {
			d.only = map[string]bool{}
		}
	}
	if d := o.dirs[dir]; d != nil {
		if d.only != nil {
			d.only[name] = true
		}
		o.examine(d, name, false)
	}
}

// attached reports whether a root is being watched.
func (o *owner) attached(r *root) bool {
	if r.name == "" {
		d := o.dirs[r.path]
		return d != nil && d.only == nil
	}
	d := o.dirs[filepath.Dir(r.name)]
	return d != nil && (d.only == nil || d.only[filepath.Base(r.name)])
}

func (o *owner) missing() int {
	n := 0
	for _, r := range o.roots {
		if !o.attached(r) {
			n++
		}
	}
	return n
}

func (o *owner) attachMissing() {
	for _, r := range o.roots {
		if !o.attached(r) {
			o.attach(r)
		}
	}
}

// keeps reports whether a file is told of.
func (o *owner) keeps(path string) bool {
	for _, r := range o.roots {
		if r.name == path {
			return true
		}
	}
	return o.Keep(path)
}

// fail tells of an error, once while it stays the same.
func (o *owner) fail(path string, err error) {
	if o.told[path] != err.Error() {
		o.told[path] = err.Error()
		o.batch.Failed = append(o.batch.Failed, Failed{Path: path, Err: err})
	}
}

// enter begins to watch a directory; nil if it is watched under another name.
func (o *owner) enter(up *directory, path string, info fs.FileInfo) *directory {
	id := tail.IdentityOf(info)
	if other := o.known[id]; other != nil {
		if now, err := other.stat(); err == nil && tail.IdentityOf(now) == id {
			o.fail(path, ErrTwice)
			return nil
		}
		// It was moved. The notifier knows a directory by one name only, so the old one
		// goes first, with all below it.
		o.drop(other)
	}
	d := &directory{path: path, id: id}
	if up != nil && up.id.Device == id.Device {
		d.remote = up.remote
	} else {
		d.remote = o.tree.remote(path)
	}
	o.dirs[path], o.known[id] = d, d
	o.bare[d] = true
	if up != nil {
		up.join(d)
	}
	o.queue(d)
	return d
}

// join takes a directory in.
func (d *directory) join(below *directory) {
	if d.dirs == nil {
		d.dirs = map[string]*directory{}
	}
	d.dirs[filepath.Base(below.path)] = below
	below.up = d
}

// stat looks at a directory; only a root may be a link.
func (d *directory) stat() (fs.FileInfo, error) {
	look := os.Lstat
	if d.up == nil {
		look = os.Stat
	}
	info, err := look(d.path)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	return info, err
}

// drop forgets a directory with all in it. Its files are away.
func (o *owner) drop(d *directory) {
	if d.gone {
		return
	}
	d.gone = true
	for name := range d.files {
		o.vanish(d, name)
	}
	for _, below := range d.dirs {
		o.drop(below)
	}
	o.unwatch(d)
	delete(o.dirs, d.path)
	delete(o.told, d.path)
	if o.known[d.id] == d {
		delete(o.known, d.id)
	}
	if d.up != nil && d.up.dirs[filepath.Base(d.path)] == d {
		delete(d.up.dirs, filepath.Base(d.path))
	}
}
