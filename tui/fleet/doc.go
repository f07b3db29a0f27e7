// Package fleet is the screen of all agent runs on this machine: the sentence of how they
// stand, a row for each, and the families with their limits.
//
// It owns the list of the runs, the cursor in it, and what the operator is asked before a
// run is stopped from here.
//
// It never reads a clock outside a command, never opens a run by itself ([Model.Chosen] tells
// which one a key opens), and draws no row that is not seen. All text of others reaches it
// through package tui/text.
package fleet
