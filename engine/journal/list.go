package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// List gives the ids of the runs below a state directory, the oldest first. There
// are none where the directory is not there. Links and other names are left out. It
// fails with an [UnreadableError].
func List(root string) ([]string, error) {
	runs := filepath.Join(root, RunsDir)
	for _, dir := range []string{root, runs} {
		err := checkDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, unreadable(dir, err)
		}
	}
	entries, err := os.ReadDir(runs)
	if err != nil {
		return nil, unreadable(runs, err)
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && ValidID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}
