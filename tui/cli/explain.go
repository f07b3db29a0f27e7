package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

// explainFlags are the flags of explain as they were given.
type explainFlags struct {
	json              bool
	family, zone, now string
	texts             []string
	exit              int
}

func explainCommand(p Ports) *cobra.Command {
	var flags explainFlags
	c := &cobra.Command{
		Use:   "explain FILE…|DIR|-",
		Short: "Tell what the end of an agent's output means, and by which lines",
		Long: `explain reads the output of finished agents and tells what Layover would make
of it: how it ended, whether a limit was hit, until when, and which lines say
so. It changes nothing. FILE is an agent's JSON lines, or a session that claude
or codex keeps on disk; - is the standard input. Of a directory it explains all
that is an agent's output, however deep.

Whose output it is shows in its beginning, unless --family tells. Clock times
are read as of the line that states them or, where lines have no time, of the
file's last change, unless --now tells the time.`,
		Example: `  layover explain stdout.jsonl
  layover explain --json ~/.local/state/layover/runs
  layover explain --family codex --exit 1 - < out
  layover explain --text "You've hit your limit · resets 3pm (Europe/Berlin)"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := newExplainer(c, flags, p)
			if err != nil {
				return err
			}
			return e.all(args, flags)
		},
	}
	f := c.Flags()
	f.BoolVar(&flags.json, "json", false, "print one JSON object per file")
	f.StringVar(&flags.family, "family", "", "whose it is, an agent or a dialect (default: guessed)")
	f.IntVar(&flags.exit, "exit", 0, "exit code of the agent, a whole number")
	f.StringVar(&flags.now, "now", "", "when it was written, in unix seconds")
	f.StringVar(&flags.zone, "tz", "", "zone of times that name none (default: the machine's)")
	f.StringArrayVar(&flags.texts, "text", nil, "explain an error `message` instead; repeatable")
	return c
}

// explainer judges outputs and prints what came of it.
type explainer struct {
	ports Ports
	// asked is whose output it is as it was told; empty means to guess.
	asked origin
	exit  run.Exit
	// now is the time that was told; zero means that of each file.
	now   time.Time
	zone  *time.Location
	print func(explanation) error
}

// origin is whose output something is: a family, and the dialect that it is written in.
// Both are empty if that is not known.
type origin struct{ family, dialect string }

// originOf finds the origin that goes by the name of an agent or of a dialect.
func originOf(name string) (origin, bool) {
	if p, ok := agent.Lookup(name); ok {
		return origin{p.Name, p.Dialect}, true
	}
	if slices.Contains(agent.Dialects(), name) {
		return origin{agent.FamilyOf(name), name}, true
	}
	return origin{}, false
}

// origins lists the names that originOf takes, each once.
func origins() []string {
	names := agent.Presets()
	for _, d := range agent.Dialects() {
		if !slices.Contains(names, d) {
			names = append(names, d)
		}
	}
	return names
}

func newExplainer(c *cobra.Command, flags explainFlags, p Ports) (*explainer, error) {
	e := &explainer{ports: p, exit: run.Exit{Code: flags.exit}, zone: p.Zone}
	if e.zone == nil {
		e.zone = time.UTC
	}
	if flags.family != "" {
		var ok bool
		if e.asked, ok = originOf(flags.family); !ok {
			return nil, &UsageError{
				fmt.Sprintf("--family cannot be %q", flags.family), fmt.Sprintf("it is one of %s", list(origins())),
			}
		}
	}
	if flags.now != "" {
		seconds, err := strconv.ParseInt(flags.now, 10, 64)
		if err != nil || seconds < 0 || seconds > maxUnix {
			return nil, &UsageError{fmt.Sprintf("--now cannot be %q", flags.now), `it is unix seconds, as "date +%s" prints them`}
		}
		e.now = time.Unix(seconds, 0)
	}
	if flags.zone != "" {
		zone, err := time.LoadLocation(flags.zone)
		if err != nil {
			return nil, &UsageError{fmt.Sprintf("--tz cannot be %q", flags.zone), "it is UTC, Local or a name such as Europe/Berlin"}
		}
		e.zone = zone
	}
	shownAt := e.now
	if shownAt.IsZero() {
		shownAt = p.Now()
	}
	e.print = func(x explanation) error { return x.plain(c.OutOrStdout(), shownAt, e.zone) }
	if flags.json {
		e.print = func(x explanation) error { return x.json(c.OutOrStdout()) }
	}
	return e, nil
}

// maxUnix is the last second of the year 9999, which JSON and RFC 3339 can hold.
const maxUnix = 253402300799

// all explains everything that was asked for. What cannot be read is told at once
// and does not keep the rest from being explained.
func (e *explainer) all(args []string, flags explainFlags) error {
	if len(args) == 0 && len(flags.texts) == 0 {
		return &UsageError{"explain needs a file", `name the agent's output, - for the standard input, or give --text "message"`}
	}
	for _, text := range flags.texts {
		if err := e.tell(e.message(text)); err != nil {
			return err
		}
	}
	var last error
	for _, path := range args {
		err := e.path(path)
		if printed, ok := errors.AsType[*exitError](err); ok {
			return printed
		}
		if err == nil {
			continue
		}
		if last != nil {
			report(e.ports.Stderr, last)
		}
		last = err
	}
	return last
}

// path explains a file, or all of a directory. An error that is an exitError is one of
// printing.
func (e *explainer) path(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return e.directory(path)
	}
	x, err := e.file(path)
	if err != nil {
		return err
	}
	return e.tell(x)
}

// tell prints an explanation.
func (e *explainer) tell(x explanation) error {
	if err := e.print(x); err != nil {
		return &exitError{ExitFailed, fmt.Errorf("print: %w", err)}
	}
	return nil
}
