// Package watch shows runs of other processes until the operator has seen enough: one of
// Layover's or all there are, on the screen or in lines.
//
// It owns what a command that only looks on wires together: a watcher, the way to the
// screen or the printer, and the signals that end it.
//
// It never hosts a run, and nothing stops because it ends.
package watch
