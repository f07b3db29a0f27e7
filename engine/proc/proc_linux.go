package proc

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// privateFile gives an empty file without a name: in memory, or unlinked where
// the kernel has no such files.
func privateFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("stdin", unix.MFD_CLOEXEC)
	if err != nil {
		return unlinkedFile()
	}
	return os.NewFile(uintptr(fd), "stdin"), nil
}

// awaitEnd blocks until our child has ended and leaves it to be reaped.
func awaitEnd(pid int) error {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err
		}
	}
}

// table lists all processes that can be seen.
func table() []entry {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1) // what was read before an error counts
	all := make([]entry, 0, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if e, ok := look(pid); ok {
			all = append(all, e)
		}
	}
	return all
}

// look tells of one process; false if there is none of that number.
func look(pid int) (entry, bool) {
	if pid <= 0 {
		return entry{}, false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return entry{}, false
	}
	return parseStat(pid, stat)
}

// parseStat reads a line of /proc/PID/stat. The command's name in it may hold
// anything, so fields count from its last bracket: state, parent, group, session,
// sixteen further the threads, and two further the start time. A process whose
// first thread has ended looks like a zombie while other threads go on.
func parseStat(pid int, stat []byte) (entry, bool) {
	const state, parent, group, session, threads, start = 0, 1, 2, 3, 17, 19
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= start {
		return entry{}, false
	}
	e := entry{pid: pid, start: string(fields[start])}
	var err error
	for _, f := range []struct {
		to *int
		at int
	}{{&e.ppid, parent}, {&e.pgid, group}, {&e.sid, session}} {
		if *f.to, err = strconv.Atoi(string(fields[f.at])); err != nil {
			return entry{}, false
		}
	}
	n, err := strconv.Atoi(string(fields[threads]))
	e.zombie = (fields[state][0] == 'Z' || fields[state][0] == 'X') && (err != nil || n < 2)
	return e, true
}
