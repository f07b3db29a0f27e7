package proc

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// becomeReaper makes this process the parent of whoever below it loses its own,
// and gives its number; zero if the kernel does not do that.
func becomeReaper() int {
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		return 0
	}
	return os.Getpid()
}

// reap takes the remains of ended children, except those of one.
func reap(except int) {
	self := os.Getpid()
	for _, e := range table() {
		if e.zombie && e.ppid == self && e.pid != except {
			_, _ = unix.Wait4(e.pid, nil, unix.WNOHANG, nil) // the next look tells
		}
	}
}

// bootID names the time since the machine was started, as start times count from
// there.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}
