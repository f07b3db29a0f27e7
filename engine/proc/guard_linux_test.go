package proc

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

func TestGuardAndAgentHaveSessionsOfTheirOwn(t *testing.T) {
	s := guardedChild(t, "polite")
	g := mustGuard(t, s)
	guard, _ := look(g.GuardPID())
	agent, _ := look(g.PID())
	if guard.sid != g.GuardPID() || agent.sid != g.PID() || agent.pgid != g.PID() || agent.ppid != g.GuardPID() {
		t.Errorf("guard %+v, agent %+v", guard, agent)
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

func TestSweepSparesANumberThatIsGivenAgain(t *testing.T) {
	p := mustStart(t, child(t, "polite"))
	if left := sweep(identity{pid: p.PID(), start: p.StartTime() + "1"}, shortGrace); left != 0 || !Alive(p.PID(), p.StartTime()) {
		t.Errorf("%d left; the stranger was hit", left)
	}
}

func TestSweepSparesTheSystem(t *testing.T) {
	for _, pid := range []int{0, 1} {
		if left := sweep(identity{pid: pid, start: StartTime(pid)}, shortGrace); left != 0 {
			t.Errorf("%d left of %d", left, pid)
		}
	}
}

func TestGrowth(t *testing.T) {
	dir := t.TempDir()
	files := make([]*os.File, 3)
	for i, name := range []string{"a", "a", "b"} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = f
	}
	write := func(name, text string) {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(text)
		if err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	type seen struct {
		Added  int64
		Silent time.Duration
	}
	write("a", "before")
	at := time.Unix(1000, 0)
	same := newGrowth(files[:2], at) // one file twice
	write("a", "123")
	var got []seen
	look := func(g *growth, after time.Duration) {
		added, silent := g.look(at.Add(after))
		got = append(got, seen{added, silent})
	}
	look(same, time.Second)
	look(same, 3*time.Second)
	both := newGrowth([]*os.File{same.files[0], files[2]}, at)
	write("b", "4567")
	look(both, time.Second)
	if err := os.Remove(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	look(both, 5*time.Second)
	look(newGrowth(nil, at), time.Hour) // nothing to watch is never silent
	want := []seen{{3, 0}, {3, 2 * time.Second}, {4, 0}, {4, 4 * time.Second}, {0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
