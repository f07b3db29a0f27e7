package ledger

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"example.com/layover/engine/run"
)

// All gives the open windows below a state directory, of every account, in the order of
// their names, for one who only looks: it makes no directory and moves nothing. There are
// none where the ledger is not there. Damaged files are left out; the error tells of each
// by a [DamagedError], and the windows are good nevertheless. It waits for the disk.
func All(root string) ([]run.Window, error) {
	dir := filepath.Join(root, WindowsDir)
	names, err := list(dir, func(n string) bool { return strings.HasSuffix(n, windowExt) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	faults := []error{err}
	slices.Sort(names)
	var all []run.Window
	for _, n := range names {
		path := filepath.Join(dir, n)
		data, _, err := readFile(path)
		var r *record
		if err == nil {
			r, err = decode(strings.TrimSuffix(n, windowExt), data)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was cleared meanwhile
		case err != nil && damage(err):
			faults = append(faults, &DamagedError{Path: path, Err: err})
		case err != nil:
			faults = append(faults, err)
		case r.Window != nil:
			all = append(all, *r.Window)
		}
	}
	return all, errors.Join(faults...)
}
