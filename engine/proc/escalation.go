//go:build unix

package proc

import (
	"syscall"
	"time"
)

const (
	// firstLook and longestLook bound the time between two looks at a tree that
	// is ending; each is twice the one before.
	firstLook   = 2 * time.Millisecond
	longestLook = 500 * time.Millisecond
	// killBound is how long the rest of a tree may outlive KILL before it is
	// given up.
	killBound = 5 * time.Second
)

// escalation ends a tree: TERM, grace, KILL. It belongs to one goroutine.
type escalation struct {
	tree   tree
	grace  time.Duration
	sig    syscall.Signal // the sharpest signal so far; zero while the tree may run
	since  time.Time      // when sig was begun
	told   map[identity]syscall.Signal
	timer  *time.Timer // the next look; never fires while the tree may run
	wait   time.Duration
	ended  bool // the leader has
	end    ending
	left   int
	isOver bool
}

func newEscalation(leader identity, grace time.Duration) *escalation {
	e := &escalation{
		tree: newTree(leader), grace: grace,
		told: map[identity]syscall.Signal{}, timer: time.NewTimer(time.Hour),
	}
	e.timer.Stop()
	return e
}

func (e *escalation) stop() { e.timer.Stop() }

// over reports whether the leader has ended and nothing is left to end.
func (e *escalation) over() bool { return e.isOver }

// begin moves to a sharper signal; the same or a milder one changes nothing.
func (e *escalation) begin(sig syscall.Signal) {
	if e.sig == sig || e.sig == syscall.SIGKILL {
		return
	}
	members := e.tree.members(table())
	e.sig, e.since, e.wait = sig, time.Now(), firstLook
	e.signalGroup(members)
	e.tell(members)
	e.step()
}

func (e *escalation) leaderEnded(end ending) {
	e.ended, e.end = true, end
	if e.sig == 0 {
		e.begin(syscall.SIGTERM)
		return
	}
	e.wait = firstLook
	e.step()
}

// step looks at what is left of the tree, tells newcomers, and sets the next look.
func (e *escalation) step() {
	if e.sig == 0 {
		return
	}
	if e.sig == syscall.SIGTERM && time.Since(e.since) >= e.grace {
		e.begin(syscall.SIGKILL)
		return
	}
	members := e.tree.members(table())
	if e.tell(members) && e.sig == syscall.SIGKILL {
		e.wait = firstLook // it breeds: look before it does again
	}
	e.left = 0
	for _, m := range members {
		if m.pid != e.tree.leader.pid {
			e.left++
		}
	}
	lost := e.sig == syscall.SIGKILL && time.Since(e.since) >= killBound
	if e.ended && (e.left == 0 || lost) {
		e.isOver = true
		return
	}
	next := e.wait
	if e.sig == syscall.SIGTERM {
		next = min(next, max(0, e.grace-time.Since(e.since)))
	}
	e.timer.Reset(next)
	e.wait = min(2*e.wait, longestLook)
}

// signalGroup reaches every member of the leader's group in one call, as long as
// the group is the leader's for certain.
func (e *escalation) signalGroup(members []entry) {
	if e.end.reaped || e.tree.leader.pid <= 1 { // these would be groups of others
		return
	}
	_ = syscall.Kill(-e.tree.leader.pid, e.sig) // the next look tells who is left
	for _, m := range members {
		if m.pgid == e.tree.leader.pid {
			e.told[m.identity()] = e.sig
		}
	}
}

// tell signals each member that has not had this signal, and reports whether
// there was one.
func (e *escalation) tell(members []entry) bool {
	found := false
	for _, m := range members {
		id := m.identity()
		if e.told[id] != e.sig {
			e.told[id], found = e.sig, true
			deliver(id, e.sig)
		}
	}
	return found
}
