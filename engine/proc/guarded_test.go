//go:build unix

package proc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

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
				if (e.sid == g.PID() || e.pgid == g.PID()) && !e.zombie {
					t.Errorf("process %d is left", e.pid)
				}
			}
			if Alive(g.GuardPID(), "") || Alive(g.PID(), "") {
				t.Error("something was not reaped")
			}
		})
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

func TestPoliteEndNeedsNoGrace(t *testing.T) {
	s := guardedChild(t, "polite")
	s.Grace = childLife // KILL would come too late for the test
	g := mustGuard(t, s)
	born(t, s.Stdout, 1)
	g.End()
	if diff := cmp.Diff(Exit{Code: -1, Signal: "terminated"}, ended(t, g)); diff != "" {
		t.Error(diff)
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
	for name, lost := range map[string]bool{"the lock is there": false, "the lock was lost": true} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, "polite")
			s.OnDeath, s.OwnerWait = EndTree, time.Second
			var ids []identity
			orphaned(t, s, func() { ids = born(t, s.Stdout, 1) })
			if lost { // and is made again
				if err := os.Remove(s.RunLock); err != nil {
					t.Fatal(err)
				}
			}
			run, err := openPrivate(s.RunLock, os.O_RDWR|os.O_CREATE)
			if err != nil {
				t.Fatal(err)
			}
			if err := flock(run, syscall.LOCK_EX); err != nil { // a new owner
				t.Fatal(err)
			}
			g := mustAdopt(t, s)
			select {
			case <-g.Done():
				t.Fatalf("ended under a new owner: %q", g.Cause())
			case <-time.After(3 * s.OwnerWait):
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
		})
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
