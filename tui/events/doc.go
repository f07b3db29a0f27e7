// Package events is the pane of the events: one line for each fact and trouble that the
// operator should have seen, the newest last.
//
// It owns a ring of the latest lines, and the words for them.
//
// It never keeps a fact, never reads a clock, and draws no line that is not seen.
package events
