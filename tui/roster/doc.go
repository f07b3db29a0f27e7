// Package roster keeps the runs that are watched in the order in which they are listed,
// and counts how they stand.
//
// It owns the order: runs that need somebody or are alive first, then those that have
// ended, then those that were never read. A run of which only the activity changes keeps
// its place.
//
// It never draws, and never reads a clock. Ten thousand runs are no burden: one message
// sorts what has moved and merges it, and the passing of time is looked at only when a run
// may stand otherwise by it.
package roster
