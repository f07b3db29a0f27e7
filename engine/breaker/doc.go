// Package breaker keeps the windows of a run: it opens and extends them by
// evidence, says which targets they block, hands out the permits to probe them,
// and settles those probes. It also keeps the health of families.
//
// It owns the rules of design.md §6 about windows, permits, suspicion and health.
//
// It never decides what a lane does next, reads no clock and starts nothing: it
// records facts through the [run.Decision] it is given.
package breaker
