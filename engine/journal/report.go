package journal

import "fmt"

// Report tells what was read of an events.jsonl.
type Report struct {
	// Facts counts those of a known type, Unknown the others, which were skipped.
	Facts, Unknown int
	// Torn is one if the last line was not written to its end, and Halved is how many
	// facts before it belong to a decision that was not: both are left out. TornBytes is
	// how long that is.
	Torn, Halved int
	TornBytes    int64
	// End is where the last whole decision ends, in bytes.
	End int64
}

// DamagedError says that a file of facts cannot be read on from some line.
type DamagedError struct {
	Path string
	// Line counts from one.
	Line int
	Err  error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged at line %d: %v", e.Path, e.Line, e.Err)
}

// Unwrap gives what is wrong with the line.
func (e *DamagedError) Unwrap() error { return e.Err }

// Hint is what the operator can do about it.
func (e *DamagedError) Hint() string {
	if e.Line <= 1 {
		return "if a newer layover wrote the run, update; else nothing of it can be taken up"
	}
	return fmt.Sprintf("if a newer layover wrote the run, update; else keep a copy of the file and cut it to its first %d lines", e.Line-1)
}
