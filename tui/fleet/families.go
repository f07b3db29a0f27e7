package fleet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/bar"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

const (
	// gaugeBar is how wide the bar of a gauge is, in cells.
	gaugeBar = 10
	// notesIndent is where the lines below a row begin: under its word.
	notesIndent = 4
)

// familyRow is a family, one more window of it, or one more suspicion.
type familyRow struct {
	family *run.FamilySeen
	// window or suspicion is what the row is about; both are nil if the family is free.
	window    *run.Window
	suspicion *run.Suspicion
	// first is set on the row that also tells what concerns the whole family.
	first bool
}

// rank orders what is amiss with a family, the gravest first.
func (r familyRow) rank() int {
	switch {
	case r.window != nil && r.window.Sort == run.SortLogin:
		return 0
	case r.window != nil && r.window.Model == "":
		return 1
	case r.window != nil:
		return 2
	}
	return 3
}

// until is when what the row is about ends; zero if that is not known.
func (r familyRow) until() time.Time {
	switch {
	case r.window != nil:
		return r.window.Until
	case r.suspicion != nil:
		return r.suspicion.Until
	}
	return time.Time{}
}

func rowName(r familyRow) string {
	switch {
	case r.window != nil:
		return words.Window(r.window.WindowKey)
	case r.suspicion != nil:
		return words.Window(run.WindowKey{Family: r.suspicion.Family, Model: r.suspicion.Model})
	}
	return words.Name(r.family.Name)
}

// familyRows lists every family with what is amiss, the gravest first.
func (m Model) familyRows() []familyRow {
	var rows []familyRow
	for i := range m.families {
		f := &m.families[i]
		from := len(rows)
		for j := range f.Windows {
			rows = append(rows, familyRow{family: f, window: &f.Windows[j]})
		}
		for j := range f.Suspicions {
			if m.now.Before(f.Suspicions[j].Until) {
				rows = append(rows, familyRow{family: f, suspicion: &f.Suspicions[j]})
			}
		}
		if len(rows) == from {
			rows = append(rows, familyRow{family: f})
		}
		slices.SortStableFunc(rows[from:], func(a, b familyRow) int { return cmp.Compare(a.rank(), b.rank()) })
		rows[from].first = true
	}
	return rows
}

func (m Model) familiesFrame() pane.Frame {
	working := 0
	for _, f := range m.families {
		working += f.Working
	}
	note := ""
	if working > 0 {
		note = words.Many(working, "agent") + " at work"
	}
	return pane.Frame{Styles: m.options.Styles, Title: "Families", Note: note, Focused: m.onFamilies}
}

// familiesWant is how many rows the families would like: one each, and those below; zero
// if none is known.
func (m Model) familiesWant(rows []familyRow) int {
	lines := 0
	for _, r := range rows {
		lines += 1 + len(m.below(r))
	}
	return lines
}

// viewFamilies draws the pane of the families; empty if it has no room. Where there is not
// room for lines below the rows, the rows tell it briefly.
func (m Model) viewFamilies() []string {
	w, h := m.layout.Families.W, m.layout.Families.H
	f := m.familiesFrame()
	innerW, innerH := f.Inner(w, h)
	rows := m.familyRows()
	full := m.familiesWant(rows) <= innerH
	from, to := m.familyRow.Window()
	to = min(to, len(rows))
	drawn := make([]drawnFamily, 0, max(0, to-from))
	for i := from; i < to; i++ {
		drawn = append(drawn, m.drawnFamily(rows[i], i == m.familyRow.Cursor, full))
	}
	widths := familyColumns(innerW, drawn)
	var lines []string
	for i, d := range drawn {
		lines = append(lines, m.familyLine(d, from+i == m.familyRow.Cursor, innerW, widths))
		if full {
			lines = append(lines, m.below(rows[from+i])...)
		}
	}
	return f.Draw(w, h, lines)
}

// drawnFamily is what a row says and how it looks.
type drawnFamily struct {
	glyph, word, name, until, left, detail string
	look                                   lipgloss.Style
}

func (m Model) drawnFamily(r familyRow, selected, full bool) drawnFamily {
	s := m.options.Styles.On(selected && m.onFamilies)
	d := drawnFamily{name: rowName(r)}
	d.glyph, d.word, d.look = m.amiss(s, r)
	at := r.until()
	switch {
	case at.IsZero() && r.window == nil:
	case at.IsZero() && r.window.Sort == run.SortLogin:
		d.until = "until mended"
	case at.IsZero():
		d.until = "unknown"
	case at.After(m.now):
		d.until, d.left = "until "+text.Until(at, m.now, m.options.Zone), "("+text.Clock(at.Sub(m.now))+")"
	default:
		d.until = "since " + text.Until(at, m.now, m.options.Zone)
	}
	if full { // the rest is told below
		return d
	}
	parts := []string{r.working(), r.how()}
	if r.first {
		for _, g := range m.gauges(r) {
			parts = append(parts, text.Gauge(g.Gauge))
		}
	}
	d.detail = pane.Parts(s, append(parts, reason(r))...)
	return d
}

// working is how many agents of the family are at work; empty if none is.
func (r familyRow) working() string {
	if !r.first || r.family.Working == 0 {
		return ""
	}
	return strconv.Itoa(r.family.Working) + " at work"
}

// how tells how the end of a window is known.
func (r familyRow) how() string {
	if r.window == nil || r.window.Until.IsZero() {
		return ""
	}
	return words.How(r.window.How)
}

// amiss is glyph, word and look of a row.
func (m Model) amiss(s *styles.Styles, r familyRow) (glyph, word string, look lipgloss.Style) {
	g := s.Glyph.Family
	switch w := r.window; {
	case r.suspicion != nil:
		return g.Suspected, "suspected", s.Family.Suspected
	case w == nil:
		return g.Free, "free", s.Family.Free
	case w.Kind == run.KindBilling, w.Sort == run.SortLogin:
		glyph, look = g.Blocked, s.Family.Blocked
	case w.Sort != run.SortHealth && w.Due(m.now):
		glyph, look = g.Suspected, s.Family.Suspected
	default:
		glyph, look = g.Tripped, s.Family.Tripped
	}
	return glyph, words.Amiss(r.window, m.now), look
}

// reason is what is told of why.
func reason(r familyRow) string {
	switch {
	case r.window != nil:
		return text.Line(r.window.Reason, detailMax)
	case r.suspicion != nil:
		return text.Line(run.Untrusted(r.suspicion.Why), detailMax)
	}
	return ""
}

// gauges are those of a family that can still be true.
func (m Model) gauges(r familyRow) []run.Reading {
	var all []run.Reading
	for _, g := range r.family.Readings {
		if g.Current(m.now) {
			all = append(all, g)
		}
	}
	return all
}

// below is what else is known, in lines below the row: who works, why, and how full its usage windows
// are.
func (m Model) below(r familyRow) []string {
	s := m.options.Styles
	var lines []string
	indent := strings.Repeat(" ", notesIndent)
	if said := pane.Parts(s, r.working(), r.how(), reason(r)); said != "" {
		lines = append(lines, indent+s.Family.Detail.Render(said))
	}
	if !r.first {
		return lines
	}
	gauges := m.gauges(r)
	width := 0
	for _, g := range gauges {
		width = max(width, ansi.StringWidth(text.Gauge(g.Gauge)))
	}
	for _, g := range gauges {
		look := s.Bar
		if g.Used >= 0.8 {
			look = s.BarWarn
		}
		line := indent + bar.Render(gaugeBar, g.Used, look, s.Glyph.Bar) + " " + s.Family.Name.Render(text.Fit(text.Gauge(g.Gauge), width))
		if !g.Resets.IsZero() {
			line += s.Family.Detail.Render(" resets " + text.Until(g.Resets, m.now, m.options.Zone))
		}
		lines = append(lines, line)
	}
	return lines
}

func familyColumns(width int, rows []drawnFamily) []int {
	word, name, until, left, detail := 4, 4, 0, 0, 0
	for _, d := range rows {
		word, name = max(word, ansi.StringWidth(d.word)), max(name, ansi.StringWidth(d.name))
		until, left = max(until, ansi.StringWidth(d.until)), max(left, ansi.StringWidth(d.left))
		detail = max(detail, ansi.StringWidth(d.detail))
	}
	c := []layout.Column{
		{Min: 1, Rank: 0},
		{Min: 1, Rank: 1},
		{Min: word, Rank: 2},
		{Min: min(name, 6), Want: min(name, 20), Rank: 3},
		{Min: until, Rank: 4},
		{Min: left, Rank: 5},
		{Min: 9, Rank: 6, Grow: true},
	}
	for i, needed := range []int{4: until, 5: left, 6: detail} {
		if i >= 4 && needed == 0 {
			c[i] = layout.Column{Min: width, Rank: hiddenRank}
		}
	}
	return layout.Columns(width, pane.Gap, c)
}

func (m Model) familyLine(d drawnFamily, selected bool, width int, widths []int) string {
	s := m.options.Styles.On(selected && m.onFamilies)
	return pane.Row(s, width, widths, []pane.Cell{
		pane.Mark(s, selected, m.onFamilies),
		{Text: d.glyph, Look: d.look},
		{Text: d.word, Look: d.look},
		{Text: d.name, Look: s.Family.Name},
		{Text: d.until, Look: s.Family.Clock},
		{Text: d.left, Look: s.Family.Clock, Right: true},
		{Text: d.detail, Look: s.Family.Detail},
	})
}
