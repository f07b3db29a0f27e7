// Package stream keeps the account of one agent's output as it grows: a session on
// disk, a rollout, or what a command prints.
//
// It owns what is remembered of a stream between two reads, and how that is kept, so
// that whoever goes on reads only what is new: a [Stream] is saved in a few hundred bytes
// and dropped, and what was [Stream.Held] by then is read again.
//
// The account is the same however the bytes come, and however often the stream is put to
// rest; but of a message that comes in parts (gemini, grok) the word that a rest falls into
// is lost, as it may be a part of a secret.
//
// It never opens a file, reads a clock, or decides what an end means: package agent
// does.
package stream
