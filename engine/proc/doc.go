// Package proc starts processes and ends them, with everything that they have
// started in turn.
//
// It owns each process from its start until it has been reaped: the session it
// runs in, the file it reads as standard input, the files its output goes to, and
// the goroutine that leads its end from TERM to KILL. No byte of its output passes
// through this process, so nothing it prints, however much, can block us.
//
// It never runs a shell, never judges what an end means, and never signals a
// number that may belong to a stranger: a group is signalled only while its
// leader has not been reaped, any other process only after its start time was
// compared. What it cannot see is a process that left the session and whose
// parents were gone before the end of the tree began.
//
// It is for Linux and the BSD family, macOS included. The latter is asked through
// ps, which is slower, knows start times to the second, and tells no sessions.
// Windows is left out: there the package is empty.
package proc
