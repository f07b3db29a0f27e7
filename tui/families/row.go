package families

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

const (
	// reasonMax bounds what is told of a provider's own words, in cells.
	reasonMax = 200
	// reasonLines is how many lines they have below a row.
	reasonLines = 3
	// notesIndent is where the lines below a row begin: under its word.
	notesIndent = 4
	// notesMin is the width for which a line below a row is asked.
	notesMin = 20
)

// detail is how much is told of a family.
type detail int

const (
	// detailRow tells all in the row, as far as there is room.
	detailRow detail = iota + 1
	// detailLine has one line below each row that has something to tell.
	detailLine
	// detailFull has lines for everything.
	detailFull
)

// columns are the widths of rows at a level of detail, as wide as their words need.
func (m Model) columns(width int, rows []row, level detail) []int {
	word, name, until, left, how := 4, 4, 0, 0, 0
	for _, r := range rows {
		_, w, _ := m.status(m.styles, r)
		word = max(word, ansi.StringWidth(w))
		name = max(name, ansi.StringWidth(rowName(r)))
		until = max(until, ansi.StringWidth(m.until(r)))
		left = max(left, ansi.StringWidth(m.left(r)))
		how = max(how, ansi.StringWidth(m.how(r)))
	}
	hidden := layout.Column{Min: width, Rank: 99}
	columns := []layout.Column{
		{Min: 1, Rank: 0},    // cursor
		{Min: 1, Rank: 1},    // glyph
		{Min: word, Rank: 2}, // word
		{Min: min(name, 6), Want: min(name, 20), Rank: 3},
		{Min: until, Rank: 4},
		{Min: left, Rank: 5}, // countdown
		{Min: min(how, 8), Want: how, Rank: 6},
		{Min: 12, Rank: 7, Grow: true},
	}
	for i, needed := range []int{4: until, 5: left, 6: how, 7: int(detailFull - level)} {
		if i >= 4 && needed == 0 {
			columns[i] = hidden
		}
	}
	switch level {
	case detailLine:
		columns[7] = hidden
	case detailFull: // how is told below
		columns[6] = hidden
	}
	return layout.Columns(width, pane.Gap, columns)
}

func (m Model) row(r row, selected bool, width int, widths []int, level detail) string {
	s := m.styles.On(selected && m.focused)
	glyph, word, look := m.status(s, r)
	why := ""
	if level == detailRow {
		why = m.why(s, r)
	}
	return pane.Row(s, width, widths, []pane.Cell{
		pane.Mark(s, selected, m.focused),
		{Text: glyph, Look: look},
		{Text: word, Look: look},
		{Text: rowName(r), Look: s.Family.Name},
		{Text: m.until(r), Look: s.Family.Clock},
		{Text: m.left(r), Look: s.Family.Clock, Right: true},
		{Text: m.how(r), Look: s.Family.Detail},
		{Text: why, Look: s.Family.Detail},
	})
}

func rowName(r row) string {
	if r.window != nil {
		return words.Window(r.window.WindowKey)
	}
	return words.Name(r.family)
}

// status is glyph, word and look of a row.
func (m Model) status(s *styles.Styles, r row) (glyph, word string, look lipgloss.Style) {
	g := s.Glyph.Family
	w := r.window
	switch {
	case w == nil && m.missing(r.family):
		return g.Blocked, "missing", s.Family.Blocked
	case m.suspected(r) != nil:
		return g.Suspected, "suspected", s.Family.Suspected
	case w == nil:
		return g.Free, "free", s.Family.Free
	case w.Permit != nil:
		return g.Probing, "probing", s.Family.Probing
	case w.Kind == run.KindBilling:
		return g.Blocked, "unpaid", s.Family.Blocked
	case w.Sort == run.SortLogin:
		return g.Blocked, "login", s.Family.Blocked
	case w.Sort == run.SortHealth:
		return g.Tripped, "resting", s.Family.Tripped
	case w.Due(m.now): // its permit may be had
		return g.Suspected, "due", s.Family.Suspected
	case w.Trip || w.Kind == run.KindUsage:
		return g.Tripped, "tripped", s.Family.Tripped
	}
	return g.Tripped, "busy", s.Family.Tripped
}

// missing reports whether no agent of a family is installed.
func (m Model) missing(family string) bool {
	have := false
	for name := range m.state.Program.Agents {
		if m.state.Program.FamilyOf(run.Target{Agent: name}) != family {
			continue
		}
		if m.state.Installed(run.Target{Agent: name}) {
			return false
		}
		have = true
	}
	return have
}

// suspicion is that of a family, or else of one of its models, which lasts longest; nil if
// there is none.
func (m Model) suspicion(family string) *run.Suspicion {
	var longest *run.Suspicion
	for i := range m.state.Suspicions {
		x := &m.state.Suspicions[i]
		if x.Family != family || !m.now.Before(x.Until) {
			continue
		}
		whole := longest != nil && longest.Model == ""
		if longest == nil || whole == (x.Model == "") && x.Until.After(longest.Until) || !whole && x.Model == "" {
			longest = x
		}
	}
	return longest
}

// suspected is the suspicion that a row shows; nil if it shows none.
func (m Model) suspected(r row) *run.Suspicion {
	if r.window != nil || m.missing(r.family) {
		return nil
	}
	return m.suspicion(r.family)
}

// until is the end of a window or suspicion in words; empty if there is neither.
func (m Model) until(r row) string {
	switch w, x := r.window, m.suspected(r); {
	case x != nil:
		return "until " + text.Until(x.Until, m.now, m.zone)
	case w == nil:
		return ""
	case w.Due(m.now):
		return "since " + text.Until(w.Until, m.now, m.zone)
	case !w.Until.IsZero():
		return "until " + text.Until(w.Until, m.now, m.zone)
	case w.Sort == run.SortLogin:
		return "until mended"
	}
	return "unknown"
}

func (m Model) left(r row) string {
	if x := m.suspected(r); x != nil {
		return text.Clock(x.Until.Sub(m.now))
	}
	if r.window == nil || r.window.Until.IsZero() || r.window.Due(m.now) {
		return ""
	}
	return text.Clock(r.window.Until.Sub(m.now))
}

func (m Model) how(r row) string {
	if r.window == nil || r.window.Until.IsZero() {
		return ""
	}
	return words.How(r.window.How)
}

// why tells in one line what else there is to know.
func (m Model) why(s *styles.Styles, r row) string {
	return pane.Parts(s, m.probe(r), refused(r), m.reason(r), pane.Parts(s, m.used(r, false)...))
}

// below tells the same below the row.
func (m Model) below(r row, level detail, width int) []string {
	var lines []string
	add := func(said string, most int) {
		if said != "" {
			lines = append(lines, text.Block(run.Untrusted(said), width, most)...)
		}
	}
	switch level {
	case detailLine:
		add(m.why(m.styles, r), 1)
	case detailFull:
		if r.window != nil {
			add(pane.Parts(m.styles, words.Limit(r.window), m.how(r)), 1)
		}
		add(m.reason(r), reasonLines)
		add(pane.Parts(m.styles, m.probe(r), m.next(r)), 1)
		for _, gauge := range m.used(r, true) {
			add(gauge, 1)
		}
		add(pane.Parts(m.styles, refused(r), spent(r)), 1)
	}
	return lines
}

func (m Model) indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.Repeat(" ", notesIndent) + m.styles.Family.Detail.Render(line)
	}
	return out
}

// probe tells who asks the provider again.
func (m Model) probe(r row) string {
	if r.window == nil || r.window.Permit == nil {
		return ""
	}
	return "probed by " + words.LaneOf(m.state, r.window.Permit.Lane)
}

// next tells of a try before the window ends.
func (m Model) next(r row) string {
	w := r.window
	if w == nil || w.Permit != nil || w.NextTry.IsZero() || w.NextTry.Equal(w.Until) {
		return ""
	}
	if !w.NextTry.After(m.now) {
		return "may be tried now"
	}
	return "next try " + text.Until(w.NextTry, m.now, m.zone) + " (" + text.Clock(w.NextTry.Sub(m.now)) + ")"
}

// reason is the provider's own words, or else what is the matter.
func (m Model) reason(r row) string {
	if w := r.window; w != nil {
		return text.Line(w.Reason, reasonMax)
	}
	if m.missing(r.family) {
		return "not installed"
	}
	if x := m.suspected(r); x != nil && x.Model != "" {
		return words.Name(x.Model) + ": " + text.Line(run.Untrusted(x.Why), reasonMax)
	} else if x != nil {
		return text.Line(run.Untrusted(x.Why), reasonMax)
	}
	if r.known != nil && r.known.Failures > 0 {
		return words.Many(r.known.Failures, "exhausted turn") + " in a row"
	}
	return ""
}

// used tells how full the usage windows of a family are, and when each is empty again if
// that is asked. What is not known, or not any more, is not told.
func (m Model) used(r row, resets bool) []string {
	var all []string
	if r.known == nil {
		return nil
	}
	for _, g := range m.gauges[r.family] {
		if !g.Current(m.now) {
			continue
		}
		said := text.Gauge(g.Gauge)
		if resets && !g.Resets.IsZero() {
			said = pane.Parts(m.styles, said, "resets "+text.Until(g.Resets, m.now, m.zone))
		}
		all = append(all, said)
	}
	return all
}

func refused(r row) string {
	if r.known == nil || r.known.Refused == 0 {
		return ""
	}
	return words.Many(r.known.Refused, "spawn") + " refused"
}

func spent(r row) string {
	if r.known == nil || r.known.Usage.Tokens() == 0 {
		return ""
	}
	said := text.Count(r.known.Usage.Tokens()) + " tokens"
	if cost := words.Cost(r.known.Usage); cost != "" {
		said += ", " + cost
	}
	return said
}
