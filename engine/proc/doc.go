// Package proc starts agents and ends them, with everything that they have started
// in turn.
//
// There is one way to start an agent: [StartGuarded]. It puts a guard between us and
// the agent: a process of its own, running [GuardMain], that is the agent's parent and
// its tree's owner. The guard outlives us. It holds a lock while anything of the tree
// lives, keeps deadline, stall and output limits by itself, leads the end of the tree
// from TERM to KILL, and writes how the agent ended before it lets go of the lock.
// [Adopt] takes over, in a later process, what a guard still has or has left. A lock
// that is free without an exit file means that the guard itself was killed: lost. Then
// the new owner ends the agent's tree, if the agent itself still runs.
//
// A command that is only asked something, such as its version, needs no guard: [Ask]
// waits for the answer, for as long as it may take, and ends the rest.
//
// An agent reads its standard input from a file and writes its output to files. No
// byte of it passes through us or the guard, so nothing it prints, however much, can
// block either.
//
// The package never runs a shell, never judges what an end means, and never signals a
// number that may belong to a stranger: a group is signalled only while its leader has
// not been reaped, any other process only after its start time was compared. What it
// cannot see is a process that left the session and whose parents were gone before the
// end of the tree began. On Linux there is none while the guard lives, since orphans
// become its children. A process that outlives KILL, as the kernel holds it or as it
// runs as another user, is counted and given up after five seconds, and the lock goes
// with it.
//
// It is for Linux and the BSD family, macOS included. The latter is asked through ps,
// which is slower, knows start times to the second, and tells no sessions. There a
// guard does not become the parent of orphans: a process that was forked twice and
// began a session of its own between two looks outlives the tree. Nor can a process be
// pinned between the comparison of its start time and a signal. Windows is left out:
// there the package is empty.
//
// To read it, begin with startguard.go, our side of a start, and guard.go, the other
// side; then launch.go and escalation.go, how the guard starts an agent and ends a tree.
package proc
