package cli

import (
	"context"

	"example.com/layover/engine/run"
)

// Machine is what doctor needs of the machine, beside what all commands need. All must
// be set.
type Machine struct {
	// Ask runs a command that answers at once and waits until it has ended, or ctx has. An
	// error says that it could not be started.
	Ask func(ctx context.Context, argv ...string) (Answer, error)
	// Terminal tells what the terminal can do. It may ask the terminal, and blocks for a
	// second at most.
	Terminal func() Terminal
	// ReadFile reads a small file of the system, as os does.
	ReadFile func(path string) ([]byte, error)
	// Notices tries whether the changes in a directory can be watched.
	Notices func(dir string) error
	// Disk tells of the filesystem that a directory is on.
	Disk func(dir string) (Disk, error)
}

// Answer is what a command said.
type Answer struct {
	// Said is the beginning of what it printed.
	Said run.Untrusted
	Exit run.Exit
	// Cut is set if it printed more than that, and was cut off.
	Cut bool
	// Late is set if it had not ended in time, so that it was ended.
	Late bool
}

// Terminal is what a terminal can do. The zero value is none.
type Terminal struct {
	// Is is set if input and output are a terminal.
	Is bool
	// Width and Height are in cells; zero if it does not tell.
	Width, Height int
	// Colours is how many it shows: 0, 16, 256, or 1<<24.
	Colours int
	// Boxes is set if the screen uses more than the characters of ASCII on it.
	Boxes bool
	// Answers is set if it told the colour of its background when it was asked.
	Answers bool
}

// Disk is the filesystem of a directory.
type Disk struct {
	// Kind is its name, such as "ext4"; empty if it is not known.
	Kind string
	// Free is how much can be written, in bytes; negative if it is not known.
	Free int64
}
