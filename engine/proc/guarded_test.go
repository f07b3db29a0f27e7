//go:build unix

package proc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

const shortGrace = 100 * time.Millisecond

// guardedChild gives the spec of a child in a role under a guard.
func guardedChild(t *testing.T, name string) GuardSpec {
	t.Helper()
	s := child(t, name)
	s.Grace = shortGrace
	dir := filepath.Dir(s.Stdout)
	g := GuardSpec{
		Spec: s, Lock: filepath.Join(dir, "lock"), Exit: filepath.Join(dir, "exit.json"),
		RunLock: filepath.Join(dir, "run.lock"),
	}
	t.Cleanup(func() { endWhatIsLeft(t, g) })
	return g
}

// endWhatIsLeft ends a guard that a failed test has forgotten.
func endWhatIsLeft(t *testing.T, s GuardSpec) {
	g, _, err := Adopt(AdoptSpec{Lock: s.Lock, Exit: s.Exit, Grace: shortGrace})
	if errors.Is(err, ErrNoTrace) {
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	g.Kill()
	ended(t, g)
}

func guardCommandLine(t *testing.T) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"/usr/bin/env", quickExit, self, guardCommand}
}

func mustGuard(t *testing.T, s GuardSpec) *Guarded {
	t.Helper()
	g, err := StartGuarded(guardCommandLine(t), s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mustAdopt(t *testing.T, s GuardSpec) *Guarded {
	t.Helper()
	g, _, err := Adopt(AdoptSpec{Lock: s.Lock, Exit: s.Exit, Grace: s.Grace})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ended gives the end of one agent, or gives up.
func ended(t *testing.T, g *Guarded) Exit {
	t.Helper()
	select {
	case <-g.Done():
	case <-time.After(childLife):
		t.Fatal("it does not end")
	}
	return g.Wait()
}

// until waits for a condition, or gives up after a time.
func until(t *testing.T, bound time.Duration, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("not within %v: %s", bound, what)
		case <-tick.C:
		}
	}
}

// orphaned starts an agent whose owner is then killed.
func orphaned(t *testing.T, s GuardSpec, ready func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "owner")
	p := mustStart(t, Spec{
		Argv: []string{self}, Env: []string{role + "=owner", quickExit}, Stdin: text, Stdout: out, Stderr: out,
	})
	born(t, out, 1)
	ready()
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func record(t *testing.T, s GuardSpec) exitRecord {
	t.Helper()
	r, err := readExit(s.Exit)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGuardedTellsHowItEnded(t *testing.T) {
	for name, tc := range map[string]struct {
		role string
		want Exit
	}{
		"status":           {"seven", Exit{Code: 7}},
		"signal":           {"killed", Exit{Code: -1, Signal: "killed"}},
		"clean":            {"cat", Exit{}},
		"leaves a child":   {"parent", Exit{}},
		"leaves an orphan": {"double", Exit{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, tc.role)
			before := time.Now()
			g := mustGuard(t, s)
			if diff := cmp.Diff(tc.want, ended(t, g)); diff != "" {
				t.Error(diff)
			}
			if g.Cause() != "" || g.Left() != 0 || g.EndedAt().Before(before) || g.EndedAt().After(time.Now()) {
				t.Errorf("cause %q, %d left, ended at %v", g.Cause(), g.Left(), g.EndedAt())
			}
			for _, e := range table() {
				if e.sid == g.PID() && !e.zombie {
					t.Errorf("process %d is left", e.pid)
				}
			}
			if Alive(g.GuardPID(), "") || Alive(g.PID(), "") {
				t.Error("something was not reaped")
			}
		})
	}
}

func TestGuardedGetsWhatItsSpecSays(t *testing.T) {
	s := guardedChild(t, "cat")
	s.Stdin = bytes.Repeat([]byte("0123456789abcd\xff\n"), 1<<16) // 1 MiB, not all of it text
	s.Dir = t.TempDir()
	ended(t, mustGuard(t, s))
	if content(t, s.Stdout) != string(s.Stdin) || content(t, s.Stderr) != "1048576 <nil>\n" {
		t.Errorf("input came as %.40q, %q", content(t, s.Stdout), content(t, s.Stderr))
	}
	s = guardedChild(t, "environment")
	s.Env = append(s.Env, "A=1\xff", "A=2\xfe")
	ended(t, mustGuard(t, s))
	if got := content(t, s.Stdout); !strings.HasSuffix(got, "\nA=2\xfe") || strings.Count(got, "\n") != 2 {
		t.Errorf("environment %q", got)
	}
}

func TestExitFile(t *testing.T) {
	s := guardedChild(t, "seven")
	if err := os.WriteFile(s.Exit, []byte("from before"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended(t, mustGuard(t, s))
	var got map[string]any
	if err := json.Unmarshal([]byte(content(t, s.Exit)), &got); err != nil {
		t.Fatal(err)
	}
	at, _ := got["time"].(string)
	if when, err := time.Parse(time.RFC3339, at); err != nil || !strings.HasSuffix(at, "Z") || when.IsZero() {
		t.Errorf("time %q: %v", at, err)
	}
	delete(got, "time")
	if diff := cmp.Diff(map[string]any{"code": 7.0, "cause": ""}, got); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(s.Exit)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.Exit), ".exit*"))
	if len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestGuardedEndLeavesNobody(t *testing.T) {
	for name, tc := range map[string]struct {
		end   func(*testing.T, *Guarded, GuardSpec)
		grace time.Duration
	}{
		"end":          {func(_ *testing.T, g *Guarded, _ GuardSpec) { g.End() }, shortGrace},
		"end twice":    {func(_ *testing.T, g *Guarded, _ GuardSpec) { g.End(); g.End() }, shortGrace},
		"kill":         {func(_ *testing.T, g *Guarded, _ GuardSpec) { g.Kill() }, 0},
		"end and kill": {func(_ *testing.T, g *Guarded, _ GuardSpec) { g.End(); g.Kill() }, 0},
		"guard stopped": {func(t *testing.T, g *Guarded, _ GuardSpec) {
			if err := syscall.Kill(g.GuardPID(), syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
			g.End()
		}, shortGrace},
		"by another": {func(t *testing.T, _ *Guarded, s GuardSpec) { mustAdopt(t, s).End() }, shortGrace},
	} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, "hydra")
			if tc.grace == 0 {
				s.Grace = childLife // only force ends it in time
			}
			g := mustGuard(t, s)
			ids := born(t, s.Stdout, 7)
			if diff := cmp.Diff(ids, alive(ids), cmp.AllowUnexported(identity{})); diff != "" || len(ids) != 7 {
				t.Fatal(len(ids), diff)
			}
			tc.end(t, g, s)
			until(t, tc.grace+2*time.Second, "the tree is gone", func() bool { return len(alive(ids)) == 0 })
			if diff := cmp.Diff(Exit{Code: -1, Signal: "killed"}, ended(t, g)); diff != "" {
				t.Error(diff)
			}
			if g.Cause() != CauseStop || g.Left() != 0 {
				t.Errorf("cause %q, %d left", g.Cause(), g.Left())
			}
			g.End() // after the end nothing happens
			g.Kill()
		})
	}
}

func TestGuardLivesOnWithoutItsOwner(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	for name, tc := range map[string]struct {
		role  string
		count int
		set   func(*GuardSpec)
		after func(*testing.T) // once the owner is dead
		code  int
		cause string
	}{
		"finish": {"until", 1, func(s *GuardSpec) { s.Stdin = []byte(gate + "\n") }, func(t *testing.T) {
			if err := os.WriteFile(gate, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, 7, ""},
		"end": {"hydra", 7, func(s *GuardSpec) {
			s.OnDeath, s.OwnerWait = EndTree, 300*time.Millisecond
		}, func(*testing.T) {}, -1, CauseOwnerDied},
		"deadline": {"hydra", 7, func(s *GuardSpec) {
			s.Deadline = time.Now().Add(time.Second)
		}, func(*testing.T) {}, -1, CauseDeadline},
		"stall":  {"silent", 0, func(s *GuardSpec) { s.Stall = time.Second }, func(*testing.T) {}, -1, CauseStall},
		"output": {"endless", 0, func(s *GuardSpec) { s.MaxOutput = 200 }, func(*testing.T) {}, -1, CauseOutput},
	} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, tc.role)
			tc.set(&s)
			var ids []identity
			orphaned(t, s, func() { ids = born(t, s.Stdout, tc.count) })
			tc.after(t)
			g := mustAdopt(t, s)
			exit := ended(t, g)
			if exit.Code != tc.code || exit.Lost || g.Cause() != tc.cause {
				t.Errorf("exit %+v, cause %q, want %d, %q", exit, g.Cause(), tc.code, tc.cause)
			}
			if left := alive(ids); len(left) > 0 {
				t.Errorf("left %v", left)
			}
			if r := record(t, s); r.Cause != tc.cause || r.Code != tc.code {
				t.Errorf("recorded %+v", r)
			}
		})
	}
}

func TestNewOwnerKeepsTheAgent(t *testing.T) {
	s := guardedChild(t, "polite")
	s.OnDeath, s.OwnerWait = EndTree, time.Second
	var ids []identity
	orphaned(t, s, func() { ids = born(t, s.Stdout, 1) })
	run, err := os.OpenFile(s.RunLock, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := flock(run, unix.LOCK_EX); err != nil { // a new owner
		t.Fatal(err)
	}
	g := mustAdopt(t, s)
	select {
	case <-g.Done():
		t.Fatalf("ended under a new owner: %q", g.Cause())
	case <-time.After(2 * s.OwnerWait):
	}
	if len(alive(ids)) != 1 {
		t.Error("it is not alive")
	}
	if err := run.Close(); err != nil { // who dies in turn
		t.Fatal(err)
	}
	if ended(t, g); g.Cause() != CauseOwnerDied {
		t.Errorf("cause %q", g.Cause())
	}
}

func TestGrowingOutputIsNoStall(t *testing.T) {
	s := guardedChild(t, "endless")
	s.Stall, s.Deadline = time.Second, time.Now().Add(2*time.Second)
	g := mustGuard(t, s)
	if ended(t, g); g.Cause() != CauseDeadline {
		t.Errorf("cause %q", g.Cause())
	}
}
