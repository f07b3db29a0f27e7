package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// UnwritableError says that something of the state directory cannot be made or
// written, and what can be done about it.
type UnwritableError struct {
	// Path is the file or directory in question.
	Path string
	// Remedy is a line for the operator, lower case and without a full stop.
	Remedy string
	Err    error
}

func (e *UnwritableError) Error() string { return "cannot write " + about(e.Path, e.Err) }

// Unwrap gives the error of the system.
func (e *UnwritableError) Unwrap() error { return e.Err }

// Hint is what the operator can do about it.
func (e *UnwritableError) Hint() string { return e.Remedy }

// UnreadableError says that something of the state directory is not there or cannot
// be read, and what can be done about it. Nothing was changed.
type UnreadableError struct {
	// Path is the file or directory in question.
	Path string
	// Remedy is a line for the operator, lower case and without a full stop.
	Remedy string
	Err    error
}

func (e *UnreadableError) Error() string { return "cannot read " + about(e.Path, e.Err) }

// Unwrap gives the error of the system.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Hint is what the operator can do about it.
func (e *UnreadableError) Hint() string { return e.Remedy }

// about says what is wrong with a path, and names that once.
func about(path string, err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok && p.Path == path {
		err = p.Err
	}
	return fmt.Sprintf("%s: %v", path, err)
}

var (
	errSymlink  = errors.New("is a symbolic link")
	errNotDir   = errors.New("is not a directory")
	errNotFile  = errors.New("is not a regular file")
	errExists   = errors.New("exists already")
	errTooLarge = errors.New("is too large")
	errRemoved  = errors.New("was removed while the run goes on")
	errForeign  = errors.New("belongs to another user")
	errNoFacts  = errors.New("has no facts")
)

// unwritable wraps an error with the hint that fits it.
func unwritable(path string, err error) error {
	return &UnwritableError{Path: path, Remedy: writeHint(err), Err: err}
}

func writeHint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space on that disk; what is not saved yet is kept and written then"
	case errors.Is(err, errSymlink):
		return "set XDG_STATE_HOME to the directory the link leads to, or remove the link"
	case inTheWay(err):
		return "move what is in the way, or set XDG_STATE_HOME to another directory"
	case errors.Is(err, errExists):
		return "take another id, or resume that run"
	case errors.Is(err, errRemoved):
		return "stop the run with ctrl+c twice or layover stop --now; what is not saved is lost then"
	case errors.Is(err, errTooLarge):
		return "shorten the prompts of the program"
	case errors.Is(err, errForeign):
		return "do that as the user it belongs to"
	}
	return "make the directory writable, or set XDG_STATE_HOME to one that is"
}

// unreadable wraps an error with the hint that fits it.
func unreadable(path string, err error) error {
	return &UnreadableError{Path: path, Remedy: readHint(err), Err: err}
}

func readHint(err error) string {
	switch {
	case errors.Is(err, errSymlink):
		return "name the directory that the link leads to, or remove the link"
	case inTheWay(err):
		return "move what is in the way"
	case errors.Is(err, errNoFacts):
		return "that run never got going: start its program again, and remove the directory"
	case errors.Is(err, fs.ErrNotExist):
		return "the run, or a part of it, was removed; what is left of it can be removed too"
	case errors.Is(err, fs.ErrPermission):
		return "do that as the user it belongs to"
	}
	return "see what is wrong with that disk, and try again"
}

func inTheWay(err error) bool {
	return errors.Is(err, errNotDir) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, errNotFile)
}
