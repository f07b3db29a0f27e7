//go:build e2e

package standin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/agent/standin"
	"example.com/layover/engine/run"
)

// What gemini and opencode wait for by themselves, for minutes or for ever, is left out
// here: gemini on a bare 429 or an overload, opencode on every refusal that it takes for
// a passing one (see [TestLayoverEndsAgentsThatHang]).
func TestOtherAgentsMeetAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent  string
		answer standin.Answer
		class  run.Class
		served bool
	}{
		{"gemini", standin.OK, run.ClassSuccess, true},
		{"gemini", standin.Tool, run.ClassSuccess, true},
		{"gemini", standin.UsageLimit, run.ClassRateLimited, false},
		{"gemini", standin.Unauthorized, run.ClassAuth, false},
		{"gemini", standin.TooLong, run.ClassContextOverflow, false},
		{"gemini", standin.NoCredit, run.ClassBilling, false},
		{"opencode", standin.OK, run.ClassSuccess, true},
		{"opencode", standin.Tool, run.ClassSuccess, true},
		{"opencode", standin.Unauthorized, run.ClassAuth, false},
		{"opencode", standin.TooLong, run.ClassContextOverflow, false},
		{"opencode", standin.NoCredit, run.ClassBilling, false},
	} {
		t.Run(c.agent+" "+c.answer.String(), func(t *testing.T) {
			p := settle(t, standin.Scenario{c.agent: {{Answer: c.answer}}})
			if a := p.attempt(t, c.agent, ""); a.verdict.Class != c.class || len(a.served) > 0 != c.served {
				t.Errorf("class %v, served %q; want %v, served %v: %+v", a.verdict.Class, a.served, c.class, c.served, a.verdict.Evidence)
			}
		})
	}
}

// A session goes on where it was, with the task and the continue prompt.
func TestOtherAgentsResume(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"gemini", "opencode"} {
		t.Run(name, func(t *testing.T) {
			p := settle(t, standin.Scenario{name: {{Answer: standin.Tool}}})
			first := p.attempt(t, name, "").verdict
			second := p.attempt(t, name, first.Session).verdict
			if first.Class != run.ClassSuccess || second.Class != run.ClassSuccess || first.Session == "" || second.Session != first.Session {
				t.Errorf("%v in %q, then %v in %q", first.Class, first.Session, second.Class, second.Session)
			}
			all := p.srv.Requests(name)
			if body := string(all[len(all)-1].Body); !strings.Contains(body, task) {
				t.Error("the last request lacks the task")
			}
		})
	}
}

// opencode says nothing for ever on a 429, and tries for ever where the stream is cut:
// both are ended within the limits, and nothing of them is left.
func TestLayoverEndsAgentsThatHang(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer standin.Answer
		rule   string
		stall  string // the second one needs time for fifty steps, and to start
	}{
		"silent":   {standin.Throttle, "stall", "15s"},
		"runs off": {standin.Short, "runaway", "90s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := settle(t, standin.Scenario{"opencode": {{Answer: tt.answer}}})
			lookPath(t, "opencode")
			plan := filepath.Join(p.home, "plan.toml")
			write(t, plan, `
order = ["opencode"]
deadline = "2m"
[retry]
max_retries = 0
[limits]
stall_timeout = "`+tt.stall+`"
kill_grace = "3s"
[[task]]
prompt = "`+task+`"
dir = "`+p.work+`"
wait = "never"
`)
			begin := time.Now()
			out := p.run(t, nil, layover(t), "run", plan, "--headless", "--json", "--no-wait")
			text := string(out.stdout)
			if !strings.Contains(text, `"class":"stalled"`) || !strings.Contains(text, `"rule":"end.`+tt.rule+`"`) {
				t.Errorf("exit %d after %s: not stalled by the rule of a %s", out.exit, time.Since(begin).Round(time.Second), tt.rule)
			}
			if left := inDirectory(t, p.work); len(left) > 0 {
				t.Errorf("left at work: %q", left)
			}
		})
	}
}

// inDirectory lists the processes that work in a directory, by their commands.
func inDirectory(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, link := range all {
		if at, err := os.Readlink(link); err == nil && at == dir {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline")) // it may have ended
			found = append(found, string(command))
		}
	}
	return found
}
