package agent

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommands(t *testing.T) {
	for name, tc := range map[string]struct {
		preset string
		start  Start
		argv   string
		stdin  string
	}{
		"claude": {"claude", Start{Prompt: "do it"}, "claude -p --output-format stream-json --verbose", "do it"},
		"claude, all of it": {
			"claude",
			Start{Prompt: "do it", Session: "s-1", Model: "opus", Args: []string{"--permission-mode", "acceptEdits"}, Probe: true},
			"claude -p --output-format stream-json --verbose --include-partial-messages --model opus --resume s-1 --permission-mode acceptEdits", continuePrompt,
		},
		"codex": {"codex", Start{Prompt: "do it", Probe: true}, "codex exec --json --skip-git-repo-check -", "do it"},
		"codex, all of it": {
			"codex",
			Start{Prompt: "do it", Session: "t1", Model: "gpt-5.2", Args: []string{"-s", "workspace-write"}},
			"codex exec --json --skip-git-repo-check --model gpt-5.2 -s workspace-write resume t1 -", continuePrompt,
		},
		"codex, options given twice": {
			"codex",
			Start{Prompt: "do it", Model: "gpt-5.2", Args: []string{"--json", "--model=gpt-6", "--skip-git-repo-check"}},
			"codex exec --json --model=gpt-6 --skip-git-repo-check -", "do it",
		},
		"codex, model given twice": {
			"codex",
			Start{Prompt: "do it", Model: "gpt-5.2", Args: []string{"-m", "gpt-6"}},
			"codex exec --json --skip-git-repo-check -m gpt-6 -", "do it",
		},
		"claude, with a budget":               {"claude", Start{Prompt: "do it", MaxCostUSD: 0.3 - 0.25}, "claude -p --output-format stream-json --verbose --max-budget-usd 0.05", "do it"},
		"claude, with little left":            {"claude", Start{Prompt: "do it", MaxCostUSD: 1e-8}, "claude -p --output-format stream-json --verbose --max-budget-usd 0.0001", "do it"},
		"claude, with its own budget":         {"claude", Start{Prompt: "do it", MaxCostUSD: 9, Args: []string{"--max-budget-usd=2"}}, "claude -p --output-format stream-json --verbose --max-budget-usd=2", "do it"},
		"codex, which keeps to none":          {"codex", Start{Prompt: "do it", MaxCostUSD: 9}, "codex exec --json --skip-git-repo-check -", "do it"},
		"claude, told of the work of others":  {"claude", Start{Prompt: "do it", Handoff: "done: x"}, "claude -p --output-format stream-json --verbose", "do it\n\ndone: x"},
		"codex, resumed and told of the work": {"codex", Start{Prompt: "do it", Session: "t1", Handoff: "done: x"}, "codex exec --json --skip-git-repo-check resume t1 -", continuePrompt + "\n\ndone: x"},
		"opencode":                            {"opencode", Start{Prompt: "do it", Probe: true, MaxCostUSD: 9}, "opencode run --format json", "do it"},
		"opencode, all of it": {
			"opencode",
			Start{Prompt: "do it", Session: "ses_1", Model: "anthropic/claude-sonnet-5", Args: []string{"--auto"}},
			"opencode run --format json --model anthropic/claude-sonnet-5 --session ses_1 --auto", continuePrompt,
		},
		"opencode, model given twice": {"opencode", Start{Prompt: "do it", Model: "a/b", Args: []string{"-m", "c/d"}}, "opencode run --format json -m c/d", "do it"},
		"copilot":                     {"copilot", Start{Prompt: "do it"}, "copilot --output-format json --no-color", "do it"},
		"copilot, all of it": {
			"copilot",
			Start{Prompt: "do it", Session: "0cb9", Model: "gpt-6", Args: []string{"--allow-all-tools"}},
			"copilot --output-format json --no-color --model gpt-6 --resume=0cb9 --allow-all-tools", continuePrompt,
		},
		"grok": {"grok", Start{Prompt: "do it"}, "grok --prompt-file /dev/stdin --output-format streaming-json", "do it"},
		"grok, all of it": {
			"grok",
			Start{Prompt: "do it", Session: "s-1", Model: "grok-build", Args: []string{"--always-approve"}},
			"grok --prompt-file /dev/stdin --output-format streaming-json --model grok-build --resume s-1 --always-approve", continuePrompt,
		},
		"aider":   {"aider", Start{Prompt: "do it", Model: "sonnet", Args: []string{"--yes-always"}}, "aider --message-file /dev/stdin --no-pretty --model sonnet --yes-always", "do it"},
		"generic": {"generic", Start{Prompt: "do it", Model: "m", Handoff: "done: x", Args: []string{"--fast"}}, " --fast", "do it\n\ndone: x"},
		"gemini":  {"gemini", Start{Prompt: "do it", Probe: true, MaxCostUSD: 9}, "gemini --output-format stream-json", "do it"},
		"gemini, all of it": {
			"gemini",
			Start{Prompt: "do it", Session: "3b60-1", Model: "gemini-3-pro", Args: []string{"--approval-mode", "auto_edit"}},
			"gemini --output-format stream-json --model gemini-3-pro --resume 3b60-1 --approval-mode auto_edit", continuePrompt,
		},
		"gemini, model given twice": {"gemini", Start{Prompt: "do it", Model: "a", Args: []string{"-m", "b"}}, "gemini --output-format stream-json -m b", "do it"},
		"qwen, which shows no sign early": {
			"qwen",
			Start{Prompt: "do it", Session: "s-1", Model: "qwen3-coder-plus", Args: []string{"--yolo"}, Probe: true},
			"qwen --output-format stream-json --model qwen3-coder-plus --resume s-1 --yolo", continuePrompt,
		},
		"cursor": {
			"cursor",
			Start{Prompt: "do it", Session: "c-1", Model: "auto", Args: []string{"--force"}, Handoff: "done: x"},
			"cursor-agent --print --output-format stream-json --model auto --resume c-1 --force", continuePrompt + "\n\ndone: x",
		},
		"amp": {"amp", Start{Prompt: "do it"}, "amp --execute --stream-json", "do it"},
		"amp, all of it": {
			"amp",
			Start{Prompt: "do it", Session: "T-1", Model: "high", Args: []string{"--no-ide"}},
			"amp threads continue T-1 --execute --stream-json --mode high --no-ide", continuePrompt,
		},
		"a session that is an option": {"claude", Start{Prompt: "do it", Session: "--help"}, "claude -p --output-format stream-json --verbose", "do it"},
		"a session with a path":       {"codex", Start{Prompt: "do it", Session: "../x"}, "codex exec --json --skip-git-repo-check -", "do it"},
	} {
		t.Run(name, func(t *testing.T) {
			p, ok := Lookup(tc.preset)
			if !ok {
				t.Fatal("no such preset")
			}
			tc.start.Dir = "/tmp/w"
			want := Command{Argv: strings.Split(tc.argv, " "), Stdin: []byte(tc.stdin), Dir: "/tmp/w"}
			if diff := cmp.Diff(want, p.Command(tc.start)); diff != "" {
				t.Errorf("command (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryPresetCanBeStartedAndRead(t *testing.T) {
	names := Presets()
	if !slices.Equal(names, []string{"claude", "codex", "gemini", "qwen", "cursor", "amp", "opencode", "copilot", "grok", "aider", "generic"}) {
		t.Errorf("presets = %v", names)
	}
	for _, name := range names {
		p, ok := Lookup(name)
		if !ok || p.Name != name || p.Family == "" || p.Continue == "" {
			t.Errorf("preset %q = %+v, %v", name, p, ok)
		}
		if _, err := NewReader(p.Dialect, Reference{}); err != nil {
			t.Error(err)
		}
		const task = "a task that must not show"
		for _, arg := range p.Command(Start{Prompt: task, Probe: true}).Argv {
			if strings.Contains(arg, task) {
				t.Errorf("%s shows the prompt among its arguments", name)
			}
		}
	}
	if _, ok := Lookup("cobol"); ok {
		t.Error("an unknown preset is found")
	}
}

// The work of others fits beside the prompt and leaves half of the context.
func TestRoom(t *testing.T) {
	for name, tc := range map[string]struct {
		preset, model string
		prompt        int
		tokens, room  int
	}{
		"claude":            {"claude", "", 0, 200_000, 300_000},
		"a model of claude": {"claude", "claude-sonnet-5", 1000, 200_000, 299_000},
		"a million":         {"claude", "opus[1m]", 0, 1_000_000, 1_500_000},
		"codex":             {"codex", "gpt-5.6-sol", 0, 272_000, 408_000},
		"a small codex":     {"codex", "gpt-5.3-codex-spark", 0, 128_000, 192_000},
		"opencode":          {"opencode", "", 0, 128_000, 192_000},
		"opencode's claude": {"opencode", "anthropic/claude-sonnet-5", 0, 200_000, 300_000},
		"copilot":           {"copilot", "", 0, 128_000, 192_000},
		"grok":              {"grok", "", 0, 256_000, 384_000},
		"gemini":            {"gemini", "gemini-3-pro", 0, 1_048_576, 1_572_864},
		"qwen":              {"qwen", "", 0, 131_072, 196_608},
		"qwen's coder":      {"qwen", "qwen3-coder-plus", 0, 1_000_000, 1_500_000},
		"qwen's small":      {"qwen", "qwen3-coder-30b", 0, 262_144, 393_216},
		"cursor":            {"cursor", "", 0, 200_000, 300_000},
		"amp":               {"amp", "", 0, 168_000, 252_000},
		"a long prompt":     {"claude", "", 1 << 20, 200_000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := Lookup(tc.preset)
			if tokens, room := p.Context(tc.model), p.Room(tc.model, tc.prompt); tokens != tc.tokens || room != tc.room {
				t.Errorf("%d tokens, room for %d bytes; want %d and %d", tokens, room, tc.tokens, tc.room)
			}
		})
	}
}

func TestInstalled(t *testing.T) {
	p, _ := Lookup("claude")
	p.Executable = "/opt/claude"
	if !p.Installed(func(name string) (string, error) { return name, nil }) {
		t.Error("a command that is found is not installed")
	}
	missing := func(name string) (string, error) { return "", errors.New("no " + name) }
	if p.Installed(missing) {
		t.Error("a command that is not found is installed")
	}
}
