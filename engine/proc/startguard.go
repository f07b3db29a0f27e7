//go:build unix

package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// readyBound is how long a guard has to start its agent.
const readyBound = 30 * time.Second

// StartGuarded starts an agent under a guard, which lives on when we die, and
// returns when the agent was started, which takes a moment. The command that runs
// [GuardMain] is self; its first word is a path.
//
// The error matches [ErrLocked] if another guard holds the lock, [ErrNotFound] if
// there is no such command, and [fs.ErrNotExist] if the working directory is missing;
// then nothing was started and no output file was made. A guard that does not answer
// within thirty seconds is told to end, with whatever it has started. The guard is
// reaped whether or not anybody waits for it.
func StartGuarded(self []string, s GuardSpec) (*Guarded, error) {
	if len(s.Argv) == 0 || len(self) == 0 {
		return nil, errors.New("start: no command given")
	}
	g, err := startGuarded(self, s)
	if err != nil {
		return nil, fmt.Errorf("start %q: %w", s.Argv[0], err)
	}
	return g, nil
}

func startGuarded(self []string, s GuardSpec) (*Guarded, error) {
	o := s.orders()
	if err := o.check(); err != nil {
		return nil, err
	}
	lock, err := tryLock(s.Lock)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }() // the guard has it by then
	if err := lock.Truncate(0); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := os.Remove(s.Exit); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("old exit file: %w", err)
	}
	process, ready, err := startGuard(self, o, lock)
	if err != nil {
		return nil, fmt.Errorf("guard: %w", err)
	}
	defer func() { _ = ready.Close() }()
	ended := make(chan struct{})
	go func() { // ends with the guard
		defer close(ended)
		_, _ = process.Wait() // its status tells nothing that the exit file does not
	}()
	_ = ready.SetReadDeadline(time.Now().Add(readyBound)) // a pipe has deadlines
	who, err := readAnswer(ready)
	if err != nil {
		_ = process.Signal(unix.SIGTERM) // it ends its agent, if it has one by now
		select {
		case <-ended: // so that the lock is free
		case <-time.After(killBound):
		}
		return nil, err
	}
	g := &Guarded{exit: s.Exit, grace: orDefault(s.Grace), done: make(chan struct{})}
	g.who.Store(&who)
	go func() { // ends with the guard
		<-ended
		g.settle()
	}()
	return g, nil
}

// startGuard starts a guard in a session of its own. What it answers can be read
// from ready.
func startGuard(self []string, o orders, lock *os.File) (process *os.Process, ready *os.File, err error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, nil, err
	}
	stdin, err := input(text)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = stdin.Close() }()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = null.Close() }()
	ready, stdout, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = stdout.Close() }()
	named := append([]string{os.Args[0]}, self[1:]...) // in a list of processes it shows as ours
	process, err = os.StartProcess(self[0], named, &os.ProcAttr{
		Env:   []string{}, // it needs none, and the agent's is in the orders
		Files: []*os.File{stdin, stdout, null, lockFD: lock},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		_ = ready.Close()
		return nil, nil, err
	}
	return process, ready, nil
}
