package fleet

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/roster"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

const (
	// detailMax bounds what a row tells of foreign text, in cells.
	detailMax = 200
	// pathMax bounds the path of the run that is selected, in cells.
	pathMax = 1000
	// titleWidth is what the title takes of the upper edge, in cells.
	titleWidth = 11
	// headingsFrom is the height from which the columns of the runs have headings.
	headingsFrom = 5
	// narrow is the width below which names take all the room there is.
	narrow = 48
	// hiddenRank is the rank of a column that wants more than there is, to be left out.
	hiddenRank = 99
)

func (m Model) runsFrame() pane.Frame {
	live := m.count(run.StandingWorking, run.StandingLimited, run.StandingAsking, run.StandingIdle)
	orphaned, unreadable := m.runs.Count(run.StandingOrphaned), m.runs.Count(run.StandingUnreadable)
	ended := m.count(run.StandingDone, run.StandingFailed, run.StandingStopped, run.StandingSilent)
	listed := m.runs.Len() - live - orphaned - unreadable - ended
	note := pane.Parts(m.options.Styles, some(live, "live"), some(orphaned, "orphaned"),
		some(unreadable, "unreadable"), some(ended, "ended"), some(listed, "listed"))
	f := pane.Frame{Styles: m.options.Styles, Title: "Runs", Foot: m.called(), Focused: !m.onFamilies}
	width, inner := f.Inner(m.layout.Lanes.W, m.layout.Lanes.H)
	notes := []string{note, words.Many(m.runs.Len(), "run")}
	if m.runs.Len() > inner {
		notes = append([]string{pane.Parts(m.options.Styles, "row "+strconv.Itoa(m.list.Cursor+1), note)}, notes...)
	}
	for _, f.Note = range notes { // a part of the counts would not add up
		if ansi.StringWidth(f.Note) <= width-titleWidth {
			break
		}
	}
	return f
}

// called is what the commands call the run that is selected: the id of one of Layover's, the
// path of any other.
func (m Model) called() string {
	row, any := m.Selected()
	if !any {
		return ""
	}
	return called(row)
}

func called(row roster.Row) string {
	if row.Origin == run.OriginLayover {
		return text.Name(run.Untrusted(path.Base(row.Key)), detailMax)
	}
	return text.Name(run.Untrusted(row.Key), pathMax)
}

func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + " " + what
}

// headings is how many rows the headings take of a height.
func (m Model) headings(inner int) int {
	if inner < headingsFrom || m.runs.Len() == 0 {
		return 0
	}
	return 1
}

// viewRuns draws the pane of the runs; empty if it has no room.
func (m Model) viewRuns() []string {
	w, h := m.layout.Lanes.W, m.layout.Lanes.H
	f := m.runsFrame()
	innerW, innerH := f.Inner(w, h)
	if m.runs.Len() == 0 {
		return f.Draw(w, h, m.nothing(innerW, innerH))
	}
	from, to := m.list.Window()
	rows := make([]drawn, 0, max(0, to-from))
	for row := from; row < to; row++ {
		one, _ := m.runs.At(row)
		rows = append(rows, m.drawn(m.options.Styles.On(row == m.list.Cursor && !m.onFamilies), one))
	}
	widths := m.columns(innerW, rows)
	lines := make([]string, 0, innerH)
	if m.headings(innerH) > 0 {
		lines = append(lines, headings(m.options.Styles, innerW, widths))
	}
	for i, d := range rows {
		lines = append(lines, m.row(d, from+i == m.list.Cursor, innerW, widths))
	}
	return f.Draw(w, h, lines)
}

// nothing says that there is no run, and where one would be seen.
func (m Model) nothing(w, h int) []string {
	look := m.options.Styles.Pane.Empty
	if !m.told || !m.reading.Over() {
		return []string{look.Render(" looking for agent runs")}
	}
	said := []string{"no agent runs yet"}
	if len(m.options.Roots) > 0 {
		said[0] += "; looked in"
		for _, root := range m.options.Roots {
			said = append(said, "  "+text.Name(run.Untrusted(root), max(1, w-4)))
		}
	}
	said = append(said, "")
	said = append(said, text.Block("A run appears here by itself: start claude or codex, or layover run.", max(1, w-2), max(1, h))...)
	for i, line := range said {
		said[i] = " " + look.Render(line)
	}
	return said
}

// drawn is what a row says and how it looks.
type drawn struct {
	glyph, word         string
	look, name, said    lipgloss.Style
	agent, origin, call string
	detail, left        string
	age, tokens, cost   string
}

// drawn tells of a run.
func (m Model) drawn(s *styles.Styles, r roster.Row) drawn {
	d := drawn{
		word: r.Standing.String(), name: s.Row.Name, said: s.Row.Detail,
		agent: words.Name(r.Family), origin: words.Origin(r.Origin), call: words.Watched(r.Watched),
	}
	d.glyph, d.look = standing(s, r.Standing)
	if !r.Standing.Live() {
		d.name = s.Row.Detail
	}
	why, doing, stop := text.Line(r.Why, detailMax), text.Line(r.Doing, detailMax), stopping(r)
	switch r.Standing {
	case run.StandingLimited:
		until := ""
		switch {
		case r.Until.IsZero():
			until = "until when is not known"
		case r.Until.After(m.now):
			until = "until " + text.Until(r.Until, m.now, m.options.Zone)
			d.left = text.Clock(r.Until.Sub(m.now))
		default:
			until = "due since " + text.Until(r.Until, m.now, m.options.Zone)
		}
		d.detail = pane.Parts(s, stop, until, words.How(r.How), why)
	case run.StandingFailed, run.StandingStopped, run.StandingOrphaned, run.StandingUnreadable, run.StandingIdle:
		d.detail = pane.Parts(s, stop, why, lanesAtWork(r.Watched))
		if d.detail == "" {
			d.detail = doing
		}
	case run.StandingAsking: // a turn that has failed says why
		if d.detail = doing; why != "" {
			d.detail = why
		}
	default:
		d.detail = pane.Parts(s, stop, lanesAtWork(r.Watched), why, doing)
	}
	if !r.At.IsZero() {
		d.age = age(m.now.Sub(r.At))
	}
	if n := r.Usage.Tokens(); n > 0 {
		d.tokens = text.Count(n)
	}
	d.cost = words.Cost(r.Usage)
	return d
}

// stopping tells that a run is asked to end; empty if it is not.
func stopping(r roster.Row) string {
	switch {
	case !r.Standing.Live():
		return ""
	case r.Stop == run.StopHard:
		return "stopping now"
	case r.Stop == run.StopSoft:
		return "stopping softly"
	}
	return ""
}

// age is how long ago something was, in at most six cells for thirty years.
func age(d time.Duration) string {
	said := text.Age(d)
	if ansi.StringWidth(said) > 6 { // ten days and more: the hours tell nothing
		said, _, _ = strings.Cut(said, " ")
	}
	return said
}

// standing is the mark and the look of a standing.
func standing(s *styles.Styles, at run.Standing) (glyph string, look lipgloss.Style) {
	g := s.Glyph.Run
	switch at {
	case run.StandingWorking:
		return g.Working, s.Row.Working
	case run.StandingLimited:
		return g.Limited, s.Row.Parked
	case run.StandingAsking:
		return g.Asking, s.Text.Accent
	case run.StandingIdle:
		return g.Idle, s.Row.Inline
	case run.StandingDone:
		return g.Done, s.Row.Done
	case run.StandingFailed:
		return g.Failed, s.Row.Failed
	case run.StandingStopped:
		return g.Stopped, s.Row.Stopped
	case run.StandingSilent:
		return g.Silent, s.Row.Stopped
	case run.StandingOrphaned:
		return g.Orphaned, s.Row.Blocked
	case run.StandingUnreadable:
		return g.Unreadable, s.Row.Blocked
	}
	return g.Listed, s.Row.Queued
}

// lanesAtWork counts the lanes of a run if it has more than one; empty otherwise.
func lanesAtWork(w run.Watched) string {
	l := w.Lanes
	if l.Working+l.Waiting+l.Queued+l.Done+l.Failed < 2 {
		return ""
	}
	switch {
	case l.Working > 0 && l.Waiting > 0:
		return words.Many(l.Working, "lane") + " at work, " + strconv.Itoa(l.Waiting) + " waiting"
	case l.Working > 0:
		return words.Many(l.Working, "lane") + " at work"
	case l.Waiting > 0:
		return words.Many(l.Waiting, "lane") + " waiting"
	}
	return ""
}

// lanesOf says what a stop would meet.
func lanesOf(w run.Watched) string {
	said := words.Many(w.Lanes.Working, "agent") + " at work"
	if w.Lanes.Waiting > 0 {
		said += ", " + words.Many(w.Lanes.Waiting, "lane") + " waiting"
	}
	if w.Lanes.Queued > 0 {
		said += ", " + words.Many(w.Lanes.Queued, "task") + " queued"
	}
	return said + "."
}

// columns are the widths of the rows seen. They hardly depend on the rows, so that nothing
// jumps while one scrolls; there is room for a countdown where any run is limited.
func (m Model) columns(width int, rows []drawn) []int {
	word, left := 9, 5
	for _, d := range rows {
		word, left = max(word, ansi.StringWidth(d.word)), max(left, ansi.StringWidth(d.left))
	}
	name := min(max(12, width/8), 28)
	want := min(max(name, width/5), 28)
	if width < narrow { // there is no room for what it does
		want = width
	}
	c := []layout.Column{
		{Min: 1, Rank: 0},                                     // cursor
		{Min: 1, Rank: 1},                                     // glyph
		{Min: word, Rank: 2},                                  // word
		{Min: 6, Want: min(7+width/60, 10), Rank: 6},          // agent
		{Min: 7, Rank: 8},                                     // origin
		{Min: name, Want: want, Rank: 3},                      // name
		{Min: max(12, min(width/4, 40)), Rank: 5, Grow: true}, // what it does
		{Min: left, Rank: 4},                                  // countdown
		{Min: 6, Rank: 7},                                     // since its last sign
		{Min: 6, Rank: 9},                                     // tokens
		{Min: 8, Rank: 10},                                    // cost
	}
	if !m.priced {
		c[10] = layout.Column{Min: width, Rank: hiddenRank}
	}
	if m.runs.Count(run.StandingLimited) == 0 {
		c[7] = layout.Column{Min: width, Rank: hiddenRank}
	}
	return layout.Columns(width, pane.Gap, c)
}

func headings(s *styles.Styles, width int, widths []int) string {
	look := s.Pane.Title
	cells := []pane.Cell{
		{Look: s.Gap},
		{Look: s.Gap},
		{Text: "state", Look: look},
		{Text: "agent", Look: look},
		{Text: "from", Look: look},
		{Text: "name", Look: look},
		{Text: "what it does", Look: look},
		{Text: "left", Look: look, Right: true},
		{Text: "seen", Look: look, Right: true},
		{Text: "tokens", Look: look, Right: true},
		{Text: "cost", Look: look, Right: true},
	}
	return pane.Row(s, width, widths, cells)
}

func (m Model) row(d drawn, selected bool, width int, widths []int) string {
	s := m.options.Styles.On(selected && !m.onFamilies)
	return pane.Row(s, width, widths, []pane.Cell{
		pane.Mark(s, selected, !m.onFamilies),
		{Text: d.glyph, Look: d.look},
		{Text: d.word, Look: d.look},
		{Text: d.agent, Look: s.Row.Target},
		{Text: d.origin, Look: s.Row.Target},
		{Text: d.call, Look: d.name},
		{Text: d.detail, Look: d.said},
		{Text: d.left, Look: s.Row.Clock, Right: true},
		{Text: d.age, Look: s.Row.Detail, Right: true},
		{Text: d.tokens, Look: s.Row.Detail, Right: true},
		{Text: d.cost, Look: s.Row.Detail, Right: true},
	})
}
