package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/layover/watcher/tail"
)

func (o *owner) queue(d *directory) {
	if !d.queued && !d.gone {
		d.queued = true
		o.scans = append(o.scans, d)
	}
}

func (o *owner) scanSome() {
	for n := 0; n < scansATurn && len(o.scans) > 0; n++ {
		d := o.scans[0]
		o.scans[0] = nil
		o.scans = o.scans[1:]
		d.queued = false
		if !d.gone {
			o.scan(d)
		}
	}
	if len(o.scans) == 0 {
		o.scans = nil
	}
}

// scan looks at a directory and at all files in it.
func (o *owner) scan(d *directory) {
	o.watch(d)
	info, err := d.stat()
	if err != nil && !absent(err) {
		o.fail(d.path, err)
		return
	}
	if err != nil || tail.IdentityOf(info) != d.id {
		o.again(d)
		return
	}
	if !d.modified.IsZero() && d.modified.Equal(info.ModTime()) {
		o.examineAll(d)
		return
	}
	entries, err := os.ReadDir(d.path)
	if err != nil {
		if !absent(err) {
			o.fail(d.path, err)
		}
		return
	}
	delete(o.told, d.path)
	d.modified = time.Time{}
	if time.Since(info.ModTime()) > raceWindow {
		d.modified = info.ModTime()
	}
	o.list(d, entries)
}

// list compares a directory with what is known of it.
func (o *owner) list(d *directory, entries []fs.DirEntry) {
	there := make(map[string]bool, len(d.files)+len(d.dirs))
	for _, e := range entries {
		name := e.Name()
		switch {
		case d.files[name] != nil || d.dirs[name] != nil:
			there[name] = true
			o.examine(d, name, false)
		case d.only != nil && !d.only[name]:
		case e.IsDir() || e.Type().IsRegular() && o.keeps(filepath.Join(d.path, name)):
			o.examine(d, name, false)
			there[name] = true
		}
	}
	for name := range d.files {
		if !there[name] {
			o.examine(d, name, false)
		}
	}
	for name := range d.dirs {
		if !there[name] {
			o.examine(d, name, false)
		}
	}
}

// again looks for what is at the path of a directory now.
func (o *owner) again(d *directory) {
	o.drop(d)
	if d.up != nil && !d.up.gone {
		o.examine(d.up, filepath.Base(d.path), false)
	}
	o.attachMissing()
}
