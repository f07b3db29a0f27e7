//go:build unix

package show

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/tui/cli"
)

// underShell is a live demo that was started by a shell with job control.
func underShell(t *testing.T) *terminal {
	t.Helper()
	x := newTerminal(t, exec.Command(os.Args[0], layover, "demo", "--speed", "20"), roleVar+"=shell").start()
	x.see("is the job>", 0)
	_, after, _ := strings.Cut(x.output(), "<")
	if _, err := fmt.Sscanf(after, "%d is the job>", &x.job); err != nil {
		t.Fatal(err)
	}
	x.see("working", 0)
	return x
}

func (x *terminal) signalJob(s syscall.Signal) {
	x.Helper()
	if err := syscall.Kill(x.job, s); err != nil {
		x.Fatal(err)
	}
}

// facts counts what is recorded of the run.
func (x *terminal) facts() int {
	x.Helper()
	n := 0
	for _, dir := range x.runs() {
		if _, err := journal.Facts(dir, func(run.Fact) error { n++; return nil }); err != nil {
			x.Fatal(err)
		}
	}
	return n
}

// stops waits until the shell says that its job has stopped, which gave the terminal
// back.
func (x *terminal) stops(from int) {
	x.Helper()
	x.see("<stopped>", from)
	x.restored()
}

// returns says fg, and waits until the whole screen is shown again.
func (x *terminal) returns() {
	x.Helper()
	from := len(x.output())
	x.press("fg\n")
	x.see("\x1b[?1049h", from)
	for _, part := range []string{"Lanes", "Families", "Events", "quit"} {
		x.see(part, from)
	}
}

func TestSuspend(t *testing.T) {
	x := underShell(t)
	from := len(x.output())
	x.press("\x1a")
	x.stops(from)
	x.returns()
	for range 2 { // what was caught once stops a second time as well
		from = len(x.output())
		x.signalJob(syscall.SIGTSTP)
		x.stops(from)
		x.returns()
	}
	x.quitHard()
	x.restored()
}

func TestResizedWhileSuspended(t *testing.T) {
	x := underShell(t)
	from := len(x.output())
	x.press("\x1a")
	x.stops(from)
	x.resize(71, 17)
	x.returns()
	x.see("\x1b[17;", from) // the cursor rests on the last line
	from = len(x.output())
	x.resize(72, 18)
	x.see("\x1b[18;", from)
	x.quitHard()
	x.restored()
}

// A process that was stopped by force does not know; its screen is drawn anew.
func TestStoppedByForce(t *testing.T) {
	x := underShell(t)
	from := len(x.output())
	x.signalJob(syscall.SIGSTOP)
	x.see("<stopped>", from)
	x.press("fg\n")
	x.see("\x1b[?1049h", from)
	x.quitHard()
	x.restored()
}

// In the background the run goes on without a screen, leaves the terminal alone,
// and ends when it is told to.
func TestTerminatedInTheBackground(t *testing.T) {
	x := underShell(t)
	from := len(x.output())
	x.press("\x1a")
	x.stops(from)
	before := x.facts()
	x.press("bg\n")
	bound := time.After(patience)
	for look := time.NewTicker(20 * time.Millisecond); x.facts() < before+5; {
		select {
		case <-look.C:
		case <-bound:
			t.Fatalf("%d facts, as before", before)
		}
	}
	x.signalJob(syscall.SIGTERM)
	x.exits(cli.ExitTerminated)
	x.restored()
	x.see("files: ", from) // it has ended in good order
}

// Where no shell waits the process cannot be stopped: the screen comes back.
func TestNobodyToResumeIt(t *testing.T) {
	for name, ask := range map[string]func(x *terminal){
		"key":    func(x *terminal) { x.press("\x1a") },
		"signal": func(x *terminal) { x.signal(syscall.SIGTSTP) },
	} {
		t.Run(name, func(t *testing.T) {
			x := demo(t)
			from := len(x.output())
			ask(x)
			from = x.see("\x1b[?1049l", from)
			x.see("\x1b[?1049h", from-len("\x1b[?1049l"))
			x.quitHard()
			x.restored()
		})
	}
}
