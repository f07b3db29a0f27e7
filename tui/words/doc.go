// Package words has the words of the screen for the vocabulary of a run: how an
// instant is known, what an end means, what a window is for, and the names of lanes,
// targets and families fit to be shown.
//
// It owns no text longer than a few words; whole sentences stand where they are shown.
//
// It never styles, never measures and never reads a clock.
package words
