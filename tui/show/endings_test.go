//go:build unix

package show

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/layover/tui/cli"
)

// demo is a live demo on a terminal, with agents at work.
func demo(t *testing.T, environ ...string) *terminal {
	t.Helper()
	x := newTerminal(t, exec.Command(layover, "demo", "--speed", "4"), environ...).start()
	x.see("working", 0)
	return x
}

// quit answers the question of q with a key, and waits for the end.
func (x *terminal) quit(key string, exit int) {
	x.Helper()
	from := len(x.output())
	x.press("q")
	x.see("Quit?", from)
	x.press(key)
	x.exits(exit)
}

func (x *terminal) quitHard() {
	x.Helper()
	x.quit("h", cli.ExitHardStop)
}

func TestQuit(t *testing.T) {
	x := demo(t)
	if x.modes() == x.before {
		t.Error("the modes are not changed while the screen is open: the test shows nothing")
	}
	x.quitHard()
	x.restored()
}

// To quit softly is to wait for what runs; the screen closes by itself then.
func TestQuitSoftly(t *testing.T) {
	x := newTerminal(t, exec.Command(layover, "demo", "--speed", "100")).start()
	x.see("working", 0)
	x.quit("s", cli.ExitStopped)
	x.restored()
}

func TestInterrupts(t *testing.T) {
	x := demo(t)
	from := len(x.output())
	x.press("\x03")
	x.see("stopping", from)
	x.press("\x03")
	x.see("ended", from)
	x.press("q")
	x.exits(cli.ExitHardStop)
	x.restored()
}

func TestLeave(t *testing.T) {
	x := demo(t)
	x.quit("l", cli.ExitStopped)
	x.restored()
}

func TestSignals(t *testing.T) {
	for name, s := range map[string]os.Signal{"term": syscall.SIGTERM, "quit": syscall.SIGQUIT} {
		t.Run(name, func(t *testing.T) {
			x := demo(t)
			x.signal(s)
			x.exits(cli.ExitTerminated)
			x.restored()
			x.quiet()
			x.see("files: ", 0) // it has ended in good order
		})
	}
}

// The run goes on without its screen, is found by watch, and can be stopped.
func TestHangup(t *testing.T) {
	x := demo(t)
	x.signal(syscall.SIGHUP)
	x.see("\x1b[?1049l", 0)
	x.see("\x1b[?25h", 0)
	select {
	case <-x.ended:
		t.Fatalf("the process has ended: %v", x.cmd.ProcessState)
	default:
	}
	second := newTerminal(t, exec.Command(layover, "watch"), "XDG_STATE_HOME="+x.state).start()
	second.see("working", 0)
	second.press("q")
	second.exits(cli.ExitDone)
	stop := exec.Command(layover, "stop", "latest", "--now")
	stop.Env = append(os.Environ(), "XDG_STATE_HOME="+x.state)
	if out, err := stop.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	x.exits(cli.ExitHardStop)
	x.restored()
}

// A run whose terminal is closed ends as if it had none, also if no signal says so.
func TestTerminalIsClosed(t *testing.T) {
	for name, controlling := range map[string]bool{"with a signal": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			x := newTerminal(t, exec.Command(layover, "demo", "--speed", "400"))
			x.cmd.SysProcAttr.Setctty = controlling
			x.start().see("working", 0)
			began := time.Now()
			_ = x.line.Close()
			_ = x.screen.Close()
			x.exits(cli.ExitDone)
			used := x.cmd.ProcessState.UserTime() + x.cmd.ProcessState.SystemTime()
			if lasted := time.Since(began); used > lasted*3/4 {
				t.Errorf("it has used %v of the processor in %v", used, lasted)
			}
			dirs := x.runs()
			if len(dirs) != 1 {
				t.Fatalf("%d runs", len(dirs))
			}
			facts, err := os.ReadFile(filepath.Join(dirs[0], "events.jsonl"))
			if err != nil || !strings.Contains(string(facts), `"type":"run_ended"`) {
				t.Errorf("the run has not ended: %v\n%s", err, facts)
			}
		})
	}
}

func TestWatch(t *testing.T) {
	cases := map[string]struct {
		end  func(x *terminal)
		want int
	}{
		"q":      {func(x *terminal) { x.press("q") }, cli.ExitDone},
		"term":   {func(x *terminal) { x.signal(syscall.SIGTERM) }, cli.ExitTerminated},
		"hangup": {func(x *terminal) { x.signal(syscall.SIGHUP) }, cli.ExitDone},
	}
	hosted := demo(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			x := newTerminal(t, exec.Command(layover, "watch"), "XDG_STATE_HOME="+hosted.state).start()
			x.see("working", 0)
			c.end(x)
			x.exits(c.want)
			x.restored()
		})
	}
	hosted.quitHard()
}

// Terminals that can show next to nothing are given back like others.
func TestPoorTerminals(t *testing.T) {
	t.Run("dumb", func(t *testing.T) {
		x := newTerminal(t, exec.Command(layover, "demo", "--speed", "400"), "TERM=dumb").start()
		x.exits(cli.ExitDone)
		x.mu.Lock()
		defer x.mu.Unlock()
		if shown := string(x.shown); strings.Contains(shown, "\x1b") || !strings.Contains(shown, "ended with exit code 0") {
			t.Errorf("shown: %q", shown)
		}
	})
	for name, size := range map[string][2]uint16{"one cell": {1, 1}, "no size": {0, 0}} {
		t.Run(name, func(t *testing.T) {
			x := newTerminal(t, exec.Command(layover, "demo", "--speed", "4"))
			x.resize(size[0], size[1])
			x.start().see("\x1b[?1049h", 0)
			x.press("q")
			x.signal(syscall.SIGTERM)
			x.exits(cli.ExitTerminated)
			x.restored()
			x.quiet()
		})
	}
}
