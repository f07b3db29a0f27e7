//go:build unix

package drill

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc/hydra"
	"example.com/layover/engine/run"
)

// bound is how long anything may take that should take seconds.
const bound = 2 * time.Minute

// binary is the path of the Layover that was built for these tests.
var binary string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == hydra.Command {
		os.Exit(hydra.Main(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == limitedCommand {
		os.Exit(limited())
	}
	if len(os.Args) > 1 && os.Args[1] == agentCommand {
		os.Exit(agent(os.Args[2:], ""))
	}
	if len(os.Args) > 3 && os.Args[1] == secondCommand {
		os.Exit(agent(os.Args[2:], os.Args[3]))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // they wait, most of the time
	os.Exit(build(m))
}

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "layover-drill-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "layover")
	if out, err := exec.Command("go", "build", "-o", binary, "example.com/layover").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// home is a state directory of its own, and what runs in it.
type home struct {
	t   *testing.T
	dir string
}

func newHome(t *testing.T) home {
	t.Helper()
	h := home{t, t.TempDir()}
	t.Cleanup(h.endGuards)
	return h
}

// layover prepares a process of Layover.
func (h home) layover(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	h.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+h.dir, "TZ=UTC", "HOME="+h.dir)
	return cmd
}

// exits runs Layover to its end; it gives its output and fails on another status.
func (h home) exits(want int, args ...string) string {
	h.t.Helper()
	var out, diag bytes.Buffer
	cmd := h.layover(args...)
	cmd.Stdout, cmd.Stderr = &out, &diag
	err := cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != want {
		h.t.Fatalf("layover %s: exit %d, want %d: %v\n%s\n%s", strings.Join(args, " "), got, want, err, tailOf(out.String()), diag.String())
	}
	return out.String()
}

func tailOf(s string) string { return s[max(0, len(s)-4000):] }

// runs lists the directories of the runs, those of demos too.
func (h home) runs() []string {
	dirs, _ := filepath.Glob(filepath.Join(h.dir, "layover", "runs", "*"))
	demos, _ := filepath.Glob(filepath.Join(h.dir, "layover", "demo", "runs", "*"))
	return append(dirs, demos...)
}

// glob lists files below the state directory.
func (h home) glob(pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(h.dir, "layover", pattern))
	return found
}

// run is the directory of the only run.
func (h home) run() string {
	h.t.Helper()
	dirs := h.runs()
	if len(dirs) != 1 {
		h.t.Fatalf("%d runs in %s", len(dirs), h.dir)
	}
	return dirs[0]
}

// workers lists the directories of all agents.
func (h home) workers() []string {
	var all []string
	for _, dir := range h.runs() {
		dirs, _ := filepath.Glob(filepath.Join(dir, "workers", "*"))
		all = append(all, dirs...)
	}
	return all
}

// endGuards ends what a failed test has left.
func (h home) endGuards() {
	for _, dir := range h.runs() {
		if err := EndAgents(dir, bound); err != nil {
			h.t.Error(err)
		}
	}
}

// guarded lists the workers whose guard is there.
func (h home) guarded() []string {
	var held []string
	for _, w := range h.workers() {
		f, err := os.Open(filepath.Join(w, "lock"))
		if err != nil {
			continue
		}
		if errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
			held = append(held, w)
		}
		_ = f.Close()
	}
	return held
}

// processes lists those whose command line names the home.
func (h home) processes() []string {
	var found []string
	dirs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range dirs {
		if line, err := os.ReadFile(path); err == nil && bytes.Contains(line, []byte(h.dir)) {
			found = append(found, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// nobody waits until no process of the home is left.
func (h home) nobody(within time.Duration) {
	h.t.Helper()
	h.within(within, "no process is left", func() bool { return len(h.guarded())+len(h.processes()) == 0 })
}

// within waits for a condition.
func (h home) within(d time.Duration, what string, ok func() bool) {
	h.t.Helper()
	deadline := time.NewTimer(d)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline.C:
			h.t.Fatalf("not within %s: %s", d, what)
		case <-tick.C:
		}
	}
}

// facts reads the facts of a run.
func (h home) facts(dir string) []run.Fact {
	h.t.Helper()
	var all []run.Fact
	if _, err := journal.Facts(dir, func(f run.Fact) error { all = append(all, f); return nil }); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// state adds facts up.
func (h home) state(facts []run.Fact) *run.State {
	h.t.Helper()
	s := &run.State{}
	for _, f := range facts {
		if err := s.Apply(f); err != nil {
			h.t.Fatal(err)
		}
	}
	return s
}

// bodies lists the facts of one kind.
func bodies[T run.Body](facts []run.Fact) []T {
	var all []T
	for _, f := range facts {
		if b, ok := f.Body.(T); ok {
			all = append(all, b)
		}
	}
	return all
}

// agentCommand turns the test binary into an agent that works until a file is there:
// agentCommand PATH. That of secondCommand PATH FIRST does so where FIRST is there; else
// it makes it, and fails.
const (
	agentCommand  = "__agent"
	secondCommand = "__second"
)

func agent(args []string, first string) int {
	fmt.Println(`{"type":"system","subtype":"init","session_id":"92252930-de85-46d3-9e90-4458e395ab2f","model":"claude-sonnet-4-5"}`)
	fmt.Println(`{"type":"assistant","message":{"id":"1","model":"claude-sonnet-4-5","content":[{"type":"text","text":"on it"}],"usage":{"input_tokens":10,"output_tokens":5}}}`)
	if first != "" {
		if f, err := os.OpenFile(first, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_ = f.Close()
			return 1
		}
	}
	end := time.After(bound)
	for tick := time.Tick(5 * time.Millisecond); ; {
		if _, err := os.Stat(args[0]); err == nil {
			break
		}
		select {
		case <-tick:
		case <-end:
			return 1
		}
	}
	fmt.Println(`{"type":"result","subtype":"success","is_error":false,"result":"done","usage":{"input_tokens":10,"output_tokens":5}}`)
	return 0
}

// program writes a program file with one task for an agent; lines are its head.
func (h home) program(command []string, lines string) string {
	h.t.Helper()
	quoted := make([]string, len(command))
	for i, word := range command {
		quoted[i] = strconv.Quote(word)
	}
	path := filepath.Join(h.dir, "plan.toml")
	text := fmt.Sprintf("order = [\"claude\"]\n%s\n[agents.claude]\ncommand = [%s]\n[[task]]\nname = \"one\"\nprompt = \"go\"\n",
		lines, strings.Join(quoted, ", "))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// self is the test binary.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// lines reads what a process prints while it runs.
func lines(r io.Reader, each func(line string)) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		each(in.Text())
	}
}
