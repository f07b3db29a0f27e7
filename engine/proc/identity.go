//go:build unix

package proc

import (
	"os"
	"syscall"
)

// identity names a process for good: numbers are given again, start times not.
type identity struct {
	pid   int
	start string
}

// entry is what the system tells of one process.
type entry struct {
	pid, ppid, pgid int
	sid             int // zero where the system does not tell
	start           string
	zombie          bool
}

func (e entry) identity() identity { return identity{pid: e.pid, start: e.start} }

// Alive reports whether the process with this number and start time runs. Without
// a start time any process of that number counts. One that has ended but was not
// reaped by its parent is not alive.
func Alive(pid int, startTime string) bool {
	e, ok := look(pid)
	return ok && !e.zombie && (startTime == "" || e.start == startTime)
}

// StartTime is when the kernel started a process of any owner, in the kernel's own
// words: clock ticks since boot on Linux. Together with the number it names the
// process, also after the number was given to another one. It is empty if there is
// none of that number or it cannot be read.
func StartTime(pid int) string {
	e, _ := look(pid)
	return e.start
}

// deliver reaches one process, and never another that has taken its number: the
// process is pinned, where the kernel can, before its start time is compared.
func deliver(id identity, sig syscall.Signal) {
	p, err := os.FindProcess(id.pid)
	if err != nil {
		return
	}
	defer func() { _ = p.Release() }()
	if e, ok := look(id.pid); ok && e.identity() == id {
		_ = p.Signal(sig) // the next look tells whether it helped
	}
}
