package cli

import (
	"fmt"
	"io"
	"time"

	"example.com/layover/engine/run"
)

// Epilogue says in two lines how a run was left and where its files are, for a
// terminal that its screen has given back.
func Epilogue(w io.Writer, s *run.State, dir string, zone *time.Location) {
	c := s.Counts
	what := "left"
	if s.Phase == run.PhaseEnded {
		what, _ = Words{zone}.fact(s, run.Fact{At: s.EndedAt, Body: run.RunEnded{
			Exit: s.Exit, Why: s.ExitWhy, ResetsAt: s.ResetsAt, Usage: s.Usage,
		}})
	} else if s.Notice != "" {
		what = s.Notice
	}
	fmt.Fprintf(w, "layover: %s %s (%d done, %d failed, %d stopped, %d open, %d queued)\n",
		label(s.Program.Name), what, c.Done, c.Failed, c.Stopped, len(s.Open), len(s.Queue))
	fmt.Fprintf(w, "files: %s\n", dir)
}
