package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

func doctorCommand(p Ports) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Look at what Layover needs of this machine, and say what is amiss",
		Long: `doctor looks for the agents and how they are logged in, and at the terminal,
the state directory, the limits of the system and the clock. It starts each
agent to ask for its version, and makes and removes a file in the state
directory; it uses no network and shows no secrets.

Each line is ok, warn (it works, but not as it should) or bad (mend it first).
The exit code is 1 if anything is bad.`,
		Example: `  layover doctor
  layover doctor --json`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			t := p.Machine.Terminal()
			found := examine(c.Context(), p, t)
			print := func(w io.Writer) error { return printFindings(w, found, t.Width) }
			if asJSON {
				print = func(w io.Writer) error { return printFindingsJSON(w, found) }
			}
			if err := print(c.OutOrStdout()); err != nil {
				return &exitError{ExitFailed, fmt.Errorf("print: %w", err)}
			}
			if count(found, gradeBad) > 0 {
				return &exitError{ExitFailed, nil}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// grade is how well something is.
type grade int

const (
	// gradeOK needs nothing.
	gradeOK grade = iota + 1
	// gradeWarn works, but not as it should.
	gradeWarn
	// gradeBad does not work.
	gradeBad
)

// String is the word of the grade.
func (g grade) String() string { return [...]string{"", "ok", "warn", "bad"}[g] }

// MarshalText writes the word.
func (g grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// finding is one thing that was looked at.
type finding struct {
	Word grade `json:"word"`
	// About names the thing in a word or two.
	About string `json:"about"`
	Said  string `json:"said"`
	// Do says what to do; empty if nothing is to be done.
	Do string `json:"do,omitempty"`
}

// examine looks at everything. The order is that in which people look.
func examine(ctx context.Context, p Ports, t Terminal) []finding {
	var all []finding
	for _, look := range []func() []finding{
		func() []finding { return examineAgents(ctx, p) },
		func() []finding { return examineTerminal(p, t) },
		func() []finding { return examineState(p) },
		func() []finding { return examineNotices(p) },
		func() []finding { return examineClock(p) },
	} {
		all = append(all, look()...)
	}
	for i, f := range all { // what it says may hold what others wrote
		all[i].Said, all[i].Do = harmless(f.Said), harmless(f.Do)
	}
	return all
}

func harmless(s string) string { return text.Line(run.Untrusted(s), longestLine) }

func count(all []finding, g grade) int {
	n := 0
	for _, f := range all {
		if f.Word == g {
			n++
		}
	}
	return n
}

// widestAbout is the column of what findings are about, in cells.
const widestAbout = 14

// printFindings prints findings as lines of at most width cells; zero does not break
// lines. In little room what is found stands below what it is about.
func printFindings(w io.Writer, all []finding, width int) error {
	const column, least = 4 + 2 + widestAbout + 2, 24
	indent, room := column, width-column
	switch {
	case width == 0:
		room = 2 * longestLine
	case room < least:
		indent, room = 2, max(width-2, least)
	}
	var b strings.Builder
	for _, f := range all {
		start := text.Fit(f.Word.String(), 4) + "  " + text.Fit(f.About, widestAbout) + "  "
		if indent < column {
			b.WriteString(strings.TrimRight(start, " ") + "\n")
			start = strings.Repeat(" ", indent)
		}
		for _, part := range []string{f.Said, prefixed("do: ", f.Do)} {
			for _, line := range text.Block(run.Untrusted(part), room, longestLine/least) {
				b.WriteString(start + line + "\n")
				start = strings.Repeat(" ", indent)
			}
		}
	}
	b.WriteString(summary(all) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func prefixed(with, s string) string {
	if s == "" {
		return ""
	}
	return with + s
}

// summary words how many findings there are.
func summary(all []finding) string {
	said := "nothing is bad"
	if n := count(all, gradeBad); n > 0 {
		said = fmt.Sprintf("%d bad", n)
	}
	if n := count(all, gradeWarn); n > 0 {
		said += ", " + many(n, "warning")
	}
	return said
}

func printFindingsJSON(w io.Writer, all []finding) error {
	b, err := json.Marshal(struct {
		Findings []finding `json:"findings"`
		OK       int       `json:"ok"`
		Warn     int       `json:"warn"`
		Bad      int       `json:"bad"`
	}{all, count(all, gradeOK), count(all, gradeWarn), count(all, gradeBad)})
	if err != nil {
		return err
	}
	_, err = w.Write(append(run.PlainJSON(b), '\n'))
	return err
}
