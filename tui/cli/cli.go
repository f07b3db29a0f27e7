package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// Main runs the command that args name, without the program's own name, and gives
// the exit code. Errors have been shown when it returns. It blocks as long as the
// command does.
func Main(ctx context.Context, args []string, p Ports) int {
	root := New(p)
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		return report(p.Stderr, err)
	}
	return ExitDone
}

// New makes the root command with all others below it. Its errors are for
// [Main] to show.
func New(p Ports) *cobra.Command {
	var all WatchRequest
	root := &cobra.Command{
		Use:   "layover",
		Short: "Run coding agents through their providers' rate limits",
		Long: `Layover runs coding agents (claude, codex, …) on a list of tasks and carries them
through rate limits: it waits until a limit ends, retries what failed by chance,
and goes on with another agent where one is free. Without a command it shows every
agent run of this machine, whoever started it.`,
		Example: `  layover                                   every agent run of this machine, live
  layover demo                              see it at work, without any agent
  layover run plan.toml                     work through a program
  layover run -p "mend the tests" --order claude,codex --deadline 6h
  layover resume                            go on with a run that was left or killed
  layover explain stdout.jsonl              what the end of an agent's output means
  layover doctor                            what this machine lacks`,
		Args:          unknownCommand,
		Version:       version(p.Build()),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return lookOn(c, p, all) },
	}
	watching(root, &all)
	// No template is set, of usage, help or version: with one, the linker has to keep every
	// method of every type, and the program is a sixth longer, on disk and in memory.
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(helpCommand(root))
	root.AddCommand(demoCommand(p), runCommand(p), explainCommand(p), resumeCommand(p), watchCommand(p), statusCommand(p), stopCommand(p), doctorCommand(p), versionCommand(root))
	return root
}

// helpCommand shows the help of the command that is named.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show how to use a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, args)
			}
			c.InitDefaultHelpFlag()
			c.InitDefaultVersionFlag()
			return c.Help()
		},
	}
}

// carryOut hands a request to the port and keeps its exit code.
func carryOut(ctx context.Context, p Ports, r Request) error {
	r.Headless = r.Headless || r.JSON || !p.IsTerminal()
	code, err := p.Run(ctx, r)
	if err != nil && code == ExitDone {
		code = ExitFailed
	}
	if code == ExitDone {
		return nil
	}
	return &exitError{code, err}
}

// shown adds the flags of every command that shows a run.
func shown(c *cobra.Command, r *Request) {
	f := c.Flags()
	f.BoolVar(&r.Headless, "headless", false, "print plain lines instead of the screen")
	f.BoolVar(&r.JSON, "json", false, "print one JSON object per fact and observation; implies --headless")
	f.BoolVar(&r.Debug, "debug", false, "write a detailed log to the state directory")
}
