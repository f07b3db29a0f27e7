//go:build unix

package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// sweep ends the tree of a process that is not our child, and gives how many of it
// are left, itself apart. It does nothing if the process itself is gone: then its
// number, which names its group and session, may be another's.
func sweep(leader identity, grace time.Duration) int {
	if leader.pid <= 1 || leader.start == "" || !Alive(leader.pid, leader.start) {
		return 0
	}
	e := newEscalation(leader, grace)
	defer e.stop()
	e.end.reaped = true // by whoever is its parent: its number may be free at any time
	e.begin(unix.SIGTERM)
	for !e.over() {
		<-e.timer.C
		lost := e.sig == unix.SIGKILL && time.Since(e.since) >= killBound
		e.ended = lost || !Alive(leader.pid, leader.start)
		e.step()
	}
	return e.left
}
