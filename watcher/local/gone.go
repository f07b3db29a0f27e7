package local

import (
	"fmt"
	"path/filepath"
)

// GoneError says that nobody holds a run that has not ended.
type GoneError struct{ Dir string }

func (e *GoneError) Error() string {
	return fmt.Sprintf("nobody runs %s any more, and it has not ended", filepath.Base(e.Dir))
}

// Unowned tells it from a fault of the run or of this process.
func (e *GoneError) Unowned() {}

// Hint says what to look at.
func (e *GoneError) Hint() string {
	return "layover resume " + filepath.Base(e.Dir) + " takes it up; its agents may still be at work"
}
