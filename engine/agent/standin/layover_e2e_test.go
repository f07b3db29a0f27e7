//go:build e2e

package standin_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/layover/engine/agent/standin"
)

// build makes the command, once for all tests, in [scratch].
var build = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(scratch, "layover")
	if out, err := exec.Command("go", "build", "-o", bin, "example.com/layover").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build layover: %w\n%s", err, out)
	}
	return bin, nil
})

// layover gives the path of the command.
func layover(t *testing.T) string {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// task is what every agent is asked for.
const task = "Say hello in the shell, task 4711."

// fact is one line of what layover prints: a fact or an observation.
type fact map[string]any

// is reports whether the fact has the type.
func (f fact) is(kind string) bool { return f["type"] == kind }

// text is a field that holds a text, and object one that holds an object; both are empty
// without it.
func (f fact) text(field string) string { s, _ := f[field].(string); return s }

func (f fact) object(field string) map[string]any { o, _ := f[field].(map[string]any); return o }

// night is a program of one task.
type night struct {
	order []string
	// top, limits and task are lines for its top, its limits and its task.
	top, limits, task string
	// deadline is that of the program; empty for seven minutes.
	deadline string
	// flags are those of the command.
	flags []string
}

// night runs the program, and gives the facts of the run and the exit code. It checks
// what holds for every run: the facts are numbered from one without a gap, each names its
// instant, and the last one ends the run.
func (p place) night(t *testing.T, n night) ([]fact, int) {
	t.Helper()
	bin := layover(t)
	for _, agent := range n.order {
		lookPath(t, agent)
	}
	plan := filepath.Join(p.home, "plan.toml")
	write(t, plan, `
name = "night"
order = ["`+strings.Join(n.order, `", "`)+`"]
deadline = "`+cmp.Or(n.deadline, "7m")+`"
`+n.top+`
[limits]
kill_grace = "3s"
`+n.limits+`
[agents.claude]
args = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"]
[agents.codex]
args = ["--sandbox", "danger-full-access"]
[agents.gemini]
args = ["--approval-mode", "yolo", "--skip-trust"]
[[task]]
name = "hello"
prompt = "`+task+`"
dir = "`+p.work+`"
`+n.task+`
`)
	out := p.run(t, nil, append([]string{bin, "run", plan, "--headless", "--json"}, n.flags...)...)
	var facts []fact
	for line := range bytes.Lines(out.stdout) {
		var f fact
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		if f["obs"] != true {
			facts = append(facts, f)
		}
	}
	if len(facts) == 0 {
		t.Fatalf("exit %d and no facts", out.exit)
	}
	for i, f := range facts {
		ts := f.text("ts")
		_, err := time.Parse(time.RFC3339Nano, ts)
		if f["seq"] != float64(i+1) || err != nil {
			t.Errorf("fact %d: seq %v, ts %q, %v", i, f["seq"], ts, err)
		}
	}
	if !facts[0].is("run_started") || !facts[len(facts)-1].is("run_ended") {
		t.Errorf("first fact %v, last fact %v", facts[0]["type"], facts[len(facts)-1]["type"])
	}
	return facts, out.exit
}

// count counts the facts of a type.
func count(facts []fact, kind string) int {
	n := 0
	for _, f := range facts {
		if f.is(kind) {
			n++
		}
	}
	return n
}

// A reset that is near is waited for inline, one that is further away is parked for.
// Both are probed by permit, and the agent goes on in its own session.
func TestLayoverWaitsForTheResetAndResumes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reset time.Duration
		order []string
	}{
		"inline": {20 * time.Second, []string{"family_tripped", "retry_scheduled", "permit_granted", "attempt_started", "probe_settled", "window_cleared", "run_ended"}},
		"parked": {125 * time.Second, []string{"family_tripped", "turn_parked", "turn_woken", "permit_granted", "attempt_started", "probe_settled", "window_cleared", "run_ended"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waitsAndResumes(t, tt.reset, tt.order)
		})
	}
}

func waitsAndResumes(t *testing.T, reset time.Duration, order []string) {
	p := settle(t, standin.Scenario{"claude": {
		{Answer: standin.UsageLimit, For: reset}, {Answer: standin.Tool},
	}})
	facts, exit := p.night(t, night{order: []string{"claude"}})
	if exit != 0 {
		t.Errorf("exit %d", exit)
	}
	left := order
	for _, f := range facts {
		if len(left) > 0 && f.is(left[0]) {
			left = left[1:]
		}
	}
	if len(left) > 0 {
		t.Errorf("no %s in the order %v", left[0], order)
	}
	asked := p.srv.Requests("claude")
	if refused := p.srv.Refused("claude"); refused != 1 || len(asked) != 3 {
		t.Fatalf("%d requests, %d refused; want 3 and 1: the limit, then a tool and a text", len(asked), refused)
	}
	if n := count(facts, "agent_spawned"); n != 2 {
		t.Errorf("%d agents spawned, want 2: one met the limit, one did the work", n)
	}
	if count(facts, "turn_parked") != count(facts, "turn_woken") {
		t.Errorf("%d parks, %d wakes", count(facts, "turn_parked"), count(facts, "turn_woken"))
	}
	if count(facts, "window_opened") != 1 || count(facts, "window_cleared") != 1 {
		t.Errorf("%d windows opened, %d cleared; want 1 and 1", count(facts, "window_opened"), count(facts, "window_cleared"))
	}
	if !bytes.Contains(asked[1].Body, []byte(task)) {
		t.Errorf("the agent went on without the task in its conversation")
	}
	if n := p.sessions(t, claudeSessions); n != 1 {
		t.Errorf("%d sessions of claude, want 1: the second agent resumes the first", n)
	}
}
