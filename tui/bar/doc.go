// Package bar draws a bar that fills from the left: a wait that passes, a budget
// that is spent.
//
// It owns how a share becomes cells and eighths of cells.
//
// It never knows what the share is of, keeps nothing and counts no time.
package bar
