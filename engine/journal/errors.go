package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// ErrOwned is the sentinel of [OwnedError].
var ErrOwned = errors.New("run is owned by another process")

// ErrNoRuns is the error of [Latest] where there are none.
var ErrNoRuns = errors.New("no runs")

// OwnedError says that another process holds the lock of a run.
type OwnedError struct {
	ID string
	// PID is the owner; zero if it has not written it yet.
	PID int
}

func (e *OwnedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("run %s is owned by another process", e.ID)
	}
	return fmt.Sprintf("run %s is owned by process %d", e.ID, e.PID)
}

// Is makes the error match [ErrOwned].
func (e *OwnedError) Is(target error) bool { return target == ErrOwned }

// UnwritableError says that something of the state directory cannot be made or
// written, and what can be done about it.
type UnwritableError struct {
	// Path is the file or directory in question.
	Path string
	// Remedy is a line for the operator, lower case and without a full stop.
	Remedy string
	Err    error
}

func (e *UnwritableError) Error() string {
	if p, ok := errors.AsType[*fs.PathError](e.Err); ok && p.Path == e.Path {
		return fmt.Sprintf("cannot write %s: %v", e.Path, p.Err)
	}
	return fmt.Sprintf("cannot write %s: %v", e.Path, e.Err)
}

// Unwrap gives the error of the system.
func (e *UnwritableError) Unwrap() error { return e.Err }

var (
	errSymlink  = errors.New("is a symbolic link")
	errNotDir   = errors.New("is not a directory")
	errNotFile  = errors.New("is not a regular file")
	errExists   = errors.New("exists already")
	errTooLarge = errors.New("is too large")
)

// unwritable wraps an error with the hint that fits it.
func unwritable(path string, err error) error {
	return &UnwritableError{Path: path, Remedy: hint(err), Err: err}
}

func hint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space on that disk; what is not saved yet is kept and written then"
	case errors.Is(err, errSymlink), errors.Is(err, syscall.ELOOP):
		return "set XDG_STATE_HOME to the directory the link leads to, or remove the link"
	case errors.Is(err, errNotDir), errors.Is(err, syscall.ENOTDIR), errors.Is(err, errNotFile):
		return "move what is in the way, or set XDG_STATE_HOME to another directory"
	case errors.Is(err, errExists):
		return "take another id, or resume that run"
	case errors.Is(err, errTooLarge):
		return "shorten the prompts of the program"
	}
	return "make the directory writable, or set XDG_STATE_HOME to one that is"
}

// Hint is what the operator can do about it.
func (e *UnwritableError) Hint() string { return e.Remedy }
