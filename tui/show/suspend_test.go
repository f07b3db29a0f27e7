//go:build unix

package show

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"example.com/layover/tui/cli"
)

// underShell is a live demo that was started by a shell with job control.
func underShell(t *testing.T) *terminal {
	t.Helper()
	x := newTerminal(t, exec.Command(os.Args[0], layover, "demo", "--speed", "4"), roleVar+"=shell").start()
	x.see("working", 0)
	return x
}

var stopped = regexp.MustCompile(`<stopped ([0-9]+)>`)

// stops waits until the shell says that its job has stopped, checks the terminal,
// and returns the job.
func (x *terminal) stops(from int) int {
	x.Helper()
	x.see("<stopped ", from)
	x.see(">", from)
	x.restored()
	found := stopped.FindStringSubmatch(x.output())
	pid, err := strconv.Atoi(found[1])
	if err != nil {
		x.Fatal(err)
	}
	return pid
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
	job := x.stops(from)
	x.returns()
	for range 2 { // what was caught once stops a second time as well
		from = len(x.output())
		if err := syscall.Kill(job, syscall.SIGTSTP); err != nil {
			t.Fatal(err)
		}
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
	x.press("\x1a")
	job := x.stops(from)
	x.returns()
	from = len(x.output())
	if err := syscall.Kill(job, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	x.see(fmt.Sprintf("<stopped %d>", job), from)
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
	job := x.stops(from)
	x.press("bg\n")
	if err := syscall.Kill(job, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.exits(cli.ExitTerminated)
	x.restored()
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
