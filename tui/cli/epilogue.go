package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"example.com/layover/engine/run"
)

// Epilogue says in a few lines how a run was left, where its files are, and how to go
// on with it, for a terminal that its screen has given back. The exit status is that of
// the command, which may fail though the run did not.
func Epilogue(w io.Writer, s *run.State, exit int, dir string, zone *time.Location) {
	c := s.Counts
	what := "left"
	if s.Phase == run.PhaseEnded {
		what, _ = Words{Zone: zone}.fact(s, run.Fact{At: s.EndedAt, Body: run.RunEnded{
			Exit: exit, Why: s.ExitWhy, ResetsAt: s.ResetsAt, Usage: s.Usage,
		}})
	} else if s.Notice != "" {
		what = s.Notice
	}
	fmt.Fprintf(w, "layover: %s %s (%d done, %d failed, %d stopped, %d open, %d queued)\n",
		label(s.Program.Name), what, c.Done, c.Failed, c.Stopped, len(s.Open), len(s.Queue))
	fmt.Fprintf(w, "files: %s\n", dir)
	switch end := s.Deadline(); {
	case !s.Resumable():
	case !end.IsZero() && !s.ResetsAt.Before(end):
		fmt.Fprintf(w, "its budget of time ends first, at %s: run it anew then\n", Words{Zone: zone}.at(end, s.EndedAt))
	default:
		fmt.Fprintf(w, "to go on: layover resume %s\n", filepath.Base(dir))
	}
}
