package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// What the recorded streams show while they run, the last of each: the agent's own retry,
// the tool with its argument, the tokens so far, what was said, and the gauges. A dash is
// what a stream never tells.
func TestLiveSignals(t *testing.T) {
	var out strings.Builder
	out.WriteString("stream\tretry\ttool\ttokens\tmessage\tgauges\n")
	for _, dir := range []string{"streams", "catalogue"} {
		for _, r := range readRows(t, filepath.Join(fixtures, dir, "EXPECTED.tsv")) {
			dialect, _, _ := strings.Cut(r["file"], "/")
			if dialect == "http" || onStderr[r["file"]] != 0 {
				continue
			}
			text, err := os.ReadFile(filepath.Join(fixtures, dir, r["file"]))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s/%s\t%s\n", dir, r["file"], live(t, dialect, string(text)))
		}
	}
	golden.RequireEqual(t, []byte(out.String()))
}

// live is the row of a stream that is read line by line.
func live(t *testing.T, dialect, text string) string {
	t.Helper()
	r, err := NewReader(dialect, atNoon())
	if err != nil {
		t.Fatal(err)
	}
	var retry, tool, tokens, message string
	var gauges []run.Reading
	see := func(s run.Sight) {
		if n := s.Retry; n.Attempt > 0 {
			retry = fmt.Sprintf("%d/%d %v %d", n.Attempt, n.Max, n.Delay, n.Status)
		}
		if s.Doing != "" {
			tool = string(s.Doing)
		}
		if n := s.Usage.Tokens(); n > 0 {
			tokens = fmt.Sprint(n)
		}
		if s.Message != "" {
			message = string(s.Message)
		}
		for _, g := range s.Gauges {
			if g.Limit != "" {
				gauges = run.WithReadings(gauges, run.Reading{Gauge: g})
			}
		}
	}
	for line := range strings.SplitAfterSeq(text, "\n") {
		r.Feed([]byte(line), see)
	}
	r.End(End{}, see)
	var windows []string
	for _, g := range gauges {
		said := fmt.Sprintf("%s %v %g", g.Limit, g.Window, g.Used)
		if !g.Resets.IsZero() {
			said += " " + g.Resets.UTC().Format("2006-01-02T15:04:05Z")
		}
		windows = append(windows, said)
	}
	cells := []string{retry, tool, tokens, message, strings.Join(windows, ", ")}
	for i, c := range cells {
		cells[i] = orDash(record.Cut(record.Printable(c), 200))
	}
	return strings.Join(cells, "\t")
}
