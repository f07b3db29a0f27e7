//go:build e2e

package standin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/standin"
)

// story is what a real agent lives through under Layover, and what the run is to say of it.
type story struct {
	name   string
	agent  string
	stages []standin.Stage
	// retries leaves the agent's own retries on, which may take it minutes.
	retries bool
	// key gives claude a key instead of a subscriber's token, with which it does not try
	// again after a 429.
	key bool
	// once lets Layover neither wait nor try again.
	once bool
	// limits are lines of the program's table of that name.
	limits string
	// deadline bounds the program by less than usual; only its first attempt is asked about
	// then.
	deadline string
	// ends are what the attempts end as, in their order: the verdict's class, kind, scope
	// and how the reset is known.
	ends []string
	// rule is a part of the rule that judged the first attempt.
	rule string
	exit int
	// resumes is set if each attempt but the first goes on in the session of the first.
	resumes bool
	// notes is what the commands of the stages leave in the notes.
	notes string
	// slack is how much later than the first stage ends, which is a limit then, the reset may
	// be that Layover reads; zero asks for no reset.
	slack time.Duration
}

// tell runs the story and checks what the facts, run.json, the server and the machine say
// of it.
func (s story) tell(t *testing.T) {
	p := settleWith(t, standin.Scenario{s.agent: s.stages}, s.retries)
	if s.key {
		p.env = append(slices.DeleteFunc(p.env, func(v string) bool { return strings.HasPrefix(v, "CLAUDE_CODE_OAUTH_TOKEN=") }), "ANTHROPIC_API_KEY=none")
	}
	n := night{order: []string{s.agent}, limits: s.limits, deadline: s.deadline}
	if s.once {
		n.top, n.task, n.flags = "[retry]\nmax_retries = 0", `wait = "never"`, []string{"--no-wait"}
	}
	begin := time.Now()
	facts, exit := p.night(t, n)
	took := time.Since(begin)
	got := p.account(t, facts, s.agent)
	row{agent: s.agent, story: s.name, told: got.told(exit), asked: got.asked, took: took}.note(t)

	p.exported(t, got)
	if s.deadline != "" {
		got.ends, got.resumed, s.exit = got.ends[:min(1, len(got.ends))], nil, exit
	}
	if diff := cmp.Diff(s.ends, got.ends); diff != "" || exit != s.exit {
		t.Errorf("exit %d, want %d; the attempts end as (-want +got):\n%s", exit, s.exit, diff)
	}
	if len(got.rules) == 0 || !strings.Contains(got.rules[0], s.rule) {
		t.Errorf("judged by %q, want %q first", got.rules, s.rule)
	}
	if s.resumes && !got.resumes() || !s.resumes && strings.Join(got.resumed, "") != "" {
		t.Errorf("resumed %q, sessions %q; want the first one's to go on: %v", got.resumed, got.sessions, s.resumes)
	}
	if s.resumes {
		all := p.srv.Requests(s.agent)
		preset, _ := agent.Lookup(s.agent)
		if last := all[len(all)-1]; !holds(t, last, task) || !holds(t, last, preset.Continue) {
			t.Error("the last request lacks the task or the continue prompt")
		}
	}
	if s.notes != "" && p.lines(t) != s.notes {
		t.Errorf("the notes are %q, want %q", p.lines(t), s.notes)
	}
	if s.slack > 0 {
		end := p.srv.Requests(s.agent)[0].At.Add(s.stages[0].For)
		if late := got.reset.Sub(end); late < -time.Minute || late > s.slack {
			t.Errorf("the limit ends at %v, read as %v: %v later", end, got.reset, late)
		}
	}
}

// account is what the facts of a run say of its attempts, in their order.
type account struct {
	ends, rules []string
	// sessions are what the agent called its own, and resumed what it was started with.
	sessions, resumed []string
	exits             []float64
	// asked counts the requests of each attempt.
	asked []int
	reset time.Time // the first that a verdict states
	// bound are the families that were tripped.
	bound []string
}

// account reads the facts, and checks that a model was seen where the server let one
// answer, and only there.
func (p place) account(t *testing.T, facts []fact, agents ...string) account {
	t.Helper()
	var a account
	var served bool
	var began time.Time
	for _, f := range facts {
		at, _ := time.Parse(time.RFC3339Nano, f.text("ts")) // checked by night
		switch f["type"] {
		case "attempt_started":
			began, served = at, false
			a.resumed = append(a.resumed, f.text("resume_id"))
		case "family_tripped":
			a.bound = append(a.bound, f.text("family"))
		case "attempt_served":
			served = true
		case "attempt_ended":
			v := fact(f.object("verdict"))
			a.ends = append(a.ends, strings.Join(strings.Fields(strings.Join([]string{v.text("class"), v.text("kind"), v.text("scope"), v.text("how")}, " ")), " "))
			a.sessions = append(a.sessions, v.text("session"))
			a.exits = append(a.exits, f.object("exit")["code"].(float64))
			evidence, _ := v["evidence"].([]any)
			for _, e := range evidence[:min(1, len(evidence))] {
				a.rules = append(a.rules, fact(e.(map[string]any)).text("rule"))
			}
			if reset, err := time.Parse(time.RFC3339Nano, v.text("reset")); err == nil && a.reset.IsZero() {
				a.reset = reset
			}
			asked, answered := 0, false
			for _, name := range agents {
				for _, r := range p.srv.Requests(name) {
					if r.At.After(began) && r.At.Before(at) {
						asked++
						answered = answered || !r.Answer.Refused()
					}
				}
			}
			a.asked = append(a.asked, asked)
			if asked == 0 && v.text("class") != "deadline" || served && !answered || !served && v.text("class") == "success" {
				t.Errorf("attempt %d: %d requests, a model answered: %v, was seen to: %v", len(a.asked), asked, answered, served)
			}
		}
	}
	return a
}

// resumes reports whether every attempt goes on in the session of the first.
func (a account) resumes() bool {
	if len(a.sessions) < 2 || a.resumed[0] != "" {
		return false
	}
	first := a.resumed[1]
	for i := range a.sessions {
		if i > 0 && a.resumed[i] != first || a.sessions[i] != "" && a.sessions[i] != first {
			return false
		}
	}
	return first != ""
}

// told says in a line what Layover made of the attempts.
func (a account) told(exit int) string {
	told := strings.Join(a.ends, ", then ")
	if a.resumes() {
		told += " in the same session"
	}
	return fmt.Sprintf("%s; exit %d", told, exit)
}

// exported checks that run.json says the same as the facts.
func (p place) exported(t *testing.T, a account) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.home, "state", "layover", "runs", "*", "run.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d exports, %v", len(files), err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Agents []struct {
			Status  string  `json:"status"`
			Exit    float64 `json:"exit_code"`
			Session string  `json:"session_id"`
		} `json:"agents"`
		Limited []struct {
			Family string `json:"family"`
		} `json:"rate_limited_families"`
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if len(got.Agents) != len(a.ends) {
		t.Fatalf("%d agents are exported, want %d", len(got.Agents), len(a.ends))
	}
	for i, g := range got.Agents {
		done := a.ends[i] == "success"
		if g.Exit != a.exits[i] || (g.Status == "done") != done || a.sessions[i] != "" && g.Session != a.sessions[i] {
			t.Errorf("agent %d is exported as %+v; it ended as %s with %v in %q", i+1, g, a.ends[i], a.exits[i], a.sessions[i])
		}
	}
	var limited []string
	for _, l := range got.Limited {
		limited = append(limited, l.Family)
	}
	if diff := cmp.Diff(a.bound, limited); diff != "" {
		t.Errorf("limited families (-facts +run.json):\n%s", diff)
	}
}
