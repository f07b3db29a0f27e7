// Package turn drives one lane: the inline ladder, the wait for a window or a
// backoff, and the settling of what remains: a swap to another target, or the
// end of the turn.
//
// It owns the rules of design.md §4, §5 and §7, and those of §6 about patience
// and returning.
//
// It never opens lanes, reads no clock and starts nothing: it records facts and
// asks for effects through the [run.Decision] it is given.
package turn
