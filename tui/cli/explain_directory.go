package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Bounds of what is explained of one directory.
const (
	maxOutputs = 1000
	maxEntries = 100_000
)

// among reports whether a file of a directory may be an agent's output: lines of JSON by
// its name, or else something that is not empty and shows by itself whose it is.
func (e *explainer) among(name string, d fs.DirEntry) bool {
	switch filepath.Ext(name) {
	case ".jsonl", ".ndjson":
		return true
	case ".json", ".log", ".out", ".txt":
		info, err := d.Info()
		return e.asked.dialect == "" && err == nil && info.Size() > 0
	}
	return false
}

// directory explains all outputs below a directory, in the order of their names. Links
// are not followed, and what is no agent's output is left out. What cannot be read is
// told at once and does not keep the rest from being explained.
func (e *explainer) directory(path string) error {
	told, entries, others := 0, 0, 0
	var last error
	fail := func(err error) {
		if last != nil {
			report(e.ports.Stderr, last)
		}
		last = err
	}
	root := path + string(os.PathSeparator) // also of a link
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		entries++
		switch {
		case err != nil:
			fail(cannotRead(name, err))
			return nil
		case told == maxOutputs, entries > maxEntries:
			fail(&UsageError{
				fmt.Sprintf("explain %s: too much is below it: this is the beginning", path), "name the directories in it",
			})
			return fs.SkipAll
		case !d.Type().IsRegular(), !e.among(name, d):
			return nil
		}
		x, err := e.file(name)
		if _, ok := errors.AsType[*foreignError](err); ok {
			others++
			return nil
		}
		if err != nil {
			fail(err)
			return nil
		}
		told++
		return e.tell(x)
	})
	switch {
	case err != nil:
		return err
	case told == 0 && last == nil:
		return &UsageError{
			fmt.Sprintf("explain %s: there is no agent's output below it%s", path, besides(others)),
			"name a file, or the directory that agents write to",
		}
	}
	return last
}

// besides words how many files are something else.
func besides(n int) string {
	if n == 0 {
		return ""
	}
	return ", but " + many(n, "other file")
}
