package lanes

import (
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/bar"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// columns are the widths of the rows from one up to another, as wide as their own
// words need; there is room for a bar only where one of them waits.
func (m Model) columns(width, from, to int) []int {
	name, target, clock, barRank := 4, 4, 4, hiddenRank
	for row := from; row < to; row++ {
		n, t := m.names(row)
		name, target = max(name, ansi.StringWidth(n)), max(target, ansi.StringWidth(t))
		d := m.drawn(m.styles, row)
		clock = max(clock, ansi.StringWidth(d.clock))
		if !d.until.IsZero() {
			barRank = 7
		}
	}
	columns := []layout.Column{
		{Min: 1, Rank: 0}, // cursor
		{Min: 1, Rank: 1}, // glyph
		{Min: 8, Rank: 2}, // word
		{Min: min(name, 9), Want: min(name, 24), Rank: 3},               // label
		{Min: min(target, 11), Want: min(target, 20), Rank: 6},          // target
		{Min: clock, Rank: 4},                                           // countdown
		{Min: 8, Want: 8 + min(max(0, width-100)/8, 12), Rank: barRank}, // bar
		{Min: min(max(12, width-othersWidth), 40), Rank: 5, Grow: true}, // what it does
		{Min: 6, Rank: 9},  // tokens
		{Min: 7, Rank: 10}, // cost
	}
	if barRank == hiddenRank {
		columns[6].Min = width
	}
	if width < spentFrom {
		columns[8].Min, columns[9].Min = width, width
	}
	return layout.Columns(width, pane.Gap, columns)
}

const (
	// spentFrom is the width from which tokens and cost have a column.
	spentFrom = 96
	// othersWidth is what the columns before the last take as a rule.
	othersWidth = 52
)

// hiddenRank is the rank of a column that wants more than there is, to be left out.
const hiddenRank = 99

// names are label and target of a row.
func (m Model) names(row int) (name, target string) {
	if l := m.state.Lane(m.id(row)); l != nil {
		return words.Lane(m.state, l), words.Target(l.Target)
	}
	if j, ok := m.job(row); ok {
		return words.Job(m.state, j), words.Target(j.Target)
	}
	return "", ""
}

// job is the task of the queue in a row.
func (m Model) job(row int) (run.Job, bool) {
	at := row - len(m.state.Open)
	if at < 0 || at >= m.queued() {
		return run.Job{}, false
	}
	return m.state.Queue[at], true
}

func (m Model) row(row, width int, widths []int) string {
	selected := row == m.list.Cursor
	s := m.styles.On(selected && m.focused)
	name, target := m.names(row)
	d := m.drawn(s, row)
	return pane.Row(s, width, widths, []pane.Cell{
		pane.Mark(s, selected, m.focused),
		{Text: d.glyph, Look: d.look},
		{Text: d.word, Look: d.look},
		{Text: name, Look: d.name},
		{Text: target, Look: s.Row.Target},
		{Text: d.clock, Look: d.clockLook, Right: true},
		{Drawn: m.bar(s, d), Look: s.Gap},
		{Text: d.detail, Look: d.detailLook},
		{Text: d.tokens, Look: s.Row.Detail, Right: true},
		{Text: d.cost, Look: s.Row.Detail, Right: true},
	})
}

func (m Model) drawn(s *styles.Styles, row int) drawn {
	if l := m.state.Lane(m.id(row)); l != nil {
		return m.laneRow(s, l)
	}
	return m.queuedRow(s, row)
}

// bar draws how much of a wait is over, and nothing where nothing waits.
func (m Model) bar(s *styles.Styles, d drawn) func(int) string {
	return func(width int) string {
		if d.until.IsZero() || !d.until.After(d.since) {
			return s.Gap.Render(text.Fit("", width))
		}
		done := float64(m.now.Sub(d.since)) / float64(d.until.Sub(d.since))
		return bar.Render(width, done, d.barLook, s.Glyph.Bar)
	}
}

// spent words the tokens and dollars of a lane; empty if there are none.
func (m Model) spent(l *run.Lane) (tokens, cost string) {
	used := l.Usage
	if a := l.Running(); a != nil {
		if o, ok := m.seen[l.ID]; ok && o.attempt == a.ID {
			used = used.Add(o.activity.Usage)
		}
	}
	if n := used.Tokens(); n > 0 {
		tokens = text.Count(n)
	}
	return tokens, words.Cost(used)
}

// left is the countdown to an instant; empty if there is none.
func (m Model) left(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return text.Clock(at.Sub(m.now))
}
