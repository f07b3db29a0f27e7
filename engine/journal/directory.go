package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// directories are those that one call has made, with the files in them, so that it
// can take them back.
type directories struct{ made []string }

// note takes note of a file that is about to be made.
func (d *directories) note(path string) { d.made = append(d.made, path) }

// make makes a private directory whatever the umask; it fails if it is there.
func (d *directories) make(path string) error {
	if err := os.Mkdir(path, dirMode); err != nil {
		return err
	}
	d.note(path)
	return os.Chmod(path, dirMode)
}

// ensure makes a directory of ours and those above it, or checks the one there:
// it must be no link, and nobody else may look in.
func (d *directories) ensure(path string) error {
	err := d.make(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.above(filepath.Dir(path)); err != nil {
			return err
		}
		err = d.make(path)
	}
	if errors.Is(err, fs.ErrExist) {
		return private(path)
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// inside makes the directories in that of a run, or checks those there.
func (d *directories) inside(dir string) error {
	for _, name := range []string{WorkersDir, ControlDir} {
		if err := d.ensure(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// above makes a directory that is not ours alone, and those above it.
func (d *directories) above(path string) error {
	err := d.make(path)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
		if err := d.above(filepath.Dir(path)); err != nil {
			return err
		}
		err = d.make(path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return unwritable(path, err)
	}
	return nil
}

// remove takes back what was made, the deepest first; a directory that somebody
// else uses meanwhile is not empty and stays.
func (d *directories) remove() {
	for i := len(d.made) - 1; i >= 0; i-- {
		_ = os.Remove(d.made[i])
	}
}

// private checks a directory of ours and closes it to others.
func private(path string) error {
	if err := checkDir(path); err != nil {
		return unwritable(path, err)
	}
	info, err := os.Lstat(path)
	if err == nil && info.Mode().Perm() != dirMode {
		err = os.Chmod(path, dirMode)
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// checkDir refuses what is no directory, a link to one included.
func checkDir(path string) error {
	_, err := statDir(path)
	return err
}

// statDir tells of a directory, and refuses anything else.
func statDir(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &fs.PathError{Op: "open", Path: path, Err: errSymlink}
	case !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotDir}
	}
	return info, nil
}

// ours refuses a directory of a run that is none, or that another user owns.
func ours(dir string) error {
	if err := checkDir(dir); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return &fs.PathError{Op: "open", Path: dir, Err: errForeign}
	}
	return nil
}

// openFile opens a regular file without following a link or waiting for a pipe.
func openFile(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, fileMode)
	if errors.Is(err, syscall.ELOOP) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errSymlink}
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotFile}
	}
	if err == nil && flags&os.O_CREATE != 0 {
		err = closeToOthers(f)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// closeToOthers makes a file private, whatever the umask or whoever opened it up.
func closeToOthers(f *os.File) error {
	info, err := f.Stat()
	if err == nil && info.Mode().Perm() != fileMode {
		err = f.Chmod(fileMode)
	}
	return err
}

// syncDir saves the names in a directory.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
