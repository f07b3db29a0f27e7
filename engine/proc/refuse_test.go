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
	"testing"
)

func TestStartGuardedFails(t *testing.T) {
	self := guardCommandLine(t)
	as := func(name string) []string { return []string{"/usr/bin/env", role + "=" + name, os.Args[0]} }
	for name, tc := range map[string]struct {
		self    []string
		set     func(*GuardSpec)
		is, not error
	}{
		"no such command":   {set: func(s *GuardSpec) { s.Argv = []string{"no-such"} }, is: ErrNotFound},
		"empty name":        {set: func(s *GuardSpec) { s.Argv = []string{""} }, is: ErrNotFound},
		"not executable":    {set: func(s *GuardSpec) { s.Argv = []string{"/etc/passwd"} }, is: fs.ErrPermission, not: ErrNotFound},
		"no such file":      {set: func(s *GuardSpec) { s.Argv = []string{"/no/such"} }, is: ErrNotFound},
		"missing directory": {set: func(s *GuardSpec) { s.Dir = s.Lock + ".gone" }, is: fs.ErrNotExist, not: ErrNotFound},
		"output to nowhere": {set: func(s *GuardSpec) { s.Stdout += "/gone/out" }, is: fs.ErrNotExist, not: ErrNotFound},
		"lock to nowhere":   {set: func(s *GuardSpec) { s.Lock = filepath.Dir(s.Lock) + "/gone/lock" }, is: fs.ErrNotExist, not: ErrNotFound},
		"no run lock":       {set: func(s *GuardSpec) { s.OnDeath = EndTree }, is: fs.ErrNotExist, not: ErrNotFound},
		"no argv":           {set: func(s *GuardSpec) { s.Argv = nil }, not: ErrNotFound},
		"zero in a path":    {set: func(s *GuardSpec) { s.Dir = "a\x00" }, not: ErrNotFound},
		"negative limit":    {set: func(s *GuardSpec) { s.MaxOutput = -1 }, not: ErrNotFound},
		"no guard":          {self: []string{"/no/such"}, set: func(*GuardSpec) {}, is: fs.ErrNotExist},
		"empty guard":       {self: []string{}, set: func(*GuardSpec) {}, not: ErrNotFound},
		"mute guard":        {self: as("mute"), set: func(*GuardSpec) {}, not: ErrNotFound},
		"babbling guard":    {self: as("babble"), set: func(*GuardSpec) {}, not: ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			s := guardedChild(t, "polite")
			tc.set(&s)
			if tc.self == nil {
				tc.self = self
			}
			g, err := StartGuarded(tc.self, s)
			if err == nil {
				g.Kill()
				t.Fatalf("started as %v", g.Wait())
			}
			if tc.is != nil && !errors.Is(err, tc.is) {
				t.Errorf("error %q does not match %q", err, tc.is)
			}
			if tc.not != nil && errors.Is(err, tc.not) {
				t.Errorf("error %q matches %q", err, tc.not)
			}
			if _, err := os.Stat(s.Exit); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("exit file: %v", err)
			}
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
