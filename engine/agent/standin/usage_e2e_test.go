//go:build e2e

package standin_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/standin"
	"example.com/layover/engine/run"
)

// attempt is one run of an agent by its preset, read as Layover reads it.
type attempt struct {
	verdict run.Verdict
	// served holds the signs that a model answered, in their order.
	served []string
}

// attempt starts the agent with the task, or resumes its session.
func (p place) attempt(t *testing.T, name, session string) attempt {
	t.Helper()
	preset, ok := agent.Lookup(name)
	if !ok {
		t.Fatalf("no preset %s", name)
	}
	args := map[string][]string{
		"claude": {"--permission-mode", "acceptEdits"},
		"codex":  {"--sandbox", "danger-full-access"},
		"gemini": {"--approval-mode", "yolo", "--skip-trust"},
	}
	begin := time.Now()
	cmd := preset.Command(agent.Start{Session: session, Prompt: task, Args: args[name], Probe: true, Dir: p.work})
	out := p.run(t, cmd.Stdin, cmd.Argv...)
	reader, err := agent.NewReader(preset.Dialect, agent.Reference{Now: begin, Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	var a attempt
	see := func(s run.Sight) {
		if s.Served != "" {
			a.served = append(a.served, s.Served)
		}
	}
	reader.Feed(out.stdout, see)
	a.verdict = reader.End(agent.End{Exit: run.Exit{Code: out.exit}, Stderr: out.stderr}, see)
	return a
}

// A resumed codex tells the usage of the whole session, a resumed claude its own: what
// the presets say, and the account of every run depends on.
func TestAgentsTellWhatTheyUsed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][3]int64{
		"claude": {2 * 1225, 1225, 1225},
		"codex":  {2 * 2130, 3 * 2130, 4 * 2130},
	} {
		t.Run(name, func(t *testing.T) {
			p := settle(t, standin.Scenario{name: {{Answer: standin.Tool}}})
			session := ""
			for i := range want {
				v := p.attempt(t, name, session).verdict
				session = v.Session
				preset, _ := agent.Lookup(name)
				if priced := v.Usage.CostUSD > 0; v.Usage.Tokens() != want[i] || priced != preset.Priced || priced == (v.Usage.Unpriced > 0) {
					t.Errorf("attempt %d used %+v, want %d tokens", i+1, v.Usage, want[i])
				}
			}
		})
	}
}

// Real agents are ended by a budget: claude keeps to its own, and no other is started.
func TestLayoverKeepsToABudget(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ limits, order, why string }{
		"money":  {"max_cost_usd = 0.005", `"claude"`, "the budget of $0.005 is spent: $0.00"},
		"tokens": {"max_tokens = 2000", `"codex"`, "the budget of 2.0k tokens is spent: 4.2k used"},
	} {
		t.Run(name, func(t *testing.T) {
			p := settle(t, standin.Scenario{"claude": {{Answer: standin.Tool}}, "codex": {{Answer: standin.Tool}}})
			plan := filepath.Join(p.home, "plan.toml")
			write(t, plan, "order = ["+tt.order+"]\n[limits]\n"+tt.limits+`
[agents.claude]
args = ["--permission-mode", "acceptEdits"]
[agents.codex]
args = ["--sandbox", "danger-full-access"]
`+strings.Repeat("[[task]]\nprompt = \""+task+"\"\ndir = \""+p.work+"\"\n", 3))
			bin := layover(t)
			for _, agent := range []string{"claude", "codex"} {
				if _, err := exec.LookPath(agent); err != nil {
					t.Fatal(err)
				}
			}
			out := p.run(t, nil, bin, "run", plan, "--headless", "--json")
			lines := strings.Split(strings.TrimSpace(string(out.stdout)), "\n")
			var last fact
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
				t.Fatal(err)
			}
			why, _ := last["why"].(string)
			if out.exit != 1 || !last.is("run_ended") || !strings.HasPrefix(why, tt.why) {
				t.Errorf("exit %d, %v", out.exit, last)
			}
			if n := strings.Count(string(out.stdout), `"type":"agent_spawned"`); n != 1 {
				t.Errorf("%d agents spawned, want 1", n)
			}
		})
	}
}
