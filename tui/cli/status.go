package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/ledger"
	"example.com/layover/engine/program"
	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/tui/text"
)

// maxExport bounds a run.json that is read, in bytes; Layover's own are far shorter.
const maxExport = 32 << 20

// status is what can be told at once, without following anything.
type status struct {
	Limited bool `json:"limited"`
	// ResetsAt is when the last of the limits lifts; zero if that is not known.
	ResetsAt time.Time    `json:"resets_at,omitzero"`
	Windows  []run.Window `json:"windows"`
	Runs     []statusRun  `json:"runs"`
}

type statusRun struct {
	ID      string       `json:"id"`
	Program string       `json:"program"`
	Phase   run.Phase    `json:"phase"`
	Lanes   []statusLane `json:"lanes"`
}

type statusLane struct {
	Task   string        `json:"task"`
	State  run.LaneState `json:"state"`
	Target run.Target    `json:"target,omitzero"`
	WakeAt time.Time     `json:"wake_at,omitzero"`
}

func statusCommand(p Ports) *cobra.Command {
	var asJSON bool
	var target string
	c := &cobra.Command{
		Use:   "status",
		Short: "Tell which families are limited, and what runs now",
		Long: `status tells at once which families are limited and until when, and what the
lanes of all runs under way do, from what Layover's runs have written. It
follows nothing. The exit status is 0 if nothing is limited, and 75 if something
is: a family as a whole, or with --family that one, or one model of it.`,
		Example: `  layover status
  layover status --family claude:opus && claude -p "go on"
  layover status --json | jq -r .resets_at`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkFamily(target, c.Flags().Changed("family")); err != nil {
				return err
			}
			s, err := readStatus(p, target)
			if s == nil {
				return &exitError{ExitFailed, err}
			}
			if err != nil {
				Report(p.Stderr, err)
			}
			if asJSON {
				err = s.print(p.Stdout)
			} else {
				err = s.tell(p)
			}
			switch {
			case err != nil:
				return &exitError{ExitFailed, err}
			case s.Limited:
				return &exitError{code: ExitLimited}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().StringVar(&target, "family", "", "a `family`, or a model of it, such as claude:opus")
	return c
}

// checkFamily refuses what is no family, and what looks like a slip: a family that nobody
// has counts as free. Programs may name families of their own.
func checkFamily(target string, given bool) error {
	var t run.Target
	if given && (target == "" || t.UnmarshalText([]byte(target)) != nil) {
		return &UsageError{fmt.Sprintf("--family cannot be %q", target), "it is a family, such as claude, or one model of it, such as claude:opus"}
	}
	var known []string
	for _, name := range agent.Presets() {
		p, _ := agent.Lookup(name)
		known = append(known, p.Family)
	}
	if t.Agent == "" || slices.Contains(known, t.Agent) {
		return nil
	}
	if near := program.Nearest(t.Agent, known); near != "" {
		return &UsageError{fmt.Sprintf("no family is called %q", t.Agent), fmt.Sprintf("did you mean --family %s?", near)}
	}
	return nil
}

func noArgs(c *cobra.Command, args []string) error { return noArguments(c, args) }

// readStatus reads the ledger and the runs under way. The status is nil if nothing can be told;
// with one, the error tells what is left out of it.
func readStatus(p Ports, family string) (*status, error) {
	root, err := journal.Root(p.Getenv)
	if err != nil {
		return nil, err
	}
	var of run.Target
	if err := of.UnmarshalText([]byte(family)); err != nil {
		return nil, err
	}
	now, faults := p.Now(), []error(nil)
	s := &status{Windows: []run.Window{}, Runs: []statusRun{}}
	windows, err := ledger.All(root)
	faults = append(faults, err)
	for _, w := range windows {
		if (!w.Until.IsZero() && w.Due(now)) || (of.Agent != "" && w.Family != of.Agent) {
			continue
		}
		s.Windows = append(s.Windows, w)
		if w.Model == "" || (of.Model != "" && w.Binds(of.Agent, of.Model)) {
			s.limit(w)
		}
	}
	for _, dir := range []string{root, filepath.Join(root, journal.DemoDir)} {
		ids, err := journal.List(dir)
		faults = append(faults, err)
		for _, id := range slices.Backward(ids) {
			at, err := journal.Dir(dir, id)
			if err != nil || !journal.Running(at) {
				continue
			}
			r, err := export(at)
			if faults = append(faults, err); err == nil {
				s.Runs = append(s.Runs, r)
			}
		}
	}
	return s, errors.Join(faults...)
}

// limit takes a window that keeps something from being used.
func (s *status) limit(w run.Window) {
	switch {
	case !s.Limited:
		s.ResetsAt = w.Until
	case w.Until.IsZero(), s.ResetsAt.IsZero():
		s.ResetsAt = time.Time{}
	case w.Until.After(s.ResetsAt):
		s.ResetsAt = w.Until
	}
	s.Limited = true
}

// export reads what a run of ours tells others of itself.
func export(dir string) (statusRun, error) {
	r := statusRun{ID: filepath.Base(dir), Phase: run.PhaseRunning, Lanes: []statusLane{}}
	f, err := os.Open(filepath.Join(dir, journal.RunFile))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // it has just begun
	}
	if err != nil {
		return r, err
	}
	defer func() { _ = f.Close() }() // only read from
	data, err := io.ReadAll(io.LimitReader(f, maxExport))
	if err != nil {
		return r, err
	}
	file, err := runfile.Decode(data)
	if err != nil || file.Layover == nil {
		return r, fmt.Errorf("the run.json of %s cannot be read: %w", r.ID, cmp.Or(err, runfile.ErrNotObject))
	}
	r.Program, r.Phase = file.Layover.Program, file.Layover.Phase
	for _, l := range file.Layover.Lanes {
		if !l.State.Final() {
			r.Lanes = append(r.Lanes, statusLane{l.Task, l.State, l.Target, l.WakeAt})
		}
	}
	return r, nil
}

// print writes it as one JSON object.
func (s *status) print(w io.Writer) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", run.PlainJSON(b))
	return err
}

// tell writes it for people.
func (s *status) tell(p Ports) error {
	now, words := p.Now(), Words{Zone: p.Zone}
	out := stream{w: p.Stdout}
	line := func(format string, args ...any) { _ = out.line([]byte(phrase(format, args...))) } // out keeps its error
	if len(s.Windows) == 0 {
		line("no family is limited")
	}
	for _, w := range s.Windows {
		_ = out.line([]byte(with(words.closed(w, now), ": ", w.Reason)))
	}
	for _, r := range s.Runs {
		line("%s, %s: %s", cmp.Or(r.Program, "a run"), r.ID, lanesOf(r))
		for _, l := range r.Lanes {
			said := phrase("  %s  %s  %s", text.Fit(l.State.String(), len("working")), label(l.Task), l.Target.String())
			if !l.WakeAt.IsZero() {
				said += phrase("  until %s, in %s", words.at(l.WakeAt, now), text.Clock(l.WakeAt.Sub(now)))
			}
			_ = out.line([]byte(said))
		}
	}
	return out.err
}

// closed tells of an open window: what it is there for, and until when.
func (w Words) closed(v run.Window, now time.Time) string {
	if v.Until.IsZero() {
		return phrase("%s: %s, until somebody clears it", v.WindowKey, closedBy(v))
	}
	return phrase("%s: %s until %s, in %s%s", v.WindowKey, closedBy(v), w.at(v.Until, now), text.Clock(v.Until.Sub(now)), how(v.How))
}

// closedBy is what a window is there for.
func closedBy(w run.Window) string {
	switch w.Kind {
	case run.KindThrottle:
		return "throttled"
	case run.KindAuth:
		return "needs a login"
	case run.KindBilling:
		return "needs a payment"
	case run.KindHealth:
		return "failed too often"
	}
	return "limited"
}

func lanesOf(r statusRun) string {
	if len(r.Lanes) == 0 {
		return r.Phase.String()
	}
	return many(len(r.Lanes), "open lane")
}
