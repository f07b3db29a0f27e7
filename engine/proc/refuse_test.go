//go:build unix

package proc

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mustRefuse tries to start an agent that cannot be started.
func mustRefuse(t *testing.T, self []string, s GuardSpec, is, not error) {
	t.Helper()
	g, err := StartGuarded(self, s)
	if err == nil {
		g.Kill()
		t.Fatalf("started as %v", g.Wait())
	}
	if is != nil && !errors.Is(err, is) {
		t.Errorf("error %q does not match %q", err, is)
	}
	if not != nil && errors.Is(err, not) {
		t.Errorf("error %q matches %q", err, not)
	}
	if _, err := os.Stat(s.Exit); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("exit file: %v", err)
	}
}

func TestGuardFails(t *testing.T) {
	self := guardCommandLine(t)
	as := func(name string) []string { return []string{"/usr/bin/env", role + "=" + name, os.Args[0]} }
	for name, tc := range map[string]struct {
		self    []string
		set     func(*GuardSpec)
		is, not error
	}{
		"lock to nowhere": {self, func(s *GuardSpec) { s.Lock = filepath.Dir(s.Lock) + "/gone/lock" }, fs.ErrNotExist, ErrNotFound},
		"no run lock":     {self, func(s *GuardSpec) { s.OnDeath = EndTree }, fs.ErrNotExist, ErrNotFound},
		"zero in a path":  {self, func(s *GuardSpec) { s.Dir = "a\x00" }, nil, ErrNotFound},
		"negative limit":  {self, func(s *GuardSpec) { s.MaxOutput = -1 }, nil, ErrNotFound},
		"no guard":        {[]string{"/no/such"}, func(*GuardSpec) {}, fs.ErrNotExist, nil},
		"empty guard":     {[]string{}, func(*GuardSpec) {}, nil, ErrNotFound},
		"mute guard":      {as("mute"), func(*GuardSpec) {}, nil, ErrNotFound},
		"babbling guard":  {as("babble"), func(*GuardSpec) {}, nil, ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, "polite")
			tc.set(&s)
			mustRefuse(t, tc.self, s, tc.is, tc.not)
			noOutput(t, s.Stdout)
		})
	}
}

// noOutput checks that no agent came as far as to have an output file.
func noOutput(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("output file: %v", err)
	}
}

func TestAgentCannotBeStarted(t *testing.T) {
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
		"output to nowhere":   {spec: Spec{Argv: []string{"/bin/sh"}, Stdout: dir + "/gone/out"}, is: fs.ErrNotExist, not: ErrNotFound},
		"zero in an argument": {spec: Spec{Argv: []string{"/bin/sh", "a\x00b"}}, is: syscall.EINVAL},
	} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, "polite")
			s.Spec = tc.spec
			mustRefuse(t, guardCommandLine(t), s, tc.is, tc.not)
		})
	}
}

func TestWithoutACommandNoOutputFileIsMade(t *testing.T) {
	for name, set := range map[string]func(*GuardSpec){
		"no such command":   func(s *GuardSpec) { s.Argv = []string{"no-such"} },
		"missing directory": func(s *GuardSpec) { s.Dir = s.Lock + ".gone" },
	} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, "polite")
			set(&s)
			mustRefuse(t, guardCommandLine(t), s, nil, nil)
			noOutput(t, s.Stdout)
		})
	}
}

func TestLockIsHeldByOne(t *testing.T) {
	s := guardedChild(t, "polite")
	g := mustGuard(t, s)
	if _, err := StartGuarded(guardCommandLine(t), s); !errors.Is(err, ErrLocked) {
		t.Errorf("error %v", err)
	}
	g.End()
	if exit := ended(t, g); exit.Signal != "terminated" {
		t.Errorf("the second start harmed the first: %+v", exit)
	}
	ended(t, mustGuard(t, ending7(s)))
}

// ending7 is the same place with an agent that ends.
func ending7(s GuardSpec) GuardSpec {
	s.Env = []string{role + "=seven", quickExit}
	return s
}

func TestGuardRefusesOrders(t *testing.T) {
	self := guardCommandLine(t)
	s := guardedChild(t, "seven")
	good := string(mustOrders(t, s))
	held, err := tryLock(s.Lock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Close() })
	other, err := tryLock(s.Lock + ".other")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	for name, tc := range map[string]struct {
		text string
		want int
	}{
		"empty":         {"", 2},
		"torn":          {good[:len(good)/2], 2},
		"no JSON":       {"hello\n", 2},
		"not an object": {"[]", 2},
		"null":          {"null", 2},
		"twice":         {good + good, 2},
		"unknown field": {`{"secret":"hunter2",` + good[1:], 2},
		"wrong kind":    {`{"stall_ns":"hunter2",` + good[1:], 2},
		"deep":          {strings.Repeat("[", 1<<20), 2},
		"lock not ours": {good, 1},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), self[0], self[1:]...)
			cmd.Env, cmd.Stdin = []string{quickExit}, strings.NewReader(tc.text)
			cmd.ExtraFiles = []*os.File{other}
			out, err := cmd.Output()
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok || exit.ExitCode() != tc.want || len(exit.Stderr) > 0 {
				t.Errorf("ended with %v, want %d", err, tc.want)
			}
			if bytes.Count(out, []byte("\n")) != 1 || len(out) > 200 || bytes.Contains(out, []byte("hunter2")) {
				t.Errorf("printed %q", out)
			}
		})
	}
}
