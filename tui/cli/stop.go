package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

func stopCommand(p Ports) *cobra.Command {
	var now bool
	c := &cobra.Command{
		Use:   "stop RUN",
		Short: "Ask a run of this machine to stop",
		Long: `stop asks the process that holds a run to stop: what runs finishes, a wait ends at
its next chunk. With --now everything ends at once. RUN is an id, a part of one that
fits no other, or "latest". The answer shows on the run's own screen.`,
		Example: `  layover stop latest
  layover stop 20261130_221502_7f44a784 --now`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return &UsageError{"stop needs the id of one run", `layover stop latest, or the id that "layover run" prints first`}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := findRun(p.Getenv, args[0])
			if err != nil {
				return err
			}
			if s, _, err := journal.Replay(dir); err == nil && s.Phase == run.PhaseEnded {
				return &exitError{ExitFailed, fmt.Errorf("%s has ended already: %s", filepath.Base(dir), s.ExitWhy)}
			}
			wish := journal.Control{Verb: run.VerbSoftStop, From: "stop"}
			if now {
				wish.Verb = run.VerbHardStop
			}
			if err := journal.Send(dir, wish); err != nil {
				return &exitError{ExitFailed, err}
			}
			_, _ = fmt.Fprintf(p.Stdout, "asked %s to stop\n", filepath.Base(dir))
			return nil
		},
	}
	c.Flags().BoolVar(&now, "now", false, "end everything at once")
	return c
}
