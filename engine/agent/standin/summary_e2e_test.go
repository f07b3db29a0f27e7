//go:build e2e

package standin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/layover/engine/agent/standin"
)

// What a handoff has to leave out is summarised first by the agent that is to go on, and
// what it says stands in the handoff.
func TestLayoverSummarisesWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	var commands []string
	for i := range 40 {
		commands = append(commands, fmt.Sprintf("echo step-%02d | tee -a %s; : %s", i, notes, strings.Repeat("x", 20_000)))
	}
	const summarise, goesOn = "Summarise what other agents have done", "Another agent has worked on this task"
	for _, name := range []string{"claude", "codex"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := settle(t, standin.Scenario{
				name: {{Answer: standin.Work, Commands: commands, Most: 550_000, Enough: []string{summarise, goesOn}}},
			})
			facts, exit := p.night(t, night{order: []string{name}, top: "handoff_summary = true"})
			if exit != 0 {
				t.Errorf("exit %d", exit)
			}
			asked := p.srv.Requests(name)
			first := func(text string) int {
				return slices.IndexFunc(asked, func(r standin.Request) bool { return holds(t, r, text) })
			}
			summary, again := first(summarise), first(goesOn)
			if summary < 0 || again < summary {
				t.Fatalf("asked for a summary at request %d, started again at %d", summary, again)
			}
			t.Logf("%d requests; %d bytes to summarise, %d to go on with", len(asked), asked[summary].Conversation, asked[again].Conversation)
			step := func(i int) string { return strings.TrimSuffix(commands[i][:len("echo step-00 ")], " ") }
			for _, want := range []string{task, step(0), step(1)} {
				if !holds(t, asked[summary], want) {
					t.Errorf("no %q in what is to be summarised", want)
				}
			}
			if !holds(t, asked[again], "an agent has summarised what is left out of the oldest steps\nAll done.\n") || holds(t, asked[again], step(0)) {
				t.Error("the summary is not what stands for the oldest steps")
			}
			if a, b, c := count(facts, "summary_asked"), count(facts, "agent_spawned"), count(facts, "handoff_written"); a != 1 || b != 3 || c != 1 {
				t.Errorf("%d summaries, %d agents, %d handoffs; want 1, 3 and 1", a, b, c)
			}
			if n := count(facts, "usage"); n != 2 {
				t.Errorf("%d attempts are accounted as successes; want 2", n)
			}
		})
	}
}
