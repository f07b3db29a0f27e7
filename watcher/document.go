package watcher

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/tail"
)

// MaxRunFile is how long a run.json may be that is read, in bytes.
const MaxRunFile = 32 << 20

// documents reads files that are replaced as a whole, beside the owner, one at a time.
type documents struct {
	wanted []string
	again  map[string]bool // those that are wanted
	busy   bool
	read   chan document
	keep   func(string) string // takes secrets out of what is read; nil if nothing does
}

// document is what a run.json holds, or why it cannot be read.
type document struct {
	path string
	file *runfile.File
	// written is when it was written.
	written time.Time
	err     error
}

func newDocuments(keep func(string) string) *documents {
	return &documents{again: map[string]bool{}, read: make(chan document, 1), keep: keep} // the reader never waits
}

// want has a file read, once for all that want it before it is.
func (d *documents) want(path string) {
	if !d.again[path] {
		d.again[path] = true
		d.wanted = append(d.wanted, path)
	}
	d.next()
}

// drop takes back a want.
func (d *documents) drop(path string) { delete(d.again, path) }

func (d *documents) idle() bool { return !d.busy && len(d.again) == 0 }

// next begins to read the next file, if none is being read.
func (d *documents) next() {
	for !d.busy && len(d.wanted) > 0 {
		path := d.wanted[0]
		d.wanted = d.wanted[1:]
		if !d.again[path] {
			continue
		}
		delete(d.again, path)
		d.busy = true
		go func() { // ends once the file is read; nobody waits for it
			doc := document{path: path}
			if doc.file, doc.written, doc.err = readDocument(path); doc.err == nil && d.keep != nil {
				keepOf(doc.file, d.keep)
			}
			d.read <- doc
		}()
	}
}

func readDocument(path string) (*runfile.File, time.Time, error) {
	f, err := tail.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer func() { _ = f.Close() }() // only read from
	if f.Size() > MaxRunFile {
		return nil, f.Modified, fmt.Errorf("run.json is too long: %s bytes", run.Count(f.Size()))
	}
	data := make([]byte, f.Size())
	switch _, err := f.ReadAt(data, 0); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, f.Modified, err
	case len(data) == 0:
		return nil, f.Modified, errors.New("run.json is empty")
	}
	file, err := runfile.Decode(data)
	return file, f.Modified, err
}

// document takes a run.json that was read. One that cannot be read keeps what the last
// that could has told of the streams.
func (w *owner) document(d document) {
	w.documents.busy = false
	defer w.documents.next()
	is, ok := w.sorted(d.path)
	if !ok || errors.Is(d.err, fs.ErrNotExist) {
		return // it is gone: that is told by its directory
	}
	_, known := w.entries[is.key]
	e := w.entry(is.key, is.origin)
	if d.err == nil && !d.file.Known() {
		d.err = errors.New("it is not a run.json of a tool that is known")
	}
	if e.err = d.err; d.err == nil {
		e.file, e.written = d.file, d.written
		w.logs(e)
		if e.file.Layover == nil {
			w.families.say(d.path, foreign.WordsOf(e.origin, e.file)...)
		}
	}
	if w.touch(e); !known {
		for _, other := range w.entries { // what is within it is a part of it now
			if !isRun(other.origin) && strings.HasPrefix(other.key, e.key+string(filepath.Separator)) {
				w.touch(other)
			}
		}
	}
}

// logs follows the outputs that a run.json names: those in the run's own directory or below
// a root. Of a run that is long over they are not read, until it is opened.
func (w *owner) logs(e *entry) {
	if e.file.Layover != nil {
		return
	}
	old := !e.file.End.IsZero() && w.Since > 0 && w.Now().Sub(e.file.End) > w.Since
	if old && !w.isOpen(e.key) {
		return
	}
	agents := e.file.Agents
	for _, a := range agents[max(0, len(agents)-foreign.Most):] {
		path := foreign.LogPath(filepath.Join(e.key, runFile), a)
		if path == "" || w.rejoin(e, path) {
			continue
		}
		if root, _ := place(w.Roots, path); root.Path == "" && !inside(e.key, path) {
			continue
		}
		own, is := ownPath(e.key, path)
		if !is || w.rejoin(e, own) {
			continue
		}
		s := w.source(own, what{form: formStream, origin: e.origin, key: e.key})
		s.log = a.StdoutLog
		if _, err := os.Lstat(own); err == nil {
			w.expected[own] = true
		}
		w.tree.Add(own)
	}
}

// ownPath is the path of a log without links: of a file that is in the directory of its run
// if its name says so, or of one that is not there yet. It is false for any other.
func ownPath(dir, path string) (string, bool) {
	own, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Lstat(path)
		return path, errors.Is(err, fs.ErrNotExist)
	}
	plain, err2 := filepath.EvalSymlinks(dir)
	if err != nil || err2 != nil || inside(dir, path) != inside(plain, own) {
		return path, false
	}
	info, err := os.Lstat(own)
	return own, err == nil && info.Mode().IsRegular()
}

// keepOf makes of what a file says what may be shown of it. Paths that are opened stay.
func keepOf(f *runfile.File, keep func(string) string) {
	text := func(t *run.Untrusted) { *t = run.Untrusted(keep(string(*t))) }
	text(&f.Error)
	text(&f.Failure)
	for i := range f.Limited {
		l := &f.Limited[i]
		text(&l.Reason)
		l.Family, l.Model = keep(l.Family), keep(l.Model)
	}
	for i := range f.Agents {
		a := &f.Agents[i]
		a.CWD, a.Type = keep(a.CWD), keep(a.Type)
		a.RequestedModel, a.EffectiveModel = keep(a.RequestedModel), keep(a.EffectiveModel)
		if len(a.Command) > 0 { // nothing else of it is shown
			a.Command = []string{keep(a.Command[0])}
		}
	}
	if l := f.Layover; l != nil {
		text(&l.ExitWhy)
		for i := range l.Windows {
			text(&l.Windows[i].Reason)
		}
	}
}
