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

// continuedMsg says that the process was stopped by others and goes on: what the
// terminal shows, and its mode, may be anything.
type continuedMsg struct{}

// heed turns the signals of job control into messages.
func (s *Screen) heed() {
	jobs := make(chan os.Signal, 2)
	signal.Notify(jobs, unix.SIGTSTP, unix.SIGCONT)
	defer signal.Stop(jobs)
	for {
		select {
		case <-s.ctx.Done():
			return
		case sig := <-jobs:
			switch asleep := s.asleep.Load(); {
			case sig == unix.SIGTSTP && asleep: // in the background; the terminal is given back
				stop()
			case sig == unix.SIGTSTP:
				s.prog.Send(tea.SuspendMsg{})
			case !asleep:
				s.prog.Send(continuedMsg{})
			}
		}
	}
}

// filter keeps what concerns job control from Bubble Tea, which would wait for ever
// for a SIGCONT where SIGTSTP does not stop. It is called between two updates, so
// nothing else happens to the screen meanwhile.
func (s *Screen) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		s.sleep(stop)
		return tea.ResumeMsg{}
	case continuedMsg:
		s.sleep(func() {})
		return tea.ResumeMsg{}
	}
	return msg
}

// sleep gives the terminal back, does what is to be done then, and takes the
// terminal again as soon as it is this process's turn. A screen that ends before
// that ends here.
func (s *Screen) sleep(meanwhile func()) {
	s.asleep.Store(true)
	defer s.asleep.Store(false)
	_ = s.prog.ReleaseTerminal() // fails if the terminal is gone, which is seen below
	meanwhile()
	for {
		mine, err := foreground()
		if err != nil {
			s.Close() // the run goes on as after any hangup
			return
		}
		if mine {
			break
		}
		select {
		case <-time.After(lookEvery):
		case <-s.ctx.Done():
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
func stop() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, unix.SIGCONT)
	defer signal.Stop(continued)
	_ = unix.Kill(0, unix.SIGTTOU)
	select {
	case <-continued:
	case <-time.After(stopWithin):
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
