package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/layover/engine/run"
)

// Resume takes up a run that nobody owns any more and gives its state. A last decision
// that was not written to its end is cut off the file, from its first fact to half a
// line: nothing was done on its word. Where the lock of the run
// or the directories in its own were removed, they are made again.
//
// It fails with an [OwnedError] if another process holds the run, with a
// [DamagedError] if its facts cannot be read on, with an [UnreadableError] if there
// are none, with a [NewerError] if this version does not know them all, and with an
// [UnwritableError] if it is not ours to write; and then it has changed none of its
// files. It waits up to a second for the lock, where no owner holds it.
func Resume(root, id string) (_ *Journal, _ *run.State, _ Report, err error) {
	dir, err := Dir(root, id)
	if err != nil {
		return nil, nil, Report{}, err
	}
	if _, err := os.Lstat(dir); err != nil {
		return nil, nil, Report{}, unreadable(dir, err)
	}
	for _, d := range []string{root, filepath.Dir(dir)} {
		if err := checkDir(d); err != nil {
			return nil, nil, Report{}, unwritable(d, err)
		}
	}
	if err := ours(dir); err != nil {
		return nil, nil, Report{}, unwritable(dir, err)
	}
	j := &Journal{id: id, dir: dir}
	s, report, err := j.takeUp()
	if err != nil {
		return nil, nil, report, err
	}
	j.sweep()
	return j, s, report, nil
}

// takeUp holds the run and reads its facts, and only then changes something.
func (j *Journal) takeUp() (_ *run.State, report Report, err error) {
	var facts *os.File
	made := &directories{}
	defer func() {
		if err != nil {
			made.remove()
			_, _ = facts.Close(), j.lock.Close()
		}
	}()
	lock, path := filepath.Join(j.dir, LockFile), filepath.Join(j.dir, EventsFile)
	j.lock, err = hold(lock, j.id, os.O_RDWR)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, report, err
	}
	facts, err = hold(path, j.id, os.O_WRONLY|os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		err = unreadable(path, errors.Unwrap(err))
	}
	if err != nil {
		return nil, report, err
	}
	s, report, err := Replay(j.dir)
	switch {
	case err == nil && s.Seq == 0:
		err = unreadable(path, errNoFacts)
	case err == nil && report.Unknown > 0:
		err = &NewerError{Path: path, Unknown: report.Unknown}
	}
	if err != nil {
		return nil, report, err
	}
	if err := made.inside(j.dir); err != nil {
		return nil, report, err
	}
	if j.lock == nil {
		made.note(lock)
		if j.lock, err = hold(lock, j.id, os.O_RDWR|os.O_CREATE); err != nil {
			return nil, report, err
		}
	}
	if err := j.closeToOthers(facts); err != nil {
		return nil, report, err
	}
	if err := sign(j.lock); err != nil {
		return nil, report, err
	}
	if report.TornBytes > 0 {
		if err := facts.Truncate(report.End); err != nil {
			return nil, report, unwritable(path, err)
		}
	}
	j.events = events{path: path, file: facts, end: report.End, last: s.Seq}
	return s, report, nil
}

// closeToOthers makes private what somebody has opened up since.
func (j *Journal) closeToOthers(facts *os.File) error {
	for _, d := range []string{filepath.Dir(filepath.Dir(j.dir)), filepath.Dir(j.dir), j.dir} {
		if err := private(d); err != nil {
			return err
		}
	}
	for _, f := range []*os.File{j.lock, facts} {
		if err := closeToOthers(f); err != nil {
			return unwritable(f.Name(), err)
		}
	}
	return nil
}

// sweep removes exports that a dead owner left half written, and puts the wishes back
// that it took: it may not have obeyed them.
func (j *Journal) sweep() {
	entries, _ := os.ReadDir(j.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+RunFile) {
			_ = os.Remove(filepath.Join(j.dir, e.Name()))
		}
	}
	control := filepath.Join(j.dir, ControlDir)
	entries, _ = os.ReadDir(control)
	for _, e := range entries {
		if name, taken := strings.CutSuffix(e.Name(), takenSuffix); taken {
			_ = os.Rename(filepath.Join(control, e.Name()), filepath.Join(control, strings.TrimPrefix(name, ".")))
		}
	}
}
