//go:build e2e

package standin_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/standin"
	"example.com/layover/engine/run"
)

const task = "Say hello in the shell, task 4711."

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

func TestAgentsMeetEveryAnswer(t *testing.T) {
	// A bare 429 reaches a subscriber of claude as "not your usage limit".
	cases := []struct {
		answer        standin.Answer
		claude, codex run.Class
		served        bool
	}{
		{standin.OK, run.ClassSuccess, run.ClassSuccess, true},
		{standin.Tool, run.ClassSuccess, run.ClassSuccess, true},
		{standin.UsageLimit, run.ClassRateLimited, run.ClassRateLimited, false},
		{standin.Throttle, run.ClassOverloaded, run.ClassRateLimited, false},
		{standin.Overloaded, run.ClassOverloaded, run.ClassOverloaded, false},
		{standin.Unauthorized, run.ClassAuth, run.ClassAuth, false},
		{standin.TooLong, run.ClassContextOverflow, run.ClassContextOverflow, false},
		{standin.NoCredit, run.ClassBilling, run.ClassBilling, false},
	}
	for _, c := range cases {
		for name, class := range map[string]run.Class{"claude": c.claude, "codex": c.codex} {
			t.Run(name+" "+c.answer.String(), func(t *testing.T) {
				p := settle(t, standin.Scenario{name: {{Answer: c.answer}}})
				a := p.attempt(t, name, "")
				if a.verdict.Class != class || len(a.served) > 0 != c.served {
					t.Errorf("class %v, served %q; want %v, served %v", a.verdict.Class, a.served, class, c.served)
				}
			})
		}
	}
}

func TestAgentsLoseTheConnection(t *testing.T) {
	for _, name := range []string{"claude", "codex"} {
		t.Run(name, func(t *testing.T) {
			p := settle(t, standin.Scenario{name: {{Answer: standin.Cut}}})
			if a := p.attempt(t, name, ""); a.verdict.Class != run.ClassTransport {
				t.Errorf("class %v, want transport", a.verdict.Class)
			}
		})
	}
}

func TestAgentsTellTheReset(t *testing.T) {
	// The message of codex has no seconds; the event of claude is exact.
	cases := map[string]struct {
		how   run.How
		slack time.Duration
	}{
		"claude": {run.HowStated, 0},
		"codex":  {run.HowText, time.Minute},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := settle(t, standin.Scenario{name: {{Answer: standin.UsageLimit, For: time.Hour}, {Answer: standin.OK}}})
			v := p.attempt(t, name, "").verdict
			end := p.srv.Requests(name)[0].At.Add(time.Hour + time.Second - 1).Truncate(time.Second)
			if v.Kind != run.KindUsage || v.How != c.how || v.Reset.Sub(end).Abs() > c.slack {
				t.Errorf("kind %v, %v reset %v; want usage, %v reset %v or at most %v from it", v.Kind, v.How, v.Reset, c.how, end, c.slack)
			}
		})
	}
}

func TestAgentsResumeAfterALimit(t *testing.T) {
	for name, sessions := range map[string]string{"claude": claudeSessions, "codex": codexSessions} {
		t.Run(name, func(t *testing.T) {
			p := settle(t, standin.Scenario{name: {{Answer: standin.UsageLimit, For: time.Nanosecond}, {Answer: standin.Tool}}})
			first := p.attempt(t, name, "").verdict
			second := p.attempt(t, name, first.Session).verdict
			got := []any{first.Class, second.Class, second.Session, p.sessions(t, sessions)}
			want := []any{run.ClassRateLimited, run.ClassSuccess, first.Session, 1}
			if diff := cmp.Diff(want, got); diff != "" || first.Session == "" {
				t.Errorf("classes, session %q and count of sessions (-want +got):\n%s", first.Session, diff)
			}
			var answers []standin.Answer
			for _, r := range p.srv.Requests(name) {
				answers = append(answers, r.Answer)
			}
			if !slices.Equal(answers, []standin.Answer{standin.UsageLimit, standin.Tool, standin.Tool}) {
				t.Fatalf("answers %v: want the limit, then a tool and a text", answers)
			}
			preset, _ := agent.Lookup(name)
			if body := p.srv.Requests(name)[1].Body; !bytes.Contains(body, []byte(task)) || !bytes.Contains(body, []byte(preset.Continue)) {
				t.Errorf("the second request lacks the task or the continue prompt")
			}
		})
	}
}
