// Package lanes is the pane of the lanes: what each does, on which target, how long it
// waits and why; below the open ones the next tasks of the queue and the lanes that
// have ended.
//
// It owns the cursor of the pane and the newest observation of each open lane.
//
// It never changes the state it shows, never reads a clock, and draws no row that is
// not seen.
package lanes
