// Package tui is the screen of a run: the sentence of its state, its lanes, its
// families, its events, and the keys by which the operator steers it.
//
// It owns a state of its own, to which it applies the facts that it is sent, the
// newest observation of each lane, and which pane has the keys. What the operator
// asks for leaves as a command.
//
// It never decides anything about a run, never reads a clock outside a command, and
// never draws a line wider than the terminal. Lines of others reach the screen only
// through package tui/text.
package tui
