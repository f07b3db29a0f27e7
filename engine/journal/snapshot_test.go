package journal_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// snapshot describes all that is below a directory: what each thing is, its mode,
// its owner and what is in it.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var what string
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			what = string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			what, err = os.Readlink(path)
		}
		all[path] = fmt.Sprintf("%v of %d: %s", info.Mode(), info.Sys().(*syscall.Stat_t).Uid, what)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// same fails if something below a directory is not as it was.
func same(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("changed (-before +after):\n%s", d)
	}
}
