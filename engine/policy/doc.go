// Package policy holds the numbers of waiting: how long to back off, what a park
// may take, when to probe a window, and the random draws that spread them.
//
// It owns every constant of design.md §4 to §6 and the arithmetic on them.
//
// It never looks at a run, a clock or anything random: a draw is a hash of what
// it is for, so the same run always draws the same numbers.
package policy
