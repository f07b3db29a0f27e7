//go:build unix

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrNotFound is matched by the error of [StartGuarded] when there is no such command.
var ErrNotFound = errors.New("command not found")

// DefaultGrace is the time between TERM and KILL where a [Spec] names none.
const DefaultGrace = 10 * time.Second

func orDefault(grace time.Duration) time.Duration {
	if grace <= 0 {
		return DefaultGrace
	}
	return grace
}

// Spec is the command of a [GuardSpec] and what it runs with. Only Argv is needed.
type Spec struct {
	// Argv is the command and its arguments. A command without a slash is looked
	// up in the PATH of Env, where entries that are not absolute are passed over;
	// one with a slash is relative to Dir.
	Argv []string
	// Dir is the working directory; empty means our own.
	Dir string
	// Env is the complete environment, in the form of [os.Environ]; nothing is
	// added to it, so nil is an empty environment. Of a name that is given twice
	// the last one counts.
	Env []string
	// Stdin is what the process can read, to its end.
	Stdin []byte
	// Stdout and Stderr are the paths of the files that the output is appended to.
	// Missing files are created for the owner alone; only regular files are taken.
	// An empty path throws the output away. Both may be the same path.
	Stdout, Stderr string
	// Grace is the time between TERM and KILL; zero or less means DefaultGrace.
	Grace time.Duration
}

// checkDir reports why dir cannot be a working directory.
func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("working directory: %s is not a directory", dir)
	}
	return nil
}

// command finds the file to execute.
func (s Spec) command() (string, error) {
	name := s.Argv[0]
	if name == "" {
		return "", ErrNotFound
	}
	if strings.ContainsRune(name, '/') {
		seen := name
		if !filepath.IsAbs(name) {
			seen = filepath.Join(s.Dir, name)
		}
		return name, executable(seen)
	}
	found := ErrNotFound
	for _, dir := range s.searchPath() {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		err := executable(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, ErrNotFound) {
			found = err
		}
	}
	return "", found
}

// environment gives Env with each name once: the last one counts, so that a
// variable can be set by appending it.
func (s Spec) environment() []string {
	last := map[string]int{}
	for i, pair := range s.Env {
		name, _, _ := strings.Cut(pair, "=")
		last[name] = i
	}
	env := make([]string, 0, len(s.Env))
	for i, pair := range s.Env {
		if name, _, _ := strings.Cut(pair, "="); last[name] == i {
			env = append(env, pair)
		}
	}
	return env
}

// searchPath gives the directories that a command is looked up in.
func (s Spec) searchPath() []string {
	for _, pair := range s.environment() {
		if path, ok := strings.CutPrefix(pair, "PATH="); ok {
			return filepath.SplitList(path)
		}
	}
	return nil
}

// executable reports why the file at path cannot be executed.
func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return err
	case err != nil || info.IsDir():
		return ErrNotFound
	case info.Mode()&0o111 == 0:
		return &fs.PathError{Op: "execute", Path: path, Err: syscall.EACCES} // by number, so that it passes a guard
	}
	return nil
}
