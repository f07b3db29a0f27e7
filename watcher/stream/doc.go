// Package stream keeps the account of one agent's output as it grows: a session on
// disk, a rollout, or what a command prints.
//
// It owns what is remembered of a stream between two reads, and how that is kept, so
// that whoever goes on reads only what is new.
//
// It never opens a file, reads a clock, or decides what an end means: package agent
// does.
package stream
