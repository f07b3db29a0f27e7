package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/layover/engine/run"
)

// Journal is the directory of a run, held by its owner. It is for one goroutine;
// every method waits for the disk.
type Journal struct {
	id, dir string
	lock    *os.File
	events  events
	// taken are the wishes that are put aside.
	taken []string
	// still is about the directory of wishes.
	still still
	// start is the start time of this process, for the export.
	start string
	// exportAt and exported are when the last export was tried, and of which fact
	// it was; the latter is zero if it failed.
	exportAt time.Time
	exported uint64
}

// Create makes the directory of a new run and takes its lock without waiting for an
// owner. It fails with an [OwnedError] if another process holds that run, and with an
// [UnwritableError] otherwise, and then leaves behind nothing that it has made.
func Create(root, id string) (_ *Journal, err error) {
	dir, err := Dir(root, id)
	if err != nil {
		return nil, err
	}
	made := &directories{}
	defer func() {
		if err != nil {
			made.remove()
		}
	}()
	for _, d := range []string{root, filepath.Dir(dir)} {
		if err := made.ensure(d); err != nil {
			return nil, err
		}
	}
	switch err := made.make(dir); {
	case errors.Is(err, fs.ErrExist):
		return nil, taken(dir, id)
	case err != nil:
		return nil, unwritable(dir, err)
	}
	made.note(filepath.Join(dir, LockFile))
	made.note(filepath.Join(dir, EventsFile))
	j := &Journal{id: id, dir: dir}
	if err := j.begin(made); err != nil {
		return nil, err
	}
	for _, d := range []string{root, filepath.Dir(dir), dir} {
		if err := syncDir(d); err != nil {
			return nil, errors.Join(unwritable(d, err), j.Close())
		}
	}
	return j, nil
}

// taken tells why a run cannot be made where there is something already.
func taken(dir, id string) error {
	if err := checkDir(dir); err != nil {
		return unwritable(dir, err)
	}
	if err := probe(dir, id); err != nil {
		return err
	}
	return unwritable(dir, errExists)
}

// begin makes what is in the directory of a new run, and holds it.
func (j *Journal) begin(made *directories) (err error) {
	lock, err := hold(filepath.Join(j.dir, LockFile), j.id, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = lock.Close()
		}
	}()
	if err := errors.Join(sign(lock), made.inside(j.dir)); err != nil {
		return err
	}
	path := filepath.Join(j.dir, EventsFile)
	f, err := hold(path, j.id, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	j.lock, j.events = lock, events{path: path, file: f}
	return nil
}

// ID is the id of the run.
func (j *Journal) ID() string { return j.id }

// Dir is the directory of the run.
func (j *Journal) Dir() string { return j.dir }

// Log opens layover.log to be written to at its end. It is the caller's to close.
func (j *Journal) Log() (*os.File, error) {
	path := filepath.Join(j.dir, LogFile)
	f, err := openFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, unwritable(path, err)
	}
	return f, nil
}

// Append saves facts, in their order and in one write, and returns when they are
// on the disk. Facts that were handed over before are not saved twice.
//
// If it fails, the file is as it was and the facts are kept: each later call saves
// them too and fails until that has been possible; a call without facts only tries
// again. A fact that does not follow the last, or cannot be encoded, is refused
// together with the others of its call, and so is all that follows.
func (j *Journal) Append(facts []run.Fact) error {
	return j.events.append(facts)
}

// Close tries once more to save what is not saved yet, closes the file and gives
// the lock back. The journal is of no use afterwards.
func (j *Journal) Close() error {
	return errors.Join(j.events.save(), j.events.file.Close(), j.lock.Close())
}
