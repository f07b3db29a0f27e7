package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"example.com/layover/engine/journal"
)

func resumeCommand(p Ports) *cobra.Command {
	var r Request
	c := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with a run that was left, stopped, limited or killed",
		Long: `resume takes up a run that nobody holds. Agents that are still at work are followed
again, those that have ended since are judged from their files, a wait ends at the
instant that was planned, and what a stop has ended is taken up again. A run with
nothing left to do tells how it ended, and gives that exit code.
RUN is an id, a part of one that fits no other, or "latest", which it is if left out.`,
		Example: `  layover resume
  layover resume 7f44a784 --headless`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := findRun(p.Getenv, named(args))
			if err != nil {
				return err
			}
			r.Resume = dir
			r.Demo = filepath.Base(filepath.Dir(filepath.Dir(dir))) == journal.DemoDir
			return carryOut(c.Context(), p, r)
		},
	}
	shown(c, &r)
	return c
}
