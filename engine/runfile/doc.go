// Package runfile is the codec of run.json, the picture of a run that other
// tools read: it writes ours from a [run.State] and reads ours and others'.
//
// It owns the names in that file (design.md §10) and how tolerantly they are read.
//
// It never opens a file, reads a clock or looks at a process, never gives away a
// prompt or an environment, and never takes what a file says for a decision.
package runfile
