package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
)

// WatchRequest asks to look at a run of another process.
type WatchRequest struct {
	// Dir is the directory of the run.
	Dir string
	// Headless asks for lines instead of the screen, JSON for one object a line.
	Headless, JSON bool
}

func watchCommand(p Ports) *cobra.Command {
	var r WatchRequest
	c := &cobra.Command{
		Use:   "watch [RUN]",
		Short: "Look at a run of another process, and steer it",
		Long: `watch shows the screen of a run that another process holds, as it was from its start
and as it goes on. Its keys ask that process. To quit is to look away: nothing stops.
RUN is an id, a part of one that fits no other, or "latest", which it is if left out.`,
		Example: `  layover watch
  layover watch 7f44a784 --headless`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := findRun(p.Getenv, named(args))
			if _, none := errors.AsType[*UsageError](err); none {
				return &exitError{ExitNothing, err}
			}
			if err != nil {
				return err
			}
			r.Dir = dir
			r.Headless = r.Headless || r.JSON || !p.IsTerminal()
			code, err := p.Watch(c.Context(), r)
			if err != nil && code == ExitDone {
				code = ExitFailed
			}
			if code == ExitDone {
				return nil
			}
			return &exitError{code, err}
		},
	}
	f := c.Flags()
	f.BoolVar(&r.Headless, "headless", false, "print plain lines instead of the screen")
	f.BoolVar(&r.JSON, "json", false, "print one JSON object per fact; implies --headless")
	return c
}

// GoneError says that nobody holds a run that has not ended.
type GoneError struct{ Dir string }

func (e *GoneError) Error() string {
	return fmt.Sprintf("nobody runs %s any more, and it has not ended", filepath.Base(e.Dir))
}

// Unowned tells it from a fault of the run or of this process.
func (e *GoneError) Unowned() {}

// Hint says what to look at.
func (e *GoneError) Hint() string {
	return "layover resume " + filepath.Base(e.Dir) + " takes it up; its agents may still be at work"
}
