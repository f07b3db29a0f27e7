package program

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/run"
)

// broken tells which promise a program breaks; empty if it keeps them all.
func broken(p run.Program) string {
	names := map[string]bool{}
	for i, task := range p.Tasks {
		switch {
		case notAWord(task.Name) != "" || names[task.Name]:
			return "a task's name"
		case notAPrompt(task.Prompt) != "":
			return "a prompt"
		case !filepath.IsAbs(task.Dir):
			return "a directory"
		case task.Deadline < 0 || task.Wait < run.WaitPark || task.Wait > run.WaitNever:
			return "a task's bounds"
		case len(p.OrderOf(i)) == 0:
			return "an order"
		}
		names[task.Name] = true
		for _, target := range p.OrderOf(i) {
			a, ok := p.Agents[target.Agent]
			if !ok || a.Family == "" || a.Preset == "" || a.Preset == "generic" && len(a.Command) == 0 {
				return "an agent"
			}
			for _, r := range a.Rules {
				if _, err := regexp.Compile(r.Regexp); err != nil || r.Class == 0 || (r.Match == "") == (r.Regexp == "") {
					return "a rule"
				}
			}
		}
	}
	switch {
	case len(p.Tasks) == 0:
		return "tasks"
	case notAWord(p.Name) != "":
		return "the name"
	case p.Parallel < 1 || p.Iterations < 1 || p.MaxSwaps < 0 || p.Retry.MaxRetries < 0:
		return "a count"
	case p.Deadline < 0 || p.MaxPark < 0 || p.Patience < run.Off || p.Breaker.Cooldown < 1:
		return "a duration"
	case p.Limits.StallTimeout < 1 || p.Limits.KillGrace < 0 || p.Limits.MaxOutputBytes < 1:
		return "a limit"
	case p.Limits.MaxTokens < 0 || !(p.Limits.MaxCostUSD >= 0):
		return "a budget"
	case p.OnDeath != "finish" && p.OnDeath != "end":
		return "on_death"
	}
	return ""
}

func FuzzParse(f *testing.F) {
	many, err := os.ReadFile(filepath.Join("testdata", "many.toml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(many)
	f.Add([]byte(everything))
	f.Add([]byte(good))
	f.Add([]byte("task = [{prompt = 'a', order = ['codex:x']}, {prompt='b', dir='/'}]\norder=['claude']"))
	f.Add([]byte("[[task]]\nprompt='x'\norder=['a']\n[agents.a]\npreset='codex'"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := Options{Presets: presets(), LookPath: installed("claude"), Dir: dir}
		l, err := Parse("p.toml", data, opts)
		faults, faulty := errors.AsType[Faults](err)
		for _, x := range faults {
			if x.Line < 0 || x.Line > 1+strings.Count(string(data), "\n") || x.Message == "" {
				t.Errorf("fault %+v", x)
			}
		}
		if faulty {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if what := broken(l.Program); what != "" {
			t.Errorf("%s: %+v", what, l.Program)
		}
		b, err := json.Marshal(l.Program)
		if err != nil {
			t.Fatal(err)
		}
		var back run.Program
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l.Program, back, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("does not survive its JSON (-want +got)\n%s", diff)
		}
	})
}
