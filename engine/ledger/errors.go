package ledger

import (
	"errors"
	"fmt"
)

var (
	// ErrBusy is the error of a merge that did not get the lock of its window in
	// time: another process holds it, or was halted while it did.
	ErrBusy = errors.New("window is locked by another process")
	// ErrInvalid is the error of a window that cannot be written down: its key or
	// one of its values is none. Trying again is of no use.
	ErrInvalid = errors.New("window cannot be written down")
	// ErrTooMany is the error of a directory with more windows than are read.
	ErrTooMany = errors.New("too many windows")
)

// DamagedError says that a file is no window of this version: torn, foreign, or
// written by a newer Layover.
type DamagedError struct {
	// Path is the file.
	Path string
	// Aside is where it was moved; empty if it still lies there.
	Aside string
	Err   error
}

func (e *DamagedError) Error() string {
	if e.Aside != "" {
		return fmt.Sprintf("window %s %v; moved to %s", e.Path, e.Err, e.Aside)
	}
	return fmt.Sprintf("window %s %v", e.Path, e.Err)
}

// Unwrap tells what is wrong with it.
func (e *DamagedError) Unwrap() error { return e.Err }

// Reasons of a [DamagedError], and what is refused.
var (
	errCorrupt  = errors.New("is damaged")
	errNewer    = errors.New("is of a newer version")
	errForeign  = errors.New("is not of this place")
	errTooLarge = errors.New("is too large")
	errSymlink  = errors.New("is a symbolic link")
	errNotDir   = errors.New("is not a directory")
	errNotFile  = errors.New("is not a regular file")
)

// damage reports whether an error is about what lies there rather than about
// getting at it.
func damage(err error) bool {
	for _, e := range []error{errCorrupt, errNewer, errForeign, errTooLarge, errSymlink, errNotFile} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
