// Package pane has what the panes of the screen share: the frame with its title, a
// row of cells, the cursor of a list, and laying a box over a screen.
//
// It owns nothing: everything is a value that is handed on.
//
// It never looks at a run and never reads a clock; every line that it draws has
// exactly the cells that it was given.
package pane
