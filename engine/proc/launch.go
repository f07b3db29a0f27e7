//go:build unix

package proc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// launch starts a process in a session of its own and gives it with the files of its
// output, which stay open if there is no error. None is made if there is no such command
// or working directory.
func launch(s Spec) (leader *os.Process, outputs []*os.File, err error) {
	if err := checkDir(s.Dir); err != nil {
		return nil, nil, err
	}
	path, err := s.command()
	if err != nil {
		return nil, nil, err
	}
	stdin, err := input(s.Stdin)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = stdin.Close() }() // the child has its own
	defer func() {
		if err != nil {
			closeAll(outputs)
		}
	}()
	for _, file := range []string{s.Stdout, s.Stderr} {
		f, err := output(file)
		if err != nil {
			return nil, outputs, err
		}
		outputs = append(outputs, f)
	}
	leader, err = os.StartProcess(path, s.Argv, &os.ProcAttr{
		Dir: s.Dir, Env: s.environment(), Files: append([]*os.File{stdin}, outputs...),
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("its interpreter is missing: %w", err)
	}
	return leader, outputs, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // nothing was written here
	}
}

// input gives a file that holds data and stands at its beginning.
func input(data []byte) (*os.File, error) {
	if len(data) == 0 {
		return os.Open(os.DevNull)
	}
	f, err := privateFile()
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	_, err = f.Write(data)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return f, nil
}

// unlinkedFile creates a file that has lost its name before it holds anything.
func unlinkedFile() (*os.File, error) {
	f, err := os.CreateTemp("", "layover-stdin-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// output opens a file for appending. It never waits: a pipe without a reader
// fails to open, and anything but a regular file is refused.
func output(path string) (*os.File, error) {
	if path == "" {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("output: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err == nil {
		err = syscall.SetNonblock(int(f.Fd()), false)
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("output: %w", err)
	}
	return f, nil
}
