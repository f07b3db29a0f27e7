package program

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tooLarge is the error of a file that is larger than so many bytes.
type tooLarge int64

func (t tooLarge) Error() string { return fmt.Sprintf("is larger than %d bytes", int64(t)) }

// readFile reads a whole file that is no larger than most bytes.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: tooLarge(most)}
	}
	return data, nil
}

var errNotRegular = errors.New("is not a regular file")

// readRegular reads a regular file that is no larger than most bytes.
func readRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return readFile(path, most)
}

// whyNot words why a path could not be used.
func whyNot(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "does not exist"
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

// path makes a path absolute.
func (r *reader) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(r.opts.Dir, p)
}
