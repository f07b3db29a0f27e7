// Package plan decides everything about a run: it is the Decide of design.md §2.
// It opens lanes for the jobs of the queue, hands what happens to the lane it is
// about, looks at what is due, and ends the run.
//
// It owns the queue: iterations, parallel lanes, blocked tasks that come back,
// the waiting program, stops, and the exit status.
//
// It never reads a clock, a file or a process: a decision is facts and effects.
package plan
