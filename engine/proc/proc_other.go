//go:build unix && !linux

package proc

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// psBound is how long one look at the processes may take.
const psBound = 5 * time.Second

func privateFile() (*os.File, error) { return unlinkedFile() }

// awaitEnd blocks until our child has ended and leaves it to be reaped.
func awaitEnd(pid int) error {
	queue, err := unix.Kqueue()
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(queue) }()
	unix.CloseOnExec(queue)
	var want unix.Kevent_t
	unix.SetKevent(&want, pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	want.Fflags = unix.NOTE_EXIT
	got := make([]unix.Kevent_t, 1)
	for {
		_, err := unix.Kevent(queue, []unix.Kevent_t{want}, got, nil)
		switch err {
		case unix.EINTR:
		case unix.ESRCH: // it has ended already
			return nil
		default:
			return err
		}
	}
}

// table lists all processes that can be seen.
func table() []entry { return ps("-A") }

// look tells of one process; false if there is none of that number.
func look(pid int) (entry, bool) {
	if pid <= 0 {
		return entry{}, false
	}
	for _, e := range ps("-p", strconv.Itoa(pid)) {
		if e.pid == pid {
			return e, true
		}
	}
	return entry{}, false
}

// ps asks the system's own command, which every system of the family has.
func ps(which ...string) []entry {
	ctx, cancel := context.WithTimeout(context.Background(), psBound)
	defer cancel()
	args := append(which, "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart=")
	cmd := exec.CommandContext(ctx, "/bin/ps", args...)
	cmd.Env = []string{"LC_ALL=C"}
	out, _ := cmd.Output() // an error with no lines: there is no such process
	return parsePS(out)
}
