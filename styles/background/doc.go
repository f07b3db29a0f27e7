// Package background settles what colour the terminal's background has: it keeps
// others from asking at start, and asks once, with a bound, when the screen opens.
//
// A program that links github.com/charmbracelet/bubbletea asks the terminal for
// its background in a package init and waits five seconds where nothing answers,
// even for --version. This package's own init tells lipgloss an answer first, so
// that the question is not asked. It works because of the order that the Go
// specification gives: of the packages whose imports are all initialised, the one
// whose import path sorts first goes next. So two things must stay true:
//
//   - its import path sorts before github.com/charmbracelet/bubbletea, as any path
//     under example.com does;
//   - it imports nothing but lipgloss and what lipgloss itself imports, so that it
//     is ready in the same moment as bubbletea or earlier.
//
// Packages main and tui import it, the first for its effect. A test runs a binary
// on a terminal that never answers and looks for the question.
//
// It owns the one init of Layover and, while [Ask] runs, the terminal's mode; it
// leaves both as other packages expect to find them. It never chooses a colour,
// never waits longer than it was told, and never loses a key press: what it reads
// besides the answer is given back by [Input].
package background
