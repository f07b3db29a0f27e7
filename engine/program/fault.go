package program

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Fault is one thing that is wrong with a program.
type Fault struct {
	// File is the program file as it was named; empty for flags.
	File string
	// Line counts from one; zero if the fault has no place in a file.
	Line int
	// Key is the dotted path of the key, such as "task[1].wait", or a flag.
	Key string
	// Message says what is wrong, in lower case.
	Message string
	// Hint says what to do; empty if the message says it all.
	Hint string
}

// String gives the fault on one line: place, message, and the hint in brackets.
func (f Fault) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Message)
	if f.Hint != "" {
		fmt.Fprintf(&b, " (%s)", f.Hint)
	}
	return b.String()
}

// Faults is everything that is wrong with a program, in the order of its lines.
// As an error it is never empty.
type Faults []Fault

// Error lists every fault on a line of its own.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, x := range f {
		lines[i] = x.String()
	}
	return strings.Join(lines, "\n")
}

// sorted gives the faults by line as an error, or nil if there are none.
func (f Faults) sorted() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return f
}

var figures = regexp.MustCompile(`\d{25,}`)

// short leaves most of a number out that is longer than any number can be.
func short(message string) string {
	return figures.ReplaceAllStringFunc(message, func(n string) string {
		return fmt.Sprintf("%s… (%d digits)", n[:6], len(n))
	})
}
