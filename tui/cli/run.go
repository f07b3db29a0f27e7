package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/program"
)

// maxPrompt bounds a prompt that is read from the standard input, in bytes; a
// longer one is refused by package program, which must see that it is longer.
const maxPrompt = 1<<20 + 1

func runCommand(p Ports) *cobra.Command {
	var r Request
	var flags program.Flags
	c := &cobra.Command{
		Use:   "run [PROGRAM.toml]",
		Short: "Run a program file, or one prompt, through rate limits",
		Long: `run works through the tasks of a program file, or through one prompt. When a
provider limits an agent, its task waits until the limit ends or goes on with
another agent of the order.

With --no-wait nothing waits for a provider: a start that an open limit prevents
is printed as one JSON object (spawn_refused), and the run ends with exit code 75
once nothing else can go on. That is meant for programs that coordinate runs.

Exit codes: 0 done, 1 failed, 2 fault in the command line or the program, 3 stopped
by the operator, 75 still limited, 130 stopped at once, 143 terminated.`,
		Example: `  layover run plan.toml
  layover run -p "mend the tests" --order claude:opus,codex --deadline 6h
  layover run -p - < prompt.md
  layover run plan.toml --json > facts.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			l, err := launch(c, args, flags, p)
			if err != nil {
				return err
			}
			r.Program, r.Missing, r.Speed = l.Program, l.Missing, 1
			return carryOut(c.Context(), p, r)
		},
	}
	f := c.Flags()
	f.StringVarP(&flags.Prompt, "prompt", "p", "", "what to do, instead of a program file; - reads it from the standard input")
	f.StringSliceVar(&flags.Order, "order", nil, "targets to run a prompt on, best first, such as claude:opus,codex (default claude,codex)")
	f.StringVar(&flags.Deadline, "deadline", "", "how long a prompt may take in all, such as 90s, 10m or 8h")
	f.Float64Var(&flags.Budget.MaxCostUSD, "max-cost-usd", 0, "how many dollars a prompt may cost, as far as agents state it (default no bound)")
	f.Int64Var(&flags.Budget.MaxTokens, "max-tokens", 0, "how many tokens a prompt may use, cached ones included (default no bound)")
	f.BoolVar(&r.NoWait, "no-wait", false, "do not wait for a provider: end with exit code 75 instead")
	shown(c, &r)
	return c
}

// ofPrompts are the flags that a program file has keys for.
var ofPrompts = []string{"order", "deadline", "max-cost-usd", "max-tokens"}

// launch reads the program that a command line names.
func launch(c *cobra.Command, args []string, flags program.Flags, p Ports) (program.Launch, error) {
	opts := program.Options{Presets: Presets(), LookPath: p.LookPath}
	prompt := c.Flags().Changed("prompt")
	switch {
	case len(args) > 1:
		return program.Launch{}, &UsageError{
			fmt.Sprintf("run takes one program file, but got %d", len(args)),
			"put the tasks of all into one file",
		}
	case prompt && len(args) == 1:
		return program.Launch{}, &UsageError{
			fmt.Sprintf("both a program file, %s, and --prompt are given", args[0]),
			"leave one of them out; a prompt of several words needs quotes",
		}
	case !prompt && len(args) == 0:
		return program.Launch{}, &UsageError{
			"run needs a program file or a prompt",
			`layover run plan.toml, or layover run -p "what to do"`,
		}
	case !prompt && slices.ContainsFunc(ofPrompts, c.Flags().Changed):
		return program.Launch{}, &UsageError{
			"--order, --deadline, --max-cost-usd and --max-tokens go with --prompt",
			"set them in " + args[0],
		}
	case !prompt:
		return load(args[0], opts)
	}
	if flags.Prompt == "-" {
		text, err := io.ReadAll(io.LimitReader(p.Stdin, maxPrompt))
		if err != nil {
			return program.Launch{}, fmt.Errorf("read prompt: %w", err)
		}
		flags.Prompt = string(text)
	}
	return program.FromFlags(flags, opts)
}

// load reads a program file; one that cannot be read is a wrong argument.
func load(path string, opts program.Options) (program.Launch, error) {
	l, err := program.Load(path, opts)
	if _, faulty := errors.AsType[program.Faults](err); err == nil || faulty {
		return l, err
	}
	return l, &UsageError{err.Error(), `check the path; "layover run --help" shows how to run a program file`}
}

// Presets tells package program which agents there are.
func Presets() []program.Preset {
	var all []program.Preset
	for _, name := range agent.Presets() {
		if a, ok := agent.Lookup(name); ok {
			all = append(all, program.Preset{
				Name: a.Name, Family: a.Family, Command: a.Executable, NoCommand: a.Executable == "", Install: install(a.Name),
			})
		}
	}
	return all
}

// install tells how to get an agent; empty if that is not known.
func install(preset string) string {
	return map[string]string{
		"claude":   "npm install -g @anthropic-ai/claude-code",
		"codex":    "npm install -g @openai/codex",
		"gemini":   "npm install -g @google/gemini-cli",
		"opencode": "npm install -g opencode-ai",
		"copilot":  "npm install -g @github/copilot",
		"aider":    "pipx install aider-chat",
		"qwen":     "npm install -g @qwen-code/qwen-code",
		"amp":      "npm install -g @ampcode/cli",
		"cursor":   "curl https://cursor.com/install -fsS | bash",
	}[preset]
}
