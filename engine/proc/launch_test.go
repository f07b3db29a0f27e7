//go:build unix

package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOutputIsAppendedToPrivateFiles(t *testing.T) {
	s := guardedChild(t, "much")
	if err := os.WriteFile(s.Stdout, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended(t, mustGuard(t, s))
	got := content(t, s.Stdout)
	if want := len("before\n") + 1<<23; len(got) != want || got[:7] != "before\n" {
		t.Errorf("%d bytes that begin with %q, want %d", len(got), got[:7], want)
	}
	info, err := os.Stat(s.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("a created file has mode %v", info.Mode())
	}
}

func TestStdinIsReadToTheEnd(t *testing.T) {
	s := guardedChild(t, "cat")
	s.Stdin = bytes.Repeat([]byte("0123456789abcd\xff\n"), 1<<16) // 1 MiB, not all of it text
	ended(t, mustGuard(t, s))
	if got := content(t, s.Stdout); got != string(s.Stdin) {
		t.Errorf("%d bytes came through as %.40q, want %d", len(got), got, len(s.Stdin))
	}
	if diff := cmp.Diff("1048576 <nil>\n", content(t, s.Stderr)); diff != "" {
		t.Error(diff)
	}
}

func TestUnlinkedFileHasNoName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := unlinkedFile()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("the directory holds %v, error %v", left, err)
	}
}

func TestEnvironmentIsExactlyAsGiven(t *testing.T) {
	s := guardedChild(t, "environment")
	s.Env = append(s.Env[:1], "A=1\xff", "EMPTY=", "A=2\xfe", "ODD")
	s.Dir = t.TempDir() // nothing such as PWD may be added
	ended(t, mustGuard(t, s))
	if diff := cmp.Diff(role+"=environment\nEMPTY=\nA=2\xfe\nODD", content(t, s.Stdout)); diff != "" {
		t.Error(diff)
	}
}

func TestWorkingDirectory(t *testing.T) {
	s := guardedChild(t, "where")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.Dir = dir
	ended(t, mustGuard(t, s))
	if diff := cmp.Diff(dir, content(t, s.Stdout)); diff != "" {
		t.Error(diff)
	}
}

func TestCommandIsLookedUpInItsOwnPath(t *testing.T) {
	s := guardedChild(t, "seven")
	dir := t.TempDir()
	t.Chdir(t.TempDir()) // where a command of that name must not be taken from
	if err := os.Mkdir("relative", 0o700); err != nil {
		t.Fatal(err)
	}
	for path, to := range map[string]string{
		filepath.Join(dir, "layover-child"): s.Argv[0],
		"layover-child":                     "/bin/sh", "relative/layover-child": "/bin/sh",
	} {
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	s.Argv = []string{"layover-child"}
	s.Env = append(s.Env, "PATH=relative::"+dir)
	if got := ended(t, mustGuard(t, s)).Code; got != 7 {
		t.Errorf("exit status %d, want 7", got)
	}
}

func TestGuardAndAgentHaveSessionsOfTheirOwn(t *testing.T) {
	g := mustGuard(t, guardedChild(t, "polite"))
	for _, pid := range []int{g.GuardPID(), g.PID()} {
		e, ok := look(pid)
		if !ok || e.pgid != pid || (e.sid != 0 && e.sid != pid) {
			t.Errorf("started as %+v", e)
		}
	}
	guard, _ := look(g.GuardPID())
	agent, _ := look(g.PID())
	if guard.ppid != os.Getpid() || agent.ppid != g.GuardPID() {
		t.Errorf("guard %+v, agent %+v", guard, agent)
	}
}
