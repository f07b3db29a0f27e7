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

// Start starts a process in a session of its own and returns at once. Its error
// matches [ErrNotFound] if there is no such command and [fs.ErrNotExist] if the
// working directory is missing; then nothing was created. The process is reaped
// whether or not anybody waits for it.
func Start(s Spec) (*Process, error) {
	if len(s.Argv) == 0 {
		return nil, errors.New("start: no command given")
	}
	p, err := start(s)
	if err != nil {
		return nil, fmt.Errorf("start %q: %w", s.Argv[0], err)
	}
	return p, nil
}

func start(s Spec) (*Process, error) {
	leader, files, err := launch(s)
	if err != nil {
		return nil, err
	}
	closeAll(files)
	return own(leader, s.Grace), nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // the child has its own; nothing was written here
	}
}

// launch starts a process and gives it with its standard input and the files of
// its output, which stay open if there is no error.
func launch(s Spec) (leader *os.Process, files []*os.File, err error) {
	defer func() {
		if err != nil {
			closeAll(files)
		}
	}()
	if err := checkDir(s.Dir); err != nil {
		return nil, nil, err
	}
	path, err := s.command()
	if err != nil {
		return nil, nil, err
	}
	for _, open := range []func() (*os.File, error){
		func() (*os.File, error) { return input(s.Stdin) },
		func() (*os.File, error) { return output(s.Stdout) },
		func() (*os.File, error) { return output(s.Stderr) },
	} {
		f, err := open()
		if err != nil {
			return nil, files, err
		}
		files = append(files, f)
	}
	leader, err = os.StartProcess(path, s.Argv, &os.ProcAttr{
		Dir: s.Dir, Env: s.environment(), Files: files,
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, files, fmt.Errorf("its interpreter is missing: %w", err)
	}
	return leader, files, err
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
