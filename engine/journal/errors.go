package journal

import (
	"errors"
	"fmt"

	"example.com/layover/engine/run"
)

// ErrOwned is the sentinel of [OwnedError].
var ErrOwned = errors.New("run is owned by another process")

// OwnedError says that another process holds the lock of a run.
type OwnedError struct {
	ID string
	// PID is the owner; zero if it has not written it yet, or cannot be told.
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

// Hint is what the operator can do about it.
func (e *OwnedError) Hint() string {
	return fmt.Sprintf("look at it with layover watch %s, or end it with layover stop %s", e.ID, e.ID)
}

// NewerError says that a newer Layover wrote a run, so that this one cannot tell its
// state. Nothing was changed.
type NewerError struct {
	// Path is the file of the facts.
	Path string
	// Format is that of the facts, if this Layover does not know it; else zero.
	Format int
	// Unknown is how many facts of unknown types there are, if that is the trouble.
	Unknown int
}

func (e *NewerError) Error() string {
	if e.Format != 0 {
		return fmt.Sprintf("a newer layover wrote %s: it has format %d, and this one knows up to %d", e.Path, e.Format, run.Format)
	}
	return fmt.Sprintf("a newer layover wrote %s: this one does not know %d of its facts", e.Path, e.Unknown)
}

// Hint is what the operator can do about it.
func (e *NewerError) Hint() string { return "update layover, and try again" }

// hinted is an error that has only its text, and what the operator can do about it.
type hinted struct{ text, hint string }

func (e *hinted) Error() string { return e.text }

// Hint is what the operator can do about it.
func (e *hinted) Hint() string { return e.hint }
