// Package run is the vocabulary of a run: the program an operator launches, the
// state it is in, the facts that changed it, and the values that travel between
// the pure core and everything around it (happenings in; facts, effects and
// observations out).
//
// It owns the one function that changes a [State], [State.Apply], and the codec
// of the facts. Replaying the facts of a run gives its state, field by field.
//
// It never reads a clock, a file or a process, never decides anything, and
// imports no other package of Layover.
package run
