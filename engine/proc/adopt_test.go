//go:build unix

package proc

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestLostGuard(t *testing.T) {
	s := guardedChild(t, "nasty")
	if err := (exitRecord{Code: 5, Time: time.Now()}).write(s.Exit); err != nil { // of an earlier guard
		t.Fatal(err)
	}
	g := mustGuard(t, s)
	ids := born(t, s.Stdout, 6)
	if err := syscall.Kill(g.GuardPID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Exit{Code: -1, Lost: true}, ended(t, g)); diff != "" {
		t.Error(diff)
	}
	if g.Cause() != "" || !g.EndedAt().IsZero() || len(alive(ids)) > 0 {
		t.Errorf("cause %q, at %v, alive %v", g.Cause(), g.EndedAt(), alive(ids))
	}
}

func TestLostGuardOfAnEarlierOwner(t *testing.T) {
	s := guardedChild(t, "stubborn")
	var ids []identity
	orphaned(t, s, func() { ids = born(t, s.Stdout, 1) })
	if err := syscall.Kill(mustAdopt(t, s).GuardPID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Open(s.Lock)
	if err != nil {
		t.Fatal(err)
	}
	if err := flock(lock, unix.LOCK_EX); err != nil { // the agent does not hold it
		t.Fatal(err)
	}
	_ = lock.Close()
	if exit := ended(t, mustAdopt(t, s)); !exit.Lost || len(alive(ids)) > 0 {
		t.Errorf("exit %+v, alive %v", exit, alive(ids))
	}
}

func TestAdopt(t *testing.T) {
	s := guardedChild(t, "polite")
	ours := mustGuard(t, s)
	born(t, s.Stdout, 1)
	g := mustAdopt(t, s)
	if g.grace != s.Grace {
		t.Errorf("what is left of a lost tree has %v, want %v", g.grace, s.Grace)
	}
	if g.PID() != ours.PID() || g.StartTime() != ours.StartTime() || g.GuardPID() != ours.GuardPID() || g.PID() == 0 {
		t.Errorf("adopted %d of %d, want %d of %d", g.PID(), g.GuardPID(), ours.PID(), ours.GuardPID())
	}
	select {
	case <-g.Done():
		t.Error("done while it lives")
	default:
	}
	g.End()
	want := Exit{Code: -1, Signal: "terminated"}
	for name, g := range map[string]*Guarded{"live": g, "ours": ours, "ended": mustAdopt(t, s)} {
		if diff := cmp.Diff(want, ended(t, g)); diff != "" || g.Cause() != CauseStop {
			t.Errorf("%s: cause %q, %s", name, g.Cause(), diff)
		}
	}
}

// mustBeFree checks that another guard can have a lock.
func mustBeFree(t *testing.T, path string) {
	t.Helper()
	lock, err := tryLock(path)
	if err != nil {
		t.Error(err)
		return
	}
	_ = lock.Close()
}

func TestAdoptWhereNoAgentWasStarted(t *testing.T) {
	for name, files := range map[string][]string{
		"nothing there": {}, "empty lock": {"lock"}, "output alone": {"stdout"}, "lock and output": {"lock", "stdout"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range files {
				if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			g, live, err := Adopt(AdoptSpec{
				Lock: filepath.Join(dir, "lock"), Exit: filepath.Join(dir, "exit.json"), Stdout: filepath.Join(dir, "stdout"),
			})
			started := slices.Contains(files, "stdout")
			if errors.Is(err, ErrNoTrace) == started || live {
				t.Errorf("live %v, error %v", live, err)
			}
			if started && !ended(t, g).Lost {
				t.Error("it is not lost")
			}
			mustBeFree(t, filepath.Join(dir, "lock"))
		})
	}
}

func TestAdoptWithoutTraces(t *testing.T) {
	for name, tc := range map[string]struct{ lock, exit string }{
		"lock alone":     {lock: "\n"},
		"damaged lock":   {lock: "{\"pid\":1,\"agent\":1,\"start\":", exit: ""},
		"damaged exit":   {lock: "\n", exit: "{\"code\":0"},
		"exit of no end": {lock: "\n", exit: "{}"},
		"other boot":     {lock: string(answer{PID: os.Getpid(), Agent: os.Getpid(), Boot: "x"}.line())},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := AdoptSpec{Lock: filepath.Join(dir, "lock"), Exit: filepath.Join(dir, "exit.json"), Grace: shortGrace}
			for path, text := range map[string]string{s.Lock: tc.lock, s.Exit: tc.exit} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			g, live, err := Adopt(s)
			if err != nil || live {
				t.Fatal(live, err)
			}
			g.End()
			g.Kill()
			if exit := ended(t, g); !exit.Lost || g.PID() != 0 || g.GuardPID() != 0 || g.StartTime() != "" {
				t.Errorf("exit %+v of %d, %d", exit, g.PID(), g.GuardPID())
			}
		})
	}
}

// A guard that has only just begun holds its lock and has not told yet who it is: it
// is waited for, as long as that may take.
func TestAdoptWaitsForAGuardThatHasJustBegun(t *testing.T) {
	const nobody = math.MaxInt32 // no process has that number
	who := answer{PID: nobody, Start: "1", Agent: nobody, AgentStart: "1", Boot: bootID()}
	for name, tc := range map[string]struct {
		soon   func(lock *os.File) error // what the guard does soon
		exits  bool                      // it has written how its agent ended
		live   bool
		pid    int
		traces bool
	}{
		"tells who it is":  {func(lock *os.File) error { _, err := lock.WriteAt(who.line(), 0); return err }, true, true, nobody, true},
		"ends":             {func(lock *os.File) error { return lock.Close() }, true, false, 0, true},
		"ends for nothing": {func(lock *os.File) error { return lock.Close() }, false, false, 0, false},
		"tells later":      {nil, true, true, 0, true}, // than it is waited for
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := AdoptSpec{Lock: filepath.Join(dir, "lock"), Exit: filepath.Join(dir, "exit.json")}
			lock, err := tryLock(s.Lock)
			if err != nil {
				t.Fatal(err)
			}
			if tc.exits {
				err = (exitRecord{Code: 5, Time: time.Now()}).write(s.Exit)
			}
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			if tc.soon == nil {
				done <- nil
			} else {
				time.AfterFunc(100*time.Millisecond, func() { done <- tc.soon(lock) })
			}
			g, live, err := Adopt(s)
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
			default:
				t.Error("it is not waited for")
				<-done
			}
			if !tc.traces {
				if !errors.Is(err, ErrNoTrace) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || live != tc.live || g.PID() != tc.pid {
				t.Fatalf("live %v, error %v", live, err)
			}
			if tc.soon == nil {
				if _, err := lock.WriteAt(who.line(), 0); err != nil {
					t.Fatal(err)
				}
			}
			_ = lock.Close() // it may be closed already
			exit := ended(t, g)
			mustBeFree(t, s.Lock)
			if exit.Code != 5 || exit.Lost || (g.PID() == nobody) != tc.live {
				t.Errorf("exit %+v of %d", exit, g.PID())
			}
		})
	}
}

// Where it cannot be told whether an agent was started, none is started again.
func TestAdoptWhereTracesCannotBeSeen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]AdoptSpec{
		"output": {Lock: filepath.Join(dir, "lock"), Exit: filepath.Join(dir, "exit.json"), Stdout: filepath.Join(file, "stdout")},
		"exit":   {Lock: filepath.Join(dir, "lock"), Exit: filepath.Join(file, "exit.json"), Stdout: filepath.Join(dir, "stdout")},
	} {
		t.Run(name, func(t *testing.T) {
			g, live, err := Adopt(s)
			if err != nil || live {
				t.Fatalf("live %v, error %v", live, err)
			}
			if !ended(t, g).Lost {
				t.Error("it is not lost")
			}
		})
	}
	if _, _, err := Adopt(AdoptSpec{Lock: filepath.Join(file, "lock")}); err == nil || errors.Is(err, ErrNoTrace) {
		t.Errorf("where the lock cannot be seen: %v", err)
	}
}
