//go:build unix

package proc

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

// mustStart starts a process that does not outlive the test.
func mustStart(t *testing.T, s Spec) *Process {
	t.Helper()
	p, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill(); p.Wait() })
	return p
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWaitTellsHowItEnded(t *testing.T) {
	for name, tc := range map[string]struct {
		role string
		want Exit
	}{
		"status": {role: "seven", want: Exit{Code: 7}},
		"signal": {role: "killed", want: Exit{Code: -1, Signal: "killed"}},
		"clean":  {role: "cat", want: Exit{}},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustStart(t, child(t, tc.role))
			if diff := cmp.Diff(tc.want, p.Wait()); diff != "" {
				t.Error(diff)
			}
			if Alive(p.PID(), p.StartTime()) {
				t.Error("it was not reaped")
			}
		})
	}
}

func TestOutputIsAppendedToPrivateFiles(t *testing.T) {
	s := child(t, "much")
	if err := os.WriteFile(s.Stdout, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustStart(t, s).Wait()
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
	s := child(t, "cat")
	s.Stdin = bytes.Repeat([]byte("0123456789abcde\n"), 1<<16) // 1 MiB
	mustStart(t, s).Wait()
	if got := content(t, s.Stdout); got != string(s.Stdin) {
		t.Errorf("%d bytes came through, want %d", len(got), len(s.Stdin))
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
	s := child(t, "environment")
	s.Env = append(s.Env[:1], "A=1", "EMPTY=", "A=2", "ODD")
	s.Dir = t.TempDir() // nothing such as PWD may be added
	mustStart(t, s).Wait()
	if diff := cmp.Diff(role+"=environment\nEMPTY=\nA=2\nODD", content(t, s.Stdout)); diff != "" {
		t.Error(diff)
	}
}

func TestWorkingDirectory(t *testing.T) {
	s := child(t, "where")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.Dir = dir
	mustStart(t, s).Wait()
	if diff := cmp.Diff(dir, content(t, s.Stdout)); diff != "" {
		t.Error(diff)
	}
}

func TestCommandIsLookedUpInItsOwnPath(t *testing.T) {
	s := child(t, "seven")
	dir := t.TempDir()
	if err := os.Symlink(s.Argv[0], filepath.Join(dir, "layover-child")); err != nil {
		t.Fatal(err)
	}
	s.Argv = []string{"layover-child"}
	s.Env = append(s.Env, "PATH=relative::"+dir)
	if got := mustStart(t, s).Wait().Code; got != 7 {
		t.Errorf("exit status %d, want 7", got)
	}
}

func TestStartFails(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	script := filepath.Join(dir, "script")
	fifo := filepath.Join(dir, "fifo")
	for path, mode := range map[string]os.FileMode{plain: 0o600, script: 0o700} {
		if err := os.WriteFile(path, []byte("#!/nowhere/at-all\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	path := []string{"PATH=" + dir}
	for name, tc := range map[string]struct {
		spec    Spec
		is, not error
	}{
		"nothing given":       {spec: Spec{}, not: ErrNotFound},
		"empty name":          {spec: Spec{Argv: []string{""}}, is: ErrNotFound},
		"not in the path":     {spec: Spec{Argv: []string{"no-such"}, Env: path}, is: ErrNotFound},
		"only in our path":    {spec: Spec{Argv: []string{"sh"}, Env: path}, is: ErrNotFound},
		"no path":             {spec: Spec{Argv: []string{"sh"}}, is: ErrNotFound},
		"no such file":        {spec: Spec{Argv: []string{dir + "/no-such"}}, is: ErrNotFound},
		"relative to dir":     {spec: Spec{Argv: []string{"./no-such"}, Dir: dir}, is: ErrNotFound},
		"a directory":         {spec: Spec{Argv: []string{dir}}, is: ErrNotFound},
		"not executable":      {spec: Spec{Argv: []string{"plain"}, Env: path}, is: fs.ErrPermission, not: ErrNotFound},
		"missing interpreter": {spec: Spec{Argv: []string{script}}, is: fs.ErrNotExist, not: ErrNotFound},
		"missing directory":   {spec: Spec{Argv: []string{"/bin/sh"}, Dir: dir + "/gone"}, is: fs.ErrNotExist, not: ErrNotFound},
		"directory is a file": {spec: Spec{Argv: []string{"/bin/sh"}, Dir: plain}, not: ErrNotFound},
		"output to a pipe":    {spec: Spec{Argv: []string{"/bin/sh"}, Stdout: fifo}, is: syscall.ENXIO},
		"output to a device":  {spec: Spec{Argv: []string{"/bin/sh"}, Stderr: os.DevNull}, not: ErrNotFound},
		"output to nowhere":   {spec: Spec{Argv: []string{"/bin/sh"}, Stdout: dir + "/gone/out"}, is: fs.ErrNotExist},
		"zero in an argument": {spec: Spec{Argv: []string{"/bin/sh", "a\x00b"}}, is: syscall.EINVAL},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Start(tc.spec)
			if err == nil {
				t.Fatalf("started as %v", p.Wait())
			}
			if tc.is != nil && !errors.Is(err, tc.is) {
				t.Errorf("error %q does not match %q", err, tc.is)
			}
			if tc.not != nil && errors.Is(err, tc.not) {
				t.Errorf("error %q matches %q", err, tc.not)
			}
		})
	}
}
