package proc

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

func procFile(t *testing.T, pid int, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// open gives what a process has open, by descriptor.
func open(t *testing.T, pid int) map[string]string {
	t.Helper()
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, n := range names {
		all[n.Name()], _ = os.Readlink(filepath.Join(dir, n.Name())) // one may be closed by now
	}
	return all
}

func TestNothingSecretShows(t *testing.T) {
	s := guardedChild(t, "polite")
	s.Env = append(s.Env, "TOKEN=hunter2-env")
	s.Stdin = []byte("hunter2-prompt")
	g := mustGuard(t, s)
	born(t, s.Stdout, 1)
	for _, pid := range []int{g.GuardPID(), g.PID()} {
		if line := procFile(t, pid, "cmdline"); bytes.Contains(line, []byte("hunter2")) || len(line) == 0 {
			t.Errorf("command line of %d: %q", pid, line)
		}
	}
	if env := procFile(t, g.GuardPID(), "environ"); string(env) != quickExit+"\x00" {
		t.Errorf("the guard has an environment: %q", env)
	}
	if lock := content(t, s.Lock); bytes.Contains([]byte(lock), []byte("hunter2")) {
		t.Errorf("the lock holds %q", lock)
	}
	files := open(t, g.GuardPID())
	for _, fd := range []string{"0", "1", "2"} {
		if files[fd] != os.DevNull {
			t.Errorf("descriptor %s of the guard is %s", fd, files[fd])
		}
	}
}

func TestAgentInheritsNothing(t *testing.T) {
	signal.Ignore(unix.SIGPIPE, unix.SIGHUP)
	t.Cleanup(func() { signal.Reset(unix.SIGPIPE, unix.SIGHUP) })
	s := guardedChild(t, "polite")
	s.Argv = []string{"/bin/sleep", "60"} // a program that leaves its signals as they come
	g := mustGuard(t, s)
	until(t, childLife, "the agent runs its program", func() bool {
		return bytes.HasPrefix(procFile(t, g.PID(), "cmdline"), []byte("/bin/sleep"))
	})
	foreign := regexp.MustCompile("^(pipe|socket|anon_inode|/memfd):|" + regexp.QuoteMeta(filepath.Dir(s.Lock)) + "/(.*lock|exit)")
	ours := open(t, os.Getpid()) // what whoever runs the test has left open reaches all
	for fd, to := range open(t, g.PID()) {
		if fd != "0" && to != ours[fd] && foreign.MatchString(to) { // it opens files of its own
			t.Errorf("descriptor %s is %s", fd, to)
		}
	}
	ignored := regexp.MustCompile(`(?m)^SigIgn:\s*(\w+)$`).FindSubmatch(procFile(t, g.PID(), "status"))
	mask, err := strconv.ParseUint(string(ignored[1]), 16, 64)
	if err != nil || mask&(1<<(unix.SIGPIPE-1)|1<<(unix.SIGHUP-1)) != 0 {
		t.Errorf("it ignores signals %#x, error %v", mask, err)
	}
}

func TestOrphansAreReapedWhileTheAgentLives(t *testing.T) {
	s := guardedChild(t, "fleeting")
	g := mustGuard(t, s)
	born(t, s.Stdout, 1)
	until(t, childLife, "no remains", func() bool {
		for _, e := range table() {
			if e.ppid == g.GuardPID() && e.pid != g.PID() {
				return false
			}
		}
		return true
	})
	if !Alive(g.PID(), g.StartTime()) {
		t.Error("the agent is gone")
	}
}
