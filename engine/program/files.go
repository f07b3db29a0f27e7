package program

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// tooLarge is the error of a file that is larger than so many bytes.
type tooLarge int64

func (t tooLarge) Error() string { return fmt.Sprintf("is larger than %d bytes", int64(t)) }

// errNotRegular is the error of a pipe or a device, which may never end.
var errNotRegular = errors.New("is not a regular file")

// readFile reads a whole regular file that is no larger than most bytes. It never
// waits for somebody to write: what is no regular file is refused unread.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // else opening a pipe waits
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: tooLarge(most)}
	}
	return data, nil
}

// whyNot words why a path could not be used.
func whyNot(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "does not exist"
	}
	for _, is := range []error{errNotRegular, syscall.EISDIR} {
		if errors.Is(err, is) {
			return is.Error()
		}
	}
	if large, ok := errors.AsType[tooLarge](err); ok {
		return large.Error()
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return "cannot be read: " + p.Err.Error()
	}
	return err.Error()
}

// tilde tells that no shell has seen a path.
func tilde(path string) string {
	if strings.HasPrefix(path, "~") || strings.Contains(path, "$") {
		return "~ and $ are not expanded, write the path in full"
	}
	return ""
}

// missing says what to do about a prompt file that could not be read.
func missing(path string, err error) string {
	if said := tilde(path); said != "" || !errors.Is(err, fs.ErrNotExist) {
		return said
	}
	return "write the prompt there; the path counts from the program file's directory"
}

// path makes a path absolute.
func (r *reader) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(r.opts.Dir, p)
}
