// Package engine is the shell around the pure core: it hosts one program. One
// goroutine owns the state; it takes what happens, lets package plan decide,
// saves the facts, tells who listens, and then carries the effects out.
//
// It owns the agents' processes while they run, the following of their output,
// and the one timer.
//
// It never decides anything about a run by itself, never draws, and reads no clock
// but its port, save to pace how often it writes.
//
// Facts go to the listener in order and none is lost: the engine waits for it.
// Observations may be called from several goroutines, and may be dropped by who
// takes them.
package engine
