//go:build unix && !linux

package proc

// becomeReaper gives zero: orphans leave the tree here.
func becomeReaper() int { return 0 }

// reap does nothing: the agent is the only child.
func reap(int) {}

// bootID is empty: start times are absolute here.
func bootID() string { return "" }
