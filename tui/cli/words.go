package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

const (
	// longestPart bounds each piece of foreign text within a line, in cells.
	longestPart = 200
	// widestLabel bounds the name of a task in the column of lanes, in cells.
	widestLabel = 20
)

// Words tells in words what facts and observations say, one line each. The zero
// value tells instants in UTC.
type Words struct {
	// Zone is the zone of all instants; nil means UTC.
	Zone *time.Location
	// Now is the clock of one who looks on: lines of another day than its own name theirs.
	// Nil names the day of those that are not of the day on which the run began.
	Now func() time.Time
}

// Line tells one fact: its time, its lane, and what it says. The state is the one
// after the fact. The same state, fact and day give the same line, of at least
// one word, without a newline.
func (w Words) Line(s *run.State, f run.Fact) string {
	said, ok := w.fact(s, f)
	if !ok {
		said = say1(f.Body.Name())
	}
	return w.line(s, f.At, f.Lane, said)
}

// Seen tells one observation, as [Words.Line] does a fact.
func (w Words) Seen(s *run.State, o run.Observation) string {
	said, ok := w.seeing(o)
	if !ok {
		said = say1(o.Body.Name())
	}
	return w.line(s, o.At, o.Lane, said)
}

// line puts a time and the name of a lane in front.
func (w Words) line(s *run.State, at time.Time, lane run.LaneID, said string) string {
	width := 3
	for _, t := range s.Program.Tasks {
		width = max(width, ansi.StringWidth(label(t.Name)))
	}
	if n := s.Program.Iterations; n > 1 {
		width += ansi.StringWidth(fmt.Sprintf("#%d", n))
	}
	name := "run"
	if l := s.Lane(lane); l != nil && l.Job.Task < len(s.Program.Tasks) {
		name = laneLabel(s, l)
	} else if lane != 0 {
		name = fmt.Sprintf("lane %d", lane)
	}
	today := s.StartedAt
	if w.Now != nil {
		today = w.Now()
	}
	return text.Stamp(at, today, w.Zone) + "  " + text.Fit(name, max(width, ansi.StringWidth(name))) + "  " + said
}

// laneLabel names a lane; a task's name that is too long is cut, not what counts
// its iterations.
func laneLabel(s *run.State, l *run.Lane) string {
	task := s.Program.Tasks[l.Job.Task].Name
	return label(task) + say1(strings.TrimPrefix(s.Label(l), task))
}

func label(name string) string { return text.Line(run.Untrusted(name), widestLabel) }

// phrase fills a format in. Every argument that is text, or becomes text, is made
// harmless first: nothing foreign gets past it.
func phrase(format string, args ...any) string {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = say1(a)
		case run.Untrusted:
			args[i] = say1(string(a))
		case fmt.Stringer:
			args[i] = say1(a.String())
		}
	}
	return fmt.Sprintf(format, args...)
}

func say1(s string) string { return text.Line(run.Untrusted(s), longestPart) }

// with adds a piece of foreign text behind a line, if there is one.
func with[T ~string](said, before string, t T) string {
	if t == "" {
		return said
	}
	return said + before + say1(string(t))
}

// list words several things, each made harmless.
func list[T any](all []T) string {
	words := make([]string, len(all))
	for i, x := range all {
		words[i] = say1(fmt.Sprint(x))
	}
	return strings.Join(words, ", ")
}

// at words an instant to come, rounded up to the second so that it is never too
// early, with the day if it is not that of now.
func (w Words) at(t, now time.Time) string {
	if t.IsZero() {
		return "an unknown time"
	}
	t, now = w.local(t), w.local(now)
	if part := time.Duration(t.Nanosecond()); part > 0 {
		t = t.Add(time.Second - part)
	}
	switch {
	case sameDay(t, now):
		return t.Format("15:04:05")
	case t.Sub(now).Abs() < 6*24*time.Hour:
		return t.Format("Mon 15:04:05")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04:05")
	}
	return t.Format("2 Jan 2006 15:04:05")
}

// how words how an instant is known, in brackets; empty if it is not.
func how(h run.How) string {
	if h == 0 {
		return ""
	}
	return " (" + h.String() + ")"
}

func (w Words) local(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	if w.Zone == nil {
		return t.UTC()
	}
	return t.In(w.Zone)
}

func sameDay(a, b time.Time) bool {
	ay, am, ad := a.Date()
	by, bm, bd := b.Date()
	return ay == by && am == bm && ad == bd
}

// tokens words what was consumed; "nothing" if nothing was.
func tokens(u run.Usage) string {
	var parts []string
	if n := u.Tokens(); n > 0 {
		parts = append(parts, text.Count(n)+" tokens")
	}
	if u.CostUSD > 0 {
		parts = append(parts, text.Cost(u.CostUSD))
	}
	if u.CostUSD > 0 && u.Unpriced > 0 {
		parts = append(parts, text.Count(u.Unpriced)+" of the tokens at a price nobody stated")
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// fact finds the words of a fact; false if there are none for its kind.
func (w Words) fact(s *run.State, f run.Fact) (string, bool) {
	for _, tell := range []func(*run.State, run.Fact) (string, bool){
		w.runFact, w.laneFact, w.attemptFact, w.waitFact, w.windowFact,
	} {
		if said, ok := tell(s, f); ok {
			return said, true
		}
	}
	return "", false
}
