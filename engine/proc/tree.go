//go:build unix

package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// tree is a process and what it has started. It remembers whom it has seen, so
// that those who are orphaned or leave the session later still belong.
type tree struct {
	leader identity
	known  map[identity]bool
	// own is our session. A tree never has a member in it, since its leader began
	// another; taking one for a member would end ourselves and our terminal.
	own int
	// reaper takes the place of parents that are gone: whoever is its child
	// belongs. Zero if orphans leave the tree.
	reaper int
}

func newTree(leader identity) tree {
	own, _ := unix.Getsid(0) // cannot fail for ourselves
	return tree{leader: leader, known: map[identity]bool{}, own: own}
}

// members picks the running processes of the tree out of a table of all
// processes: the leader, who shares its group or session, who is known from an
// earlier look, and whose parent or session belongs.
//
// A leader without a number has none: as a group or a session, zero is that of
// processes from outside of what we see, and one is the system's.
func (t tree) members(all []entry) []entry {
	if t.leader.pid <= 1 {
		return nil
	}
	var found []entry
	in := map[int]bool{}       // by number
	sessions := map[int]bool{} // sessions that were made within the tree
	add := func(e entry) {
		in[e.pid] = true
		if e.sid > 0 {
			sessions[e.sid] = true
		}
		t.known[e.identity()] = true
		found = append(found, e)
	}
	belongs := func(e entry) bool {
		return e.identity() == t.leader || t.known[e.identity()] ||
			e.pgid == t.leader.pid || e.sid == t.leader.pid ||
			in[e.ppid] || sessions[e.sid] ||
			(t.reaper > 0 && e.ppid == t.reaper)
	}
	rest := make([]entry, 0, len(all))
	for _, e := range all {
		if !e.zombie && e.pid > 1 && e.pid != os.Getpid() && (e.sid == 0 || e.sid != t.own) {
			rest = append(rest, e)
		}
	}
	for grew := true; grew; {
		grew = false
		kept := rest[:0]
		for _, e := range rest {
			if belongs(e) {
				add(e)
				grew = true
			} else {
				kept = append(kept, e)
			}
		}
		rest = kept
	}
	return found
}
