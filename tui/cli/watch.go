package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"example.com/layover/engine/journal"
)

// WatchRequest asks to look at runs of other processes.
type WatchRequest struct {
	// Dir is the directory of the one run of Layover's that is looked at; empty looks at
	// everything below Paths.
	Dir string
	// Paths are directories and files, all absolute; none stands for all that this user's
	// agents and tools keep, and what is below Roots.
	Paths, Roots []string
	// Since is how old a file may be to be read by itself; zero reads everything.
	Since time.Duration
	// Once prints what there is and ends.
	Once bool
	// Headless asks for lines instead of the screen, JSON for JSON objects.
	Headless, JSON bool
}

// sinceDefault is how old a file is read by itself, if nobody says otherwise.
const sinceDefault = 24 * time.Hour

func watchCommand(p Ports) *cobra.Command {
	var r WatchRequest
	c := &cobra.Command{
		Use:   "watch [RUN | PATH…]",
		Short: "Look at runs of other processes and tools, and steer Layover's",
		Long: `watch shows every agent run of this machine: Layover's own, those of
team-harness and loopy-loop, and the sessions of Claude Code and Codex. PATH
narrows it to a directory of runs or sessions, or to a single JSONL file; one
that is not there yet is waited for, but with --once refused. RUN
shows one run of Layover's as its own screen does, and its keys ask that
process: it is an id, a part of one that fits no other, or "latest". To quit is
to look away: nothing stops.`,
		Example: `  layover watch
  layover watch latest
  layover watch 7f44a784 --headless
  layover watch ~/.codex/sessions --since 72h
  layover watch --once --json stdout.jsonl`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := r.resolve(p, args); err != nil {
				return err
			}
			return lookOn(c, p, r)
		},
	}
	f := c.Flags()
	f.BoolVar(&r.Once, "once", false, "print what there is, and end")
	f.BoolVar(&r.Headless, "headless", false, "print plain lines instead of the screen")
	f.BoolVar(&r.JSON, "json", false, "print JSON, one object a line; implies --headless")
	watching(c, &r)
	return c
}

// watching adds the flags that say what is watched.
func watching(c *cobra.Command, r *WatchRequest) {
	f := c.Flags()
	f.StringArrayVar(&r.Roots, "root", nil, "a further `directory` to look for runs in")
	f.DurationVar(&r.Since, "since", sinceDefault, "how old a file is read; 0 is any")
}

// lookOn hands a request to the port and keeps its exit code.
func lookOn(c *cobra.Command, p Ports, r WatchRequest) error {
	if r.Since < 0 {
		return &UsageError{fmt.Sprintf("--since cannot be %s", r.Since), "it is a time such as 24h, or 0 for everything"}
	}
	r.Headless = r.Headless || r.JSON || r.Once || !p.IsTerminal()
	for i, root := range r.Roots {
		path, err := filepath.Abs(root)
		if err != nil {
			return &exitError{ExitFailed, err}
		}
		if r.Once && !there(path) {
			return absent(root, "directory", "--root "+root)
		}
		r.Roots[i] = path
	}
	code, err := p.Watch(c.Context(), r)
	if err != nil && code == ExitDone {
		code = ExitFailed
	}
	if code == ExitDone {
		return nil
	}
	return &exitError{code, err}
}

// resolve finds out what the arguments name: files and directories, or runs of Layover's.
func (r *WatchRequest) resolve(p Ports, args []string) error {
	for _, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil {
			return &exitError{ExitFailed, err}
		}
		if arg == "" || !there(path) {
			dir, err := findRun(p.Getenv, arg)
			u, none := errors.AsType[*UsageError](err)
			switch {
			case none && isName(arg):
				return &exitError{ExitNothing, u}
			case none && r.Once:
				return absent(arg, "file or run", arg)
			case none: // it may come, which is waited for
				dir = path
			case err != nil:
				return err
			}
			path = dir
		}
		r.Paths = append(r.Paths, path)
	}
	if len(r.Paths) == 1 && !r.Once && isOwnRun(r.Paths[0]) {
		r.Dir, r.Paths = r.Paths[0], nil
	}
	return nil
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// isName reports whether an argument that is no file was meant to name a run.
func isName(arg string) bool {
	return arg == "" || filepath.Base(arg) == arg && filepath.Ext(arg) == "" && arg != "."
}

// absent refuses one look at what is not there.
func absent(arg, what, again string) error {
	return &UsageError{fmt.Sprintf("there is no %s %q", what, arg), "layover watch " + again + ", without --once, waits for it"}
}

// isOwnRun reports whether a directory is that of a run of Layover's.
func isOwnRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, journal.EventsFile))
	return err == nil && journal.ValidID(filepath.Base(dir))
}
