//go:build unix

package show

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"example.com/layover/engine/drill"
)

// patience bounds every wait of these tests; none of them should come near it.
const patience = 30 * time.Second

// layover is the program itself, built once.
var layover string

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(play(role))
	}
	dir, err := os.MkdirTemp("", "layover-show-")
	if err != nil {
		panic(err)
	}
	layover = filepath.Join(dir, "layover")
	if out, err := exec.Command("go", "build", "-o", layover, "example.com/layover").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// terminal is a pseudo-terminal with a process of its own session on it.
type terminal struct {
	*testing.T
	screen *os.File // what a person sees and types on
	line   *os.File // what the process has
	before term.State
	cmd    *exec.Cmd
	job    int    // what it runs, if it is a shell; 0 if not
	state  string // the process's XDG_STATE_HOME
	ended  chan struct{}

	mu    sync.Mutex
	shown []byte
	news  chan struct{} // holds one value if shown has grown
}

// newTerminal prepares cmd to be started on a terminal of 100 times 30 cells. The
// agents that it leaves are ended with the test.
func newTerminal(t *testing.T, cmd *exec.Cmd, environ ...string) *terminal {
	t.Helper()
	screen, line, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pseudo-terminal: %v", err)
	}
	x := &terminal{
		T: t, screen: screen, line: line, cmd: cmd, state: t.TempDir(),
		ended: make(chan struct{}), news: make(chan struct{}, 1),
	}
	x.resize(100, 30)
	x.before = x.modes()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = line, line, line
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+x.state, "TERM=xterm-256color", "TZ=UTC")
	cmd.Env = append(cmd.Env, environ...)
	return x
}

// start starts the process, and to read what it writes.
func (x *terminal) start() *terminal {
	x.Helper()
	if err := x.cmd.Start(); err != nil {
		x.Fatal(err)
	}
	var reader sync.WaitGroup
	reader.Go(x.read)
	go func() {
		_ = x.cmd.Wait()
		close(x.ended)
	}()
	x.Cleanup(func() {
		select {
		case <-x.ended:
		default: // only after a failure
			_ = x.cmd.Process.Kill()
			if x.job != 0 {
				_ = syscall.Kill(x.job, syscall.SIGKILL)
			}
			<-x.ended
		}
		_ = x.line.Close()
		_ = x.screen.Close()
		reader.Wait()
		x.endAgents()
	})
	return x
}

func (x *terminal) read() {
	for buf := make([]byte, 4096); ; {
		n, err := x.screen.Read(buf)
		x.mu.Lock()
		x.shown = append(x.shown, buf[:n]...)
		x.mu.Unlock()
		select {
		case x.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// runs are the directories of the demos that were hosted.
func (x *terminal) runs() []string {
	dirs, _ := filepath.Glob(filepath.Join(x.state, "layover", "demo", "runs", "*")) // a pattern without faults
	return dirs
}

// endAgents ends the agents that a run has left at work.
func (x *terminal) endAgents() {
	for _, dir := range x.runs() {
		if err := drill.EndAgents(dir, patience); err != nil {
			x.Error(err)
		}
	}
}

func (x *terminal) modes() term.State {
	x.Helper()
	state, err := term.GetState(x.line.Fd())
	if err != nil {
		x.Fatalf("modes of the terminal: %v", err)
	}
	return *state
}

func (x *terminal) resize(cols, rows uint16) {
	x.Helper()
	if err := pty.Setsize(x.screen, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		x.Fatal(err)
	}
}

func (x *terminal) output() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.shown)
}

// see waits until what was shown after the first offset bytes contains a text, and
// returns how much had been shown then.
func (x *terminal) see(text string, offset int) int {
	x.Helper()
	ctx, cancel := context.WithTimeout(x.Context(), patience)
	defer cancel()
	for {
		if out := x.output(); strings.Contains(out[min(offset, len(out)):], text) {
			return len(out)
		}
		select {
		case <-x.news:
		case <-ctx.Done():
			x.Fatalf("%q was not shown after %d bytes: %q", text, offset, x.output())
		}
	}
}

func (x *terminal) press(keys string) {
	x.Helper()
	if _, err := x.screen.WriteString(keys); err != nil {
		x.Fatal(err)
	}
}

func (x *terminal) signal(s os.Signal) {
	x.Helper()
	if err := x.cmd.Process.Signal(s); err != nil {
		x.Fatal(err)
	}
}

// exits waits for the end of the process and compares its exit status.
func (x *terminal) exits(want int) {
	x.Helper()
	select {
	case <-x.ended:
	case <-time.After(patience):
		x.Fatalf("the process does not end; it has shown %q", x.output())
	}
	if got := x.cmd.ProcessState.ExitCode(); got != want {
		x.Errorf("exit status %d, want %d", got, want)
	}
}

// mark is written to the terminal by the test itself, so that everything written
// before has been read once it is seen.
const mark = "<everything until here>"

// restored checks that the terminal is as it was before: its modes, and what the
// sequences that were written until now leave switched on.
func (x *terminal) restored() {
	x.Helper()
	if x.modes() != x.before {
		x.Errorf("the modes of the terminal differ (before, after):\n%v\n%v", x.before, x.modes())
	}
	from := len(x.output())
	if _, err := x.line.WriteString(mark); err != nil {
		x.Fatal(err)
	}
	x.see(mark, max(0, from-len(mark)))
	if on, off := switched(x.output()); on != "" || !strings.Contains(off, " 1049 ") {
		x.Errorf("left switched on: %q; switched off: %q; shown: %q", on, off, x.output())
	}
}

var private = regexp.MustCompile("\x1b" + `\[\?([0-9]+)([hl])`)

// switched lists the private modes that output leaves as they are not meant to be:
// the cursor (25) is on, everything else off; and those that are as they should.
func switched(output string) (wrong, right string) {
	last := map[string]bool{}
	for _, m := range private.FindAllStringSubmatch(output, -1) {
		last[m[1]] = (m[2] == "h") == (m[1] == "25")
	}
	right = " "
	for mode, fine := range last {
		if fine {
			right += mode + " "
		} else {
			wrong += mode + " "
		}
	}
	return wrong, right
}

// quiet fails if a stack trace was shown.
func (x *terminal) quiet() {
	x.Helper()
	if out := x.output(); strings.Contains(out, "goroutine ") {
		x.Errorf("a stack trace was shown: %q", out)
	}
}
