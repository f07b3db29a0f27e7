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

	"github.com/google/go-cmp/cmp"

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
func TestStoriesOfASwap(t *testing.T) {
	t.Parallel()
	const ofAccount = "ended by a limit of its account"
	for _, s := range []struct {
		from, to string
		limit    standin.Stage
		ends     []string
		why      string
		minutes  bool
	}{
		{"claude", "codex", standin.Stage{Answer: standin.UsageLimit, For: 5 * time.Hour}, []string{"rate_limited usage family stated", "success"}, ofAccount, false},
		{"codex", "gemini", standin.Stage{Answer: standin.UsageLimit, For: 5 * time.Hour}, []string{"rate_limited usage family text", "success"}, ofAccount, false},
		{"gemini", "opencode", always(standin.UsageLimit), []string{"rate_limited usage model", "success"}, ofAccount, false},
		{"opencode", "claude", standin.Stage{Answer: standin.UsageLimit, For: 5 * time.Hour}, []string{"stalled", "success"}, "ended by a stall", true},
	} {
		t.Run(s.from+" to "+s.to, func(t *testing.T) {
			t.Parallel()
			if s.minutes && !*minutes {
				t.Skip("it takes a minute; -minutes tells it")
			}
			p := settle(t, standin.Scenario{s.from: {work(steps, 1), s.limit}, s.to: {work(steps, 0)}})
			begin := time.Now()
			plan := night{order: []string{s.from, s.to}, limits: `stall_timeout = "120s"`}
			if s.limit.For == 0 { // nobody says how long it lasts
				plan.top = `patience = "1s"`
			}
			if s.minutes {
				plan.top += "\n[retry]\nmax_retries = 0"
			}
			facts, exit := p.night(t, plan)
			n := p.account(t, facts, s.from, s.to)
			row{agent: s.from + ", " + s.to, story: "swap with a handoff", told: n.told(exit), asked: n.asked, took: time.Since(begin)}.note(t)
			if diff := cmp.Diff(s.ends, n.ends); diff != "" || exit != 0 {
				t.Errorf("exit %d; the attempts end as (-want +got):\n%s", exit, diff)
			}
			if got := p.lines(t); got != bothSteps {
				t.Errorf("the notes are %q: want each step once", got)
			}
			if b := len(p.srv.Requests(s.to)); b != 2 {
				t.Fatalf("%d requests to %s; want 2: a step and a text", b, s.to)
			}
			told := p.srv.Requests(s.to)[0]
			for _, want := range []string{task, "Another agent has worked on this task", s.from + ", from ", s.why, steps[0], "\nfirst\n"} {
				if !holds(t, told, want) {
					t.Errorf("%s is not told %q", s.to, want)
				}
			}
			if holds(t, told, steps[1]) {
				t.Errorf("%s is told of the second step before it was made", s.to)
			}
			if count(facts, "handoff_written") != 1 || count(facts, "provider_fallback") != 1 {
				t.Errorf("%d handoffs, %d fallbacks; want 1 and 1", count(facts, "handoff_written"), count(facts, "provider_fallback"))
			}
			p.exported(t, n)
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
			facts, exit := p.night(t, night{order: []string{name}})
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
