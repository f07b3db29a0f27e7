package program

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// presets are the agents that the tests know.
func presets() []Preset {
	return []Preset{
		{Name: "claude", Install: "npm install -g claude-cli"},
		{Name: "codex", Install: "npm install -g codex-cli"},
		{Name: "gemini", Family: "google", Command: "gem"},
		{Name: "generic", Family: "generic", NoCommand: true},
	}
}

// installed finds the given commands and nothing else.
func installed(commands ...string) func(string) (string, error) {
	return func(c string) (string, error) {
		for _, have := range commands {
			if c == have {
				return "/bin/" + c, nil
			}
		}
		return "", errors.New("not found")
	}
}

// tree writes files below a new directory and gives its path.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const everything = `name = "night"
order = ["claude:opus", "work", "codex"]
deadline = "8h"
iterations = 3
until = ["test", "-f", "DONE"]
parallel = 2
patience = "off"
on_death = "end"
max_park = "5h"
max_swaps = 2
handoff = false
[breaker]
rate_limit_circuit_breaker = false
rate_limit_default_cooldown_s = 60
[retry]
max_retries = 6
[limits]
stall_timeout = "1m"
kill_grace = "0s"
max_output_bytes = 2_000
max_cost_usd = 20
max_tokens = 50_000_000
[agents.claude]
args = ["--permission-mode", "acceptEdits"]
[agents.work]
preset = "claude"
family = "claude-work"
command = ["bin/claude", "--profile=work"]
[[task]]
name = "tests"
prompt_file = "prompts/tests.md"
dir = "prompts"
wait = "never"
pinned = true
deadline = "90s"
max_cost_usd = 2.5
max_tokens = 1_000_000
order = ["gemini"]
[[task]]
prompt_file = "prompts/tests.md"
[[task]]
prompt = "mend"
`

func TestLoad(t *testing.T) {
	dir := tree(t, map[string]string{"plan.toml": everything, "prompts/tests.md": "write tests\n"})
	got, err := Load(filepath.Join(dir, "plan.toml"), Options{Presets: presets(), LookPath: installed("claude", "gem")})
	if err != nil {
		t.Fatal(err)
	}
	want := Launch{Missing: []string{"codex", "work"}, Program: run.Program{
		Name:     "night",
		Order:    []run.Target{{Agent: "claude", Model: "opus"}, {Agent: "work"}, {Agent: "codex"}},
		Deadline: run.Duration(8 * time.Hour), Iterations: 3, Until: []string{"test", "-f", "DONE"},
		Parallel: 2, Patience: run.Off, OnDeath: "end", MaxPark: run.Duration(5 * time.Hour), MaxSwaps: 2,
		Breaker: run.Breaker{Cooldown: run.Duration(time.Minute)},
		Retry:   run.Ladder{MaxRetries: 6, Base: run.Defaults().Retry.Base, Cap: run.Defaults().Retry.Cap},
		Limits: run.Limits{
			StallTimeout: run.Duration(time.Minute), MaxOutputBytes: 2000,
			Budget: run.Budget{MaxCostUSD: 20, MaxTokens: 50_000_000},
		},
		Agents: map[string]run.Agent{
			"claude": {Preset: "claude", Family: "claude", Args: []string{"--permission-mode", "acceptEdits"}},
			"work": {
				Preset: "claude", Family: "claude-work",
				Command: []string{filepath.Join(dir, "bin/claude"), "--profile=work"},
			},
			"codex":  {Preset: "codex", Family: "codex"},
			"gemini": {Preset: "gemini", Family: "google"},
		},
		Tasks: []run.Task{
			{
				Name: "tests", Prompt: "write tests\n", Dir: filepath.Join(dir, "prompts"),
				Order: []run.Target{{Agent: "gemini"}}, Deadline: run.Duration(90 * time.Second),
				Wait: run.WaitNever, Pinned: true, Budget: run.Budget{MaxCostUSD: 2.5, MaxTokens: 1_000_000},
			},
			{Name: "tests-2", Prompt: "write tests\n", Dir: dir, Wait: run.WaitPark},
			{Name: "task-3", Prompt: "mend", Dir: dir, Wait: run.WaitPark},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLoadTakesDefaults(t *testing.T) {
	dir := tree(t, map[string]string{"plan.toml": "order = ['codex']\n[[task]]\nprompt = 'x'"})
	got, err := Load(filepath.Join(dir, "plan.toml"), Options{Presets: presets()})
	if err != nil {
		t.Fatal(err)
	}
	want := run.Defaults()
	want.Name = "plan"
	want.Order = []run.Target{{Agent: "codex"}}
	want.Agents = map[string]run.Agent{"codex": {Preset: "codex", Family: "codex"}}
	want.Tasks = []run.Task{{Name: "task-1", Prompt: "x", Dir: dir, Wait: run.WaitPark}}
	if diff := cmp.Diff(Launch{Program: want}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLoadWithoutAFile(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.toml"), Options{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, faulty := errors.AsType[Faults](err); faulty {
		t.Error("a file that is not there has no faults")
	}
}

func TestFromFlags(t *testing.T) {
	dir := t.TempDir()
	got, err := FromFlags(
		Flags{Prompt: "mend", Deadline: "6h", Budget: run.Budget{MaxCostUSD: 2.5, MaxTokens: 9}},
		Options{Presets: presets(), LookPath: installed("codex"), Dir: dir},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := run.Defaults()
	want.Name, want.Deadline, want.Limits.Budget = "run", run.Duration(6*time.Hour), run.Budget{MaxCostUSD: 2.5, MaxTokens: 9}
	want.Order = []run.Target{{Agent: "claude"}, {Agent: "codex"}}
	want.Agents = map[string]run.Agent{
		"claude": {Preset: "claude", Family: "claude"}, "codex": {Preset: "codex", Family: "codex"},
	}
	want.Tasks = []run.Task{{Name: "task-1", Prompt: "mend", Dir: dir, Wait: run.WaitPark}}
	if diff := cmp.Diff(Launch{Program: want, Missing: []string{"claude"}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFromFlagsListsAllFaults(t *testing.T) {
	_, err := FromFlags(
		Flags{Prompt: " ", Deadline: "soon", Order: []string{"claud", "codex:"}, Budget: run.Budget{MaxCostUSD: math.Inf(1), MaxTokens: -1}},
		Options{Presets: presets(), LookPath: installed()},
	)
	faults, _ := errors.AsType[Faults](err)
	want := `--prompt is empty
--deadline is "soon", which is no duration (such as "90s", "10m" or "8h")
--max-cost-usd is not a finite number (leave it out for no bound)
--max-tokens is negative: -1 (leave it out for no bound)
unknown agent "claud" (did you mean "claude"?)
"codex:" is no target (write "claude" or "claude:opus")`
	if diff := cmp.Diff(want, faults.Error()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFromFlagsNeedsAnAgent(t *testing.T) {
	_, err := FromFlags(Flags{Prompt: "mend"}, Options{Presets: presets(), LookPath: installed("gem")})
	want := "none of claude, codex is installed (install claude with npm install -g claude-cli, " +
		"or install codex with npm install -g codex-cli, or put an agent into the order that is installed: gemini)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestBudgetsOfFlags(t *testing.T) {
	for usd, want := range map[float64]string{
		0: "", 0.001: "", 1e9: "",
		0.0009: "--max-cost-usd is 0.0009, but must be at least 0.001 (leave it out for no bound)",
		1e300:  "--max-cost-usd is 1e+300, but must be at most 1000000000 (leave it out for no bound)",
		-2:     "--max-cost-usd is negative: -2 (leave it out for no bound)",
	} {
		_, err := FromFlags(
			Flags{Prompt: "mend", Budget: run.Budget{MaxCostUSD: usd}},
			Options{Presets: presets(), LookPath: installed("claude", "codex"), Dir: t.TempDir()},
		)
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%v: %s", usd, got)
		}
	}
}

// A command of one's own has a family of its own, and rules that say what its failure
// means.
func TestCommandWithRules(t *testing.T) {
	const text = `order = ["build", "lint"]
[agents.build]
preset = "generic"
command = ["make", "all"]
[[agents.build.rule]]
match = "Quota spent"
class = "rate_limited"
kind = "usage"
reset = true
[[agents.build.rule]]
regexp = '^fatal: \w+ busy$'
class = "overloaded"
[agents.lint]
preset = "generic"
family = "house"
command = ["lint"]
rule = [{match = "who are you", class = "auth"}]
[[task]]
prompt = "x"
`
	got, err := Parse("p.toml", []byte(text), Options{Presets: presets(), LookPath: installed("make", "lint")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]run.Agent{
		"build": {Preset: "generic", Family: "build", Command: []string{"make", "all"}, Rules: []run.Rule{
			{Match: "Quota spent", Class: run.ClassRateLimited, Kind: run.KindUsage, Reset: true},
			{Regexp: `^fatal: \w+ busy$`, Class: run.ClassOverloaded},
		}},
		"lint": {Preset: "generic", Family: "house", Command: []string{"lint"}, Rules: []run.Rule{{Match: "who are you", Class: run.ClassAuth}}},
	}
	if diff := cmp.Diff(want, got.Program.Agents); diff != "" || got.Missing != nil {
		t.Errorf("missing %q, agents (-want +got)\n%s", got.Missing, diff)
	}
}
