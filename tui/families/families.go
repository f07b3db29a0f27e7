package families

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/words"
)

// Model is the pane. It is used through [New].
type Model struct {
	styles *styles.Styles
	zone   *time.Location
	state  *run.State
	keys   pane.KeyMap
	now    time.Time
	// gauges are what was told of usage windows last, by family.
	gauges  map[string][]run.Reading
	list    pane.List
	focused bool
	w, h    int
}

// New makes the pane of a state, which others change by its facts; instants are
// shown in zone.
func New(s *styles.Styles, state *run.State, zone *time.Location) Model {
	return Model{styles: s, state: state, zone: zone, keys: pane.DefaultKeyMap(), gauges: map[string][]run.Reading{}}
}

// Update moves the cursor by a key.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	if press, ok := msg.(tea.KeyMsg); ok {
		m.list = m.keys.Moved(m.list.Count(len(m.rows())), press)
	}
	return m, nil
}

// Observe takes what was told of the usage windows of a family; the newest wins.
func (m Model) Observe(o run.Observation) Model {
	if b, ok := o.Body.(run.Gauges); ok && m.state.Family(b.Family) != nil {
		m.gauges[b.Family] = run.WithReadings(m.gauges[b.Family], b.Readings...)
	}
	return m
}

// Now sets the instant for which windows are shown.
func (m Model) Now(now time.Time) Model {
	m.now = now
	return m
}

// SetSize gives the pane w columns and h rows, its frame included.
func (m Model) SetSize(w, h int) Model {
	m.w, m.h = w, h
	return m
}

// Focus tells whether the keys go to this pane.
func (m Model) Focus(on bool) Model {
	m.focused = on
	return m
}

// Selected is the name of the family under the cursor; empty if there is none.
func (m Model) Selected() string {
	rows := m.rows()
	at := m.list.Count(len(rows)).Cursor
	if at >= len(rows) {
		return ""
	}
	return rows[at].family
}

// Want is how many rows the pane would like to have, its frame included: one for each
// family and window, and one below for what there is to know of it.
func (m Model) Want() int {
	lines := 0
	for _, r := range m.rows() {
		lines += 1 + len(m.below(r, detailLine, notesMin))
	}
	return max(1, lines) + m.styles.Pane.Border.GetVerticalFrameSize()
}

// row is one line of the pane: a family, or one more window of it.
type row struct {
	family string
	// window is what binds it; nil if nothing does.
	window *run.Window
	// known is what the run knows of the family; nil on the rows after the first.
	known *run.Family
}

// rows lists every family with the windows on it, the gravest first. Windows on
// families that are not in the program's order come last.
func (m Model) rows() []row {
	var rows []row
	known := map[string]bool{}
	for _, f := range m.state.Families {
		known[f.Name] = true
		on := m.windows(f.Name)
		if len(on) == 0 || on[0].Model != "" {
			rows = append(rows, row{family: f.Name, known: f})
		}
		for i, w := range on {
			r := row{family: f.Name, window: w}
			if i == 0 && w.Model == "" {
				r.known = f
			}
			rows = append(rows, r)
		}
	}
	for _, w := range m.state.Windows {
		if !known[w.Family] {
			rows = append(rows, row{family: w.Family, window: w})
		}
	}
	return rows
}

// windows lists the open windows of a family: of the whole family before those of
// a model, those that need the operator first.
func (m Model) windows(family string) []*run.Window {
	var on []*run.Window
	for _, model := range []bool{false, true} {
		for _, sort := range []run.Sort{run.SortLogin, run.SortLimit, run.SortHealth} {
			for _, w := range m.state.Windows {
				if w.Family == family && w.Sort == sort && (w.Model != "") == model {
					on = append(on, w)
				}
			}
		}
	}
	return on
}

// View draws the pane; empty if it has no room. It tells as much as there is room
// for: all below the rows, or a line below each, or only what fits into the rows.
func (m Model) View() []string {
	f := pane.Frame{Styles: m.styles, Title: "Families", Note: m.note(), Focused: m.focused}
	innerW, innerH := f.Inner(m.w, m.h)
	rows := m.rows()
	if len(rows) == 0 {
		return f.Draw(m.w, m.h, []string{m.styles.Pane.Empty.Render(" no family yet")})
	}
	list := m.list.Count(len(rows)).Height(innerH)
	from, to := list.Window()
	level := m.level(rows, innerW, innerH)
	widths := m.columns(innerW, rows[from:to], level)
	var lines []string
	for i := from; i < to; i++ {
		lines = append(lines, m.row(rows[i], i == list.Cursor, innerW, widths, level))
		lines = append(lines, m.indented(m.below(rows[i], level, innerW-notesIndent))...)
	}
	return f.Draw(m.w, m.h, lines)
}

// level is how much can be told of all rows in a size.
func (m Model) level(rows []row, w, h int) detail {
	for _, level := range []detail{detailFull, detailLine} {
		lines := 0
		for _, r := range rows {
			lines += 1 + len(m.below(r, level, w-notesIndent))
		}
		if lines <= h {
			return level
		}
	}
	return detailRow
}

// note sums up what the breaker has saved.
func (m Model) note() string {
	if n := m.state.Counts.Refused; n > 0 {
		return words.Many(n, "spawn") + " refused"
	}
	return ""
}
