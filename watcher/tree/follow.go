package tree

import (
	"container/list"
	"os"
	"path/filepath"
	"time"

	"example.com/layover/watcher/tail"
)

// follow is a file that is read. While it is busy a worker has its file, the sink and
// what is marked so; the owner has everything else.
type follow struct {
	path string
	file *tail.File // the worker's
	sink tail.Sink  // the worker's
	// What a look came to; the worker's.
	bytes     int64
	restarted bool
	more      bool
	err       error

	place  tail.Place // reached, as the last look left it
	before tail.Place // reached in the file that was there before
	looked bool       // at least once, and since it was called gone
	gone   bool       // has been called gone
	first  bool       // has not been read to its end
	busy   bool       // until what a look came to has been told
	behind bool       // is busy as a first read
	queued bool
	dirty  bool // is to be looked at again
	left   bool // is to be forgotten
	next   *followCommand
	after  []string // paths that wait for the next look
	failed error    // told
	delay  time.Duration
	open   *list.Element // in the pool's list; nil while closed
}

// Bytes and Restart implement the file's sink: they count.
func (f *follow) Bytes(p []byte) {
	f.bytes += int64(len(p))
	f.sink.Bytes(p)
}

func (f *follow) Restart() {
	f.restarted = true
	f.sink.Restart()
}

// still reports whether the path leads to a file.
func (f *follow) still(id tail.Identity) bool {
	info, err := os.Lstat(f.path)
	return err == nil && tail.IdentityOf(info) == id
}

// reached tells how far a file was read that is, or was, at the path.
func (f *follow) reached(id tail.Identity) tail.Place {
	switch id {
	case f.place.Identity:
		return f.place
	case f.before.Identity:
		return f.before
	}
	return tail.Place{}
}

func (f *follow) failing() bool { return f.failed != nil }

// follow begins to follow a file.
func (o *owner) follow(c followCommand) {
	if old := o.follows[c.path]; old != nil {
		if old.busy {
			old.next = &c
			return
		}
		o.forget(old)
	}
	f := &follow{path: c.path, sink: c.sink, first: c.first, place: c.from}
	f.file = tail.NewFile(c.path, c.from, f, &o.pool.buffers)
	o.follows[c.path] = f
	o.know(f, c.from.Identity)
	_, at := o.locate(c.path)
	if at != nil {
		at.follow = f
	} else if _, away := o.away[c.path]; !away {
		o.depart(c.path, time.Now()) // told as gone, if it does not come
	}
	o.dirty(f)
}

// leave ends a follow, once its worker is done.
func (o *owner) leave(path string) {
	f := o.follows[path]
	if f == nil {
		return
	}
	if f.busy {
		f.left, f.next = true, nil
		return
	}
	o.forget(f)
	d, at := o.locate(path)
	if at != nil { // as it was when it was looked at last; what has changed since is found
		at.id, at.size, at.modified = f.place.Identity, f.place.Size, f.place.Modified.UnixNano()
		o.examine(d, filepath.Base(path), false)
	}
}

// forget lets go of a follow that is not busy.
func (o *owner) forget(f *follow) {
	o.pool.shut(f)
	o.pool.calm(f)
	f.left = true
	delete(o.follows, f.path)
	o.unknow(f, f.place.Identity)
	o.unknow(f, f.before.Identity)
	if _, at := o.locate(f.path); at != nil {
		at.follow = nil
	}
	o.heirs(f)
}

// know keeps who reads a file; unknow forgets it.
func (o *owner) know(f *follow, id tail.Identity) {
	if id != (tail.Identity{}) {
		o.places[id] = f
	}
}

func (o *owner) unknow(f *follow, id tail.Identity) {
	if o.places[id] == f {
		delete(o.places, id)
	}
}

// reach takes down how far a look has come, and in which file.
func (o *owner) reach(f *follow) {
	old, before := f.place.Identity, f.before.Identity
	f.place, f.before = f.file.Place(), f.file.Before()
	if f.place.Identity == old {
		return
	}
	o.unknow(f, before)
	o.unknow(f, old)
	if id := f.before.Identity; o.places[id] == nil {
		o.know(f, id)
	}
	o.know(f, f.place.Identity)
}

// dirty has a file looked at, or looked at again if that is being done.
func (o *owner) dirty(f *follow) {
	if f.dirty || o.pool.waits(f) {
		return
	}
	f.dirty = true
	if !f.busy && !f.queued {
		o.pool.queue(f)
	}
}

// result takes what a look came to.
func (o *owner) result(f *follow) {
	o.pool.flying--
	o.pool.ended = append(o.pool.ended, f)
	o.reach(f)
	o.pool.hold(f)
	if f.left {
		return
	}
	opening := !f.looked
	f.looked = true
	news := f.bytes > 0 || f.restarted || !same(f.err, f.failed) || opening
	tell := f.err
	if same(f.err, f.failed) {
		tell = nil
	}
	f.failed = f.err
	if f.err != nil {
		o.pool.later(f, time.Now())
	} else {
		o.pool.calm(f)
		if f.first && !f.more {
			f.first, news = false, true
		}
	}
	if news {
		o.batch.Read = append(o.batch.Read, Read{Path: f.path, Place: f.place, Bytes: f.bytes, More: f.more, Err: tell})
	}
	if !f.more && !f.dirty {
		o.heirs(f)
	}
}

// heirs tells of files that had the name of this one.
func (o *owner) heirs(f *follow) {
	after := f.after
	f.after = nil
	for _, path := range after {
		if _, at := o.locate(path); at != nil && at.follow == nil {
			o.found(path, at, true)
		}
	}
}

// same reports whether two errors say the same.
func same(a, b error) bool {
	return a == b || a != nil && b != nil && a.Error() == b.Error()
}

// release lets go of what has been told.
func (o *owner) release() {
	for _, f := range o.pool.ended {
		f.busy = false
		if f.behind {
			f.behind = false
			o.pool.firsts--
		}
		switch {
		case f.next != nil:
			o.follow(*f.next)
		case f.left:
			f.left = false
			o.leave(f.path)
		case f.more || f.dirty:
			o.pool.queue(f)
		}
	}
	o.pool.ended = o.pool.ended[:0]
}
