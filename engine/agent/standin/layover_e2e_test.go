//go:build e2e

package standin_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/agent/standin"
)

// layover builds the command and gives its path.
func layover(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "layover")
	build := exec.CommandContext(t.Context(), lookPath(t, "go"), "build", "-o", bin, "example.com/layover")
	build.Env = os.Environ()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build layover: %v\n%s", err, out)
	}
	return bin
}

// fact is one line of what layover prints: a fact or an observation.
type fact map[string]any

// is reports whether the fact has the type.
func (f fact) is(kind string) bool { return f["type"] == kind }

// night runs a program of one task on the order, with more lines at its top, and gives the facts of the run
// and the exit code. It checks what holds for every run: the facts are numbered
// from one without a gap, each names its instant, and the last one ends the run.
func (p place) night(t *testing.T, order string, top ...string) ([]fact, int) {
	t.Helper()
	bin := layover(t)
	lookPath(t, "claude")
	lookPath(t, "codex")
	plan := filepath.Join(p.home, "plan.toml")
	write(t, plan, `
name = "night"
order = [`+order+`]
`+strings.Join(top, "\n")+`
[agents.claude]
args = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"]
[agents.codex]
args = ["--sandbox", "danger-full-access"]
[[task]]
name = "hello"
prompt = "`+task+`"
dir = "`+p.work+`"
`)
	out := p.run(t, nil, bin, "run", plan, "--headless", "--json")
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
		ts, _ := f["ts"].(string)
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
	facts, exit := p.night(t, `"claude"`)
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

func TestLayoverGivesWayToTheNextAgent(t *testing.T) {
	p := settle(t, standin.Scenario{
		"claude": {{Answer: standin.UsageLimit, For: 5 * time.Hour}},
		"codex":  {{Answer: standin.Tool}},
	})
	facts, exit := p.night(t, `"claude", "codex"`)
	if exit != 0 {
		t.Errorf("exit %d", exit)
	}
	if all, refused := len(p.srv.Requests("claude")), p.srv.Refused("claude"); all != 1 || refused != 1 {
		t.Errorf("%d requests to claude, %d refused; want 1 and 1", all, refused)
	}
	if n := count(facts, "agent_spawned"); n != 2 {
		t.Errorf("%d agents spawned, want 2", n)
	}
	swaps := 0
	for _, f := range facts {
		if !f.is("provider_fallback") {
			continue
		}
		swaps++
		from, _ := f["from"].(string)
		to, _ := f["to"].(string)
		if !strings.HasPrefix(from, "claude") || !strings.HasPrefix(to, "codex") {
			t.Errorf("fallback from %q to %q", from, to)
		}
	}
	if swaps != 1 {
		t.Errorf("%d fallbacks, want 1", swaps)
	}
	asked := p.srv.Requests("codex")
	if len(asked) != 2 || p.srv.Refused("codex") != 0 {
		t.Fatalf("%d requests to codex, %d refused; want 2 and 0", len(asked), p.srv.Refused("codex"))
	}
	if !bytes.Contains(asked[0].Body, []byte(task)) {
		t.Errorf("codex was not given the task")
	}
	if n := p.sessions(t, codexSessions); n != 1 {
		t.Errorf("%d sessions of codex, want 1", n)
	}
}
