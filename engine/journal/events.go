package journal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/layover/engine/run"
)

// MaxLine bounds one line of events.jsonl, in bytes and without its newline. The
// longest is run_started, which holds the whole program.
const MaxLine = 16 << 20

// keepBuffer is how large a buffer is kept for the next time.
const keepBuffer = 1 << 20

// file is what the events are written to.
type file interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// events is an events.jsonl being written. What could not be saved stays in memory.
type events struct {
	path string
	file file
	// end is where the last saved line ends.
	end int64
	// ragged is set while something half written may lie behind end.
	ragged bool
	// unsaved are the lines handed over and not saved yet.
	unsaved []byte
	// last is the last fact handed over.
	last uint64
}

// append takes facts over and saves all that is not saved yet.
func (e *events) append(facts []run.Fact) error {
	return errors.Join(e.take(facts), e.save())
}

// take encodes facts behind those not saved yet: all of them, or none.
func (e *events) take(facts []run.Fact) error {
	lines, last := e.unsaved, e.last
	for _, f := range facts {
		if f.Seq <= e.last {
			continue
		}
		if f.Seq != last+1 {
			return fmt.Errorf("fact %d does not follow %d", f.Seq, last)
		}
		if f.Body == nil {
			return fmt.Errorf("fact %d has no body", f.Seq)
		}
		line, err := f.MarshalJSON()
		if err != nil {
			return fmt.Errorf("fact %d: %w", f.Seq, err)
		}
		if len(line) > MaxLine {
			return unwritable(e.path, fmt.Errorf("fact %d %s %w", f.Seq, f.Body.Name(), errTooLarge))
		}
		lines = append(append(lines, line...), '\n')
		last = f.Seq
	}
	e.unsaved, e.last = lines, last
	return nil
}

// save writes the unsaved lines in one go and waits until they are on the disk. If
// that fails, the file is cut back to what was there before: after a failed sync
// nobody knows what is on the disk, so the lines are written again next time.
func (e *events) save() error {
	if len(e.unsaved) == 0 {
		return nil
	}
	if err := e.there(); err != nil {
		return unwritable(e.path, err)
	}
	if e.ragged {
		if err := e.file.Truncate(e.end); err != nil {
			return unwritable(e.path, err)
		}
		e.ragged = false
	}
	n, err := e.file.Write(e.unsaved)
	if err == nil && n < len(e.unsaved) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = e.file.Sync()
	}
	if err != nil {
		e.ragged = e.file.Truncate(e.end) != nil
		return unwritable(e.path, err)
	}
	e.end += int64(n)
	e.unsaved = e.unsaved[:0]
	if cap(e.unsaved) > keepBuffer {
		e.unsaved = nil
	}
	return nil
}

// there fails if the file has been removed, or put out of its place: what is written
// to it then is lost with us.
func (e *events) there() error {
	f, ok := e.file.(*os.File)
	if !ok {
		return nil
	}
	ours, err := f.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Lstat(e.path); err != nil || !os.SameFile(ours, now) {
		return errRemoved
	}
	return nil
}
