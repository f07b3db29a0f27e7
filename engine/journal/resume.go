package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/layover/engine/run"
)

// Resume takes up a run that nobody owns any more and gives its state. A torn last
// line is cut off the file: nothing was done on its word. It fails with an
// [OwnedError] if another process holds the run, with a [DamagedError] if its
// facts cannot be read, and then leaves these as they are.
func Resume(root, id string) (_ *Journal, _ *run.State, _ Report, err error) {
	dir, err := Dir(root, id)
	if err != nil {
		return nil, nil, Report{}, err
	}
	if _, err := os.Lstat(dir); err != nil {
		return nil, nil, Report{}, fmt.Errorf("resume run %s: %w", id, err)
	}
	for _, d := range []string{root, filepath.Dir(dir), dir} {
		if err := private(d); err != nil {
			return nil, nil, Report{}, err
		}
	}
	j, err := open(&directories{}, dir, id, 0, 0, 0)
	if err != nil {
		return nil, nil, Report{}, err
	}
	s, report, err := Replay(dir)
	if err == nil && report.Torn > 0 {
		err = j.events.file.Truncate(report.End)
	}
	if err != nil {
		return nil, nil, report, errors.Join(err, j.Close())
	}
	j.events.end, j.events.last = report.End, s.Seq
	j.sweep()
	return j, s, report, nil
}

// sweep removes exports that a dead owner left half written.
func (j *Journal) sweep() {
	entries, _ := os.ReadDir(j.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+RunFile) {
			_ = os.Remove(filepath.Join(j.dir, e.Name()))
		}
	}
}
