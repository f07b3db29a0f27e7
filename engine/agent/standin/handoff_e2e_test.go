//go:build e2e

package standin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/layover/engine/agent/standin"
)

// notes is the file that the agents of these tests write to.
const notes = "notes.txt"

// lines are the lines of the notes.
func (p place) lines(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(p.work, notes))
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

// holds reports whether the request holds a text, as it stands within a JSON text.
func holds(t *testing.T, r standin.Request, text string) bool {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(r.Body, bytes.Trim(quoted, `"`))
}

// What one agent has done before its limit the next one knows, and does not do again.
func TestLayoverHandsTheWorkOver(t *testing.T) {
	t.Parallel()
	commands := []string{"echo first | tee -a " + notes, "echo second | tee -a " + notes}
	for from, to := range map[string]string{"claude": "codex", "codex": "claude"} {
		t.Run(from+" to "+to, func(t *testing.T) {
			t.Parallel()
			p := settle(t, standin.Scenario{
				from: {{Answer: standin.Work, Commands: commands, For: time.Nanosecond}, {Answer: standin.UsageLimit, For: 5 * time.Hour}},
				to:   {{Answer: standin.Work, Commands: commands}},
			})
			facts, exit := p.night(t, fmt.Sprintf("%q, %q", from, to))
			if exit != 0 {
				t.Errorf("exit %d", exit)
			}
			if got := p.lines(t); got != "first\nsecond\n" {
				t.Errorf("the notes are %q: want each edit once", got)
			}
			if a, b := len(p.srv.Requests(from)), len(p.srv.Requests(to)); a != 2 || b != 2 {
				t.Fatalf("%d requests to %s, %d to %s; want 2 and 2: an edit and the limit, an edit and a text", a, from, b, to)
			}
			told := p.srv.Requests(to)[0]
			for _, want := range []string{task, "Another agent has worked on this task", from + ", from ", "ended by a limit of its account", commands[0], "\nfirst\n"} {
				if !holds(t, told, want) {
					t.Errorf("%s is not told %q", to, want)
				}
			}
			if holds(t, told, commands[1]) {
				t.Errorf("%s is told of the second edit before it was made", to)
			}
			if count(facts, "handoff_written") != 1 || count(facts, "provider_fallback") != 1 {
				t.Errorf("%d handoffs, %d fallbacks; want 1 and 1", count(facts, "handoff_written"), count(facts, "provider_fallback"))
			}
		})
	}
}

// An agent whose conversation has become too long is started again with less of it, and
// goes on from what was done.
func TestLayoverStartsAgainWithLess(t *testing.T) {
	t.Parallel()
	var commands []string
	want := ""
	for i := range 6 {
		commands = append(commands, fmt.Sprintf("echo step-%d | tee -a %s; seq 10000 11500", i, notes))
		want += fmt.Sprintf("step-%d\n", i)
	}
	// The conversations of codex begin with more text of its own.
	for name, most := range map[string]int{"claude": 60_000, "codex": 70_000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := settle(t, standin.Scenario{name: {{Answer: standin.Work, Commands: commands, Most: most}}})
			facts, exit := p.night(t, fmt.Sprintf("%q", name))
			if exit != 0 {
				t.Errorf("exit %d", exit)
			}
			if got := p.lines(t); got != want {
				t.Errorf("the notes are %q: want each step once", got)
			}
			asked := p.srv.Requests(name)
			long := slices.IndexFunc(asked, func(r standin.Request) bool { return r.Answer == standin.TooLong })
			again := slices.IndexFunc(asked, func(r standin.Request) bool { return holds(t, r, "Another agent has worked on this task") })
			if long < 0 || again < long {
				t.Fatalf("refused at request %d, started again at %d", long, again)
			}
			first, second := asked[long], asked[again]
			t.Logf("refused with %d bytes, started again with %d", first.Conversation, second.Conversation)
			if second.Conversation >= first.Conversation || second.Answer != standin.Work {
				t.Errorf("refused with %d bytes, started again with %d: %v", first.Conversation, second.Conversation, second.Answer)
			}
			for _, want := range []string{task, "ended by a conversation that had become too long", commands[0], "step-0\n10000\n"} {
				if !holds(t, second, want) {
					t.Errorf("the second agent is not told %q", want)
				}
			}
			if holds(t, second, commands[len(commands)-1]) {
				t.Error("nothing was left to do")
			}
			if count(facts, "overflow_rung") != 1 || count(facts, "agent_spawned") != 2 || count(facts, "handoff_written") != 1 {
				t.Errorf("%d rungs, %d agents, %d handoffs; want 1, 2 and 1", count(facts, "overflow_rung"), count(facts, "agent_spawned"), count(facts, "handoff_written"))
			}
		})
	}
}
