package show

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

const (
	// stopWithin is how long a stop signal may take to work. One that has not
	// stopped the process by then was discarded: nobody is there to continue it.
	stopWithin = 200 * time.Millisecond
	// lookEvery is how often a process in the background looks at the terminal.
	lookEvery = 200 * time.Millisecond
)

// jobMsg is a signal of job control: to stop, or that the process goes on after it
// was stopped by force, when the terminal may show anything and be in any mode.
type jobMsg struct {
	signal os.Signal
	// done is closed once it has been obeyed.
	done chan struct{}
}

// heed hands on the signals of job control, one after the other. Those that come
// while one is obeyed are left to who obeys it.
func (s *Screen) heed() {
	signal.Notify(s.jobs, unix.SIGTSTP, unix.SIGCONT)
	defer signal.Stop(s.jobs)
	for {
		select {
		case <-s.ctx.Done():
			return
		case sig := <-s.jobs:
			m := jobMsg{sig, make(chan struct{})}
			s.prog.Send(m)
			select {
			case <-m.done:
			case <-s.ctx.Done():
			}
		}
	}
}

// filter keeps what concerns job control from Bubble Tea, which would wait for ever
// to be continued where nothing can stop it. It is called between two updates, so
// nothing else happens to the screen meanwhile.
func (s *Screen) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.SuspendMsg: // a key does what it does where the mode is not raw
		_ = unix.Kill(unix.Getpid(), unix.SIGTSTP)
		return nil
	case jobMsg:
		defer close(msg.done)
		s.sleep(msg.signal == unix.SIGTSTP)
		return tea.ResumeMsg{}
	}
	return msg
}

// sleep gives the terminal back, stops the process if it is asked to, and takes the
// terminal again as soon as it is this process's turn. A screen that ends before
// that ends here.
func (s *Screen) sleep(stopping bool) {
	_ = s.prog.ReleaseTerminal() // fails if the terminal is gone, which is seen below
	for {
		if stopping {
			s.stop()
		}
		mine, err := foreground()
		if err != nil {
			s.Close() // the run goes on as after any hangup
			return
		}
		if mine {
			break
		}
		select {
		case sig := <-s.jobs:
			stopping = sig == unix.SIGTSTP
		case <-time.After(lookEvery):
			stopping = false
		case <-s.ctx.Done():
			s.prog.Kill() // whoever sends waits no more
			close(s.away)
			select {} // to end Bubble Tea's way would change another's terminal
		}
	}
	if err := s.prog.RestoreTerminal(); err != nil && !gone() {
		s.cancel(fmt.Errorf("take the terminal again: %w", err))
	} else if err != nil {
		s.Close()
	}
}

// stop stops this process and those of its group, as ctrl+z does, until it is
// continued. It returns soon if the kernel discards that, as it does where no shell
// waits. The signal is not SIGTSTP: once caught, that cannot be made to stop a Go
// process any more. SIGTTOU stops by the same rules.
func (s *Screen) stop() {
	_ = unix.Kill(0, unix.SIGTTOU)
	for over := time.After(stopWithin); ; {
		select {
		case sig := <-s.jobs:
			if sig == unix.SIGCONT {
				return
			}
		case <-over:
			return
		}
	}
}

// foreground reports whether the terminal is this process's to use. It fails if the
// terminal exists no more.
func foreground() (bool, error) {
	group, err := unix.IoctlGetInt(int(os.Stdin.Fd()), unix.TIOCGPGRP)
	if errors.Is(err, unix.ENOTTY) {
		return true, nil // not the one whose jobs are controlled
	}
	return group == unix.Getpgrp(), err
}
