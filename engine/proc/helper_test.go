//go:build unix

package proc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const shortGrace = 100 * time.Millisecond

// child gives the spec of a child in a role, with output files in a new directory.
func child(t *testing.T, name string) Spec {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return Spec{
		Argv: []string{self}, Env: []string{role + "=" + name, quickExit},
		Stdout: filepath.Join(dir, "out"), Stderr: filepath.Join(dir, "err"),
	}
}

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
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "owner")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	cmd := command("owner")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), f, f
	mustStart(t, cmd)
	born(t, out, 1)
	ready()
	if err := cmd.Process.Kill(); err != nil {
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

// mustStart starts a process that no guard has and that does not outlive the test. It
// has a session of its own, as an agent has.
func mustStart(t *testing.T, cmd *exec.Cmd) identity {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // the test may have ended it
		_ = cmd.Wait()
	})
	e, _ := look(cmd.Process.Pid) // not reaped yet
	return e.identity()
}

var pidLine = regexp.MustCompile(`(?m)^pid=(\d+)\n`)

// born waits until n processes have reported to the file and gives them.
func born(t *testing.T, path string, n int) []identity {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), childLife)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		lines := pidLine.FindAllStringSubmatch(content(t, path), -1)
		if len(lines) >= n {
			var ids []identity
			for _, l := range lines {
				pid, _ := strconv.Atoi(l[1]) // the pattern holds digits only
				e, ok := look(pid)
				if !ok {
					t.Fatalf("process %d reported and is gone", pid)
				}
				ids = append(ids, e.identity())
			}
			return ids
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%d of %d processes reported", len(lines), n)
		case <-tick.C:
		}
	}
}

func alive(ids []identity) []identity {
	var left []identity
	for _, id := range ids {
		if Alive(id.pid, id.start) {
			left = append(left, id)
		}
	}
	return left
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
