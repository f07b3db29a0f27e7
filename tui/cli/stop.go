package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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

// findRun finds the directory of a run by what somebody calls it.
func findRun(getenv func(string) string, name string) (string, error) {
	root, err := journal.Root(getenv)
	if err != nil {
		return "", err
	}
	var found []string
	for _, root := range []string{root, filepath.Join(root, journal.DemoDir)} {
		ids, err := journal.List(root)
		if err != nil {
			return "", err
		}
		for _, id := range ids {
			if dir, err := journal.Dir(root, id); err == nil && (name == "latest" || strings.Contains(id, name)) {
				found = append(found, dir)
			}
		}
	}
	byID := func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) }
	slices.SortFunc(found, byID)
	switch {
	case len(found) == 0 && name == "latest":
		return "", &UsageError{"there are no runs yet", "runs are in " + filepath.Join(root, journal.RunsDir)}
	case len(found) == 0:
		return "", &UsageError{fmt.Sprintf("there is no run %q", name), "runs are in " + filepath.Join(root, journal.RunsDir)}
	case name == "latest", len(found) == 1:
		return found[len(found)-1], nil
	}
	return "", &UsageError{fmt.Sprintf("%q fits %d runs", name, len(found)), "the newest of them is " + filepath.Base(found[len(found)-1])}
}
