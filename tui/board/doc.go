// Package board is the screen of everything: the list of all agent runs, and over it the
// screen of the one that is opened.
//
// It owns which run is opened, the order in which runs are asked to be fed and to be left,
// and who a message is for: those of the open run bear its key, or come from a command of
// its screen.
//
// It never looks at files and never starts or stops a run: to open one is to look at it, and
// to quit is to look away.
package board
