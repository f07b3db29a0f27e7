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

// Latest gives the id of the newest run; its error is [ErrNoRuns] if there is none.
// Of two that started within a second it cannot tell which came first.
func Latest(root string) (string, error) {
	ids, err := List(root)
	if err != nil {
		return "", err
	}
	if len(ids) == 0 {
		return "", ErrNoRuns
	}
	return ids[len(ids)-1], nil
}
