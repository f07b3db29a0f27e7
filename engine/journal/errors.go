package journal

import (
	"errors"
	"fmt"
)

// ErrOwned is the sentinel of [OwnedError].
var ErrOwned = errors.New("run is owned by another process")

// ErrNoRuns is matched by the error of [Latest] where there are none.
var ErrNoRuns error = &hinted{"no runs", "start one with layover run"}

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

// hinted is an error that has only its text, and what the operator can do about it.
type hinted struct{ text, hint string }

func (e *hinted) Error() string { return e.text }

// Hint is what the operator can do about it.
func (e *hinted) Hint() string { return e.hint }
