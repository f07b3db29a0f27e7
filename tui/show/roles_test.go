//go:build unix

package show

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"

	"example.com/layover/engine"
	"example.com/layover/engine/run"
	"example.com/layover/styles/background"
	"example.com/layover/tui"
	"example.com/layover/tui/relay"
)

// roleVar tells the test binary what to play on a terminal.
const roleVar = "LAYOVER_SHOW_ROLE"

func play(role string) int {
	switch role {
	case "shell":
		return shell(os.Args[1:])
	case "a port of the host":
		return hosted()
	}
	way := relay.New()
	if role == "the relay" {
		way = nil
	}
	_, _, input := background.Ask(os.Stdin, os.Stdout, 0)
	s := open(context.Background(), failing{role: role}, input, way)
	if role == "beside" {
		s.Go("somebody", func() { panic("boom") })
	}
	_, err := s.Run()
	return told(err)
}

// told says what went wrong once the screen is gone, as main does, and gives the
// exit status.
func told(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "layover:", err)
	return 1
}

// failing is a model that panics in one place, once it has been shown, or before.
type failing struct {
	role string
	size tea.WindowSizeMsg
}

func (f failing) Init() tea.Cmd {
	if f.role == "init" {
		panic("boom")
	}
	return nil
}

func (f failing) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	size, ok := msg.(tea.WindowSizeMsg)
	if !ok {
		return f, nil
	}
	f.size = size
	switch f.role {
	case "update":
		panic("boom")
	case "a command":
		return f, func() tea.Msg { panic("boom") }
	}
	return f, nil
}

func (f failing) View() string {
	if f.role == "the first view" || f.role == "a later view" && f.size.Width > 0 {
		panic("boom")
	}
	return "shown"
}

// hosted shows a run whose ledger panics in the owner goroutine.
func hosted() int {
	way := relay.New()
	clock := &engine.Real{}
	h := engine.Start(context.Background(), engine.Launch{Epoch: time.Now(), Speed: 1}, engine.Ports{
		Clock: clock, Ledger: unsound{}, Facts: way.Facts, Observe: way.Observe,
	})
	s := Open(context.Background(), tui.Options{Now: clock.Now, Send: h.Command, Leave: h.Leave}, way)
	s.Go("the wait for the run", func() {
		res := h.Wait()
		way.Ended(res.Exit, res.Err)
	})
	_, err := s.Run()
	return told(errors.Join(err, h.Wait().Err))
}

// unsound is a ledger that panics.
type unsound struct{ engine.Ledger }

func (unsound) Poll() []run.Seen { panic("boom") }

// shell plays a shell with job control: it runs a command in the foreground and,
// whenever that stops, says so and obeys a line: "fg" or "bg".
func shell(args []string) int {
	job := exec.Command(args[0], args[1:]...)
	job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
	job.SysProcAttr = &syscall.SysProcAttr{Foreground: true} // in a group of its own
	job.Env = append(os.Environ(), roleVar+"=")
	if err := job.Start(); err != nil {
		fmt.Println(err)
		return 126
	}
	signal.Ignore(syscall.SIGTTOU) // only now: the job would inherit it
	pid := job.Process.Pid
	fmt.Printf("<%d is the job>", pid)
	lines := bufio.NewScanner(os.Stdin)
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); errors.Is(err, syscall.EINTR) {
			continue
		} else if err != nil {
			fmt.Println(err)
			return 126
		}
		take(unix.Getpgrp())
		if !status.Stopped() {
			return status.ExitStatus()
		}
		fmt.Println("<stopped>")
		lines.Scan()
		if lines.Text() == "fg" {
			take(pid)
		}
		_ = syscall.Kill(-pid, syscall.SIGCONT)
	}
}

// take makes a process group the terminal's foreground.
func take(group int) { _ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, group) }
