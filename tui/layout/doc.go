// Package layout divides the screen: which pane gets which rectangle, and which
// column of a row how many cells.
//
// It owns the order in which things go when room shrinks, so that what matters most
// stays longest.
//
// It never draws, never measures text and keeps nothing: the same size and wishes
// give the same answer.
package layout
