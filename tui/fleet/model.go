package fleet

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/question"
	"example.com/layover/tui/roster"
)

// wideFrom is the width from which the families stand beside the runs, whose rows are long.
const wideFrom = 170

// Model is the screen. It is made by [New] and used by one tea.Program.
type Model struct {
	options Options
	keys    KeyMap
	now     time.Time
	tag     int
	w, h    int
	layout  layout.Layout

	// runs is changed in Update alone; everything else reads it.
	runs *roster.Roster
	list pane.List
	// selected is the run that the cursor keeps to; empty until a key is pressed: then it
	// stays on the first row, whatever that is.
	selected string

	families  []run.FamilySeen
	familyRow pane.List
	// families has the keys, not the list of runs.
	onFamilies bool

	usage   run.Usage
	notes   []string
	reading reading
	// priced is set once a run was told of whose cost is known.
	priced bool
	// told is set once something was heard of the runs.
	told bool

	question question.Model
	// asked is the run that the question is about.
	asked    string
	showHelp bool
	notice   pane.Notice
	left     bool
}

// New makes a screen that knows of no run yet.
func New(o Options) Model {
	return Model{options: o.WithDefaults(), keys: DefaultKeyMap(), runs: roster.New()}
}

// Init looks at the clock at once.
func (m Model) Init() tea.Cmd {
	now, tag := m.options.Now, m.tag
	return func() tea.Msg { return tui.TickMsg{Now: now(), Tag: tag} }
}

// Left reports whether the operator has quit.
func (m Model) Left() bool { return m.left }

// Selected is the run under the cursor, and false if there is none.
func (m Model) Selected() (roster.Row, bool) { return m.runs.At(m.list.Cursor) }

// Get is the run of a key, and false if there is none.
func (m Model) Get(key string) (roster.Row, bool) { return m.runs.Get(key) }

// settle keeps the cursor on the run that was selected.
func (m Model) settle() Model {
	m.list = m.list.Count(m.runs.Len())
	if m.selected == "" {
		m.list = m.list.To(0)
	} else if row := m.runs.Find(m.selected); row >= 0 {
		m.list = m.list.To(row)
	} else { // it is gone: whoever has its row is selected
		m = m.choose()
	}
	return m
}

// choose keeps to the run under the cursor from now on.
func (m Model) choose() Model {
	row, _ := m.Selected()
	m.selected = row.Key
	return m
}

// arrange divides the screen by what the parts want now. Families have a pane once one is
// known.
func (m Model) arrange() Model {
	frame := m.options.Styles.Pane.Border.GetVerticalFrameSize()
	families := m.familyRows()
	wants := layout.Wants{
		Header: m.headerRows(), Lanes: max(4, m.runs.Len()+1) + frame, Footer: 1, Wide: wideFrom,
	}
	if len(families) > 0 {
		wants.Families = m.familiesWant(families) + frame
	}
	m.layout = layout.Compute(m.w, m.h, wants)
	if !m.layout.Wide && m.layout.Families.H < wants.Families { // then they are told in a row each
		wants.Families = len(families) + frame
		m.layout = layout.Compute(m.w, m.h, wants)
	}
	_, inner := m.runsFrame().Inner(m.layout.Lanes.W, m.layout.Lanes.H)
	m.list = m.list.Height(inner - m.headings(inner))
	_, inner = m.familiesFrame().Inner(m.layout.Families.W, m.layout.Families.H)
	m.familyRow = m.familyRow.Count(len(families)).Height(inner)
	if m.layout.Families.Empty() {
		m.onFamilies = false
	}
	return m.settle()
}
