// Package show opens the screen on a terminal and carries to it what a run tells.
//
// It owns the terminal while the screen is open, its colours, its job control, and
// the relay's one goroutine; it gives the terminal back as it was, also while the
// process is suspended and after a panic.
//
// It never decides anything and never starts an engine.
package show
