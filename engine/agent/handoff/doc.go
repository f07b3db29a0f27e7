// Package handoff gathers from the stream of an agent what the next one must know of its
// work.
//
// It owns the [Transcript]: what was said and done, repaired, with one result for each call
// that has none, bounded in size, without thinking, secrets and terminal sequences; the
// note in which that is fenced as data ([Note]); and the prompt of a summary of what a
// note leaves out.
//
// It never reads a file, and what it is given is hostile.
package handoff
