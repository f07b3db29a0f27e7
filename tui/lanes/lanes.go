package lanes

import (
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/pane"
)

// queuedMax is how many tasks of the queue have a row of their own.
const queuedMax = 3

// Model is the pane. It is used through [New].
type Model struct {
	styles *styles.Styles
	zone   *time.Location
	state  *run.State
	keys   pane.KeyMap
	now    time.Time
	// seen is the newest activity of each open lane, with its attempt.
	seen map[run.LaneID]seen
	// ended are the lanes that have ended, the oldest first.
	ended    []run.LaneID
	list     pane.List
	selected run.LaneID
	focused  bool
	w, h     int
}

type seen struct {
	attempt  run.AttemptID
	activity run.Activity
}

// New makes the pane of a state, which others change by its facts; instants are
// shown in zone.
func New(s *styles.Styles, state *run.State, zone *time.Location) Model {
	return Model{styles: s, state: state, zone: zone, keys: pane.DefaultKeyMap(), seen: map[run.LaneID]seen{}}
}

// Update moves the cursor by a key.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	if press, ok := msg.(tea.KeyMsg); ok {
		m.list = m.keys.Moved(m.list, press)
		m.selected = m.id(m.list.Cursor)
	}
	return m, nil
}

// Facts takes facts that have been applied to the state.
func (m Model) Facts(facts []run.Fact) Model {
	for _, f := range facts {
		if _, ok := f.Body.(run.LaneEnded); ok {
			m.ended = append(m.ended, f.Lane)
			delete(m.seen, f.Lane)
		}
	}
	return m.settle()
}

// Observe takes what was seen of a lane; the newest wins.
func (m Model) Observe(o run.Observation) Model {
	if a, ok := o.Body.(run.Activity); ok && slices.Contains(m.state.Open, o.Lane) {
		m.seen[o.Lane] = seen{o.Attempt, a}
	}
	return m
}

// Now sets the instant for which waits are shown.
func (m Model) Now(now time.Time) Model {
	m.now = now
	return m
}

// SetSize gives the pane w columns and h rows, its frame included.
func (m Model) SetSize(w, h int) Model {
	m.w, m.h = w, h
	return m.settle()
}

// Focus tells whether the keys go to this pane.
func (m Model) Focus(on bool) Model {
	m.focused = on
	return m
}

// Selected is the lane under the cursor; nil if there is none.
func (m Model) Selected() *run.Lane { return m.state.Lane(m.id(m.list.Cursor)) }

// Want is how many rows the pane would like to have, its frame included.
func (m Model) Want() int {
	return max(1, m.rows()) + m.styles.Pane.Border.GetVerticalFrameSize()
}

// settle keeps the cursor on the lane that was selected while that is open.
func (m Model) settle() Model {
	_, inner := m.frame().Inner(m.w, m.h)
	m.list = m.list.Count(m.rows()).Height(inner)
	if at := slices.Index(m.state.Open, m.selected); at >= 0 {
		m.list = m.list.To(at)
	}
	m.selected = m.id(m.list.Cursor)
	return m
}

// queued is how many tasks of the queue are shown.
func (m Model) queued() int {
	if m.state.Phase == run.PhaseEnded {
		return 0
	}
	return min(len(m.state.Queue), queuedMax)
}

func (m Model) rows() int { return len(m.state.Open) + m.queued() + len(m.ended) }

// id is the lane of a row; zero for a task of the queue and for no row.
func (m Model) id(row int) run.LaneID {
	open, queued := len(m.state.Open), m.queued()
	switch {
	case row < 0 || row >= m.rows():
		return 0
	case row < open:
		return m.state.Open[row]
	case row < open+queued:
		return 0
	}
	return m.ended[len(m.ended)-1-(row-open-queued)]
}

// View draws the pane; empty if it has no room.
func (m Model) View() []string {
	f := m.frame()
	innerW, innerH := f.Inner(m.w, m.h)
	from, to := m.list.Window()
	lines := make([]string, 0, innerH)
	widths := m.columns(innerW, from, to)
	for row := from; row < to; row++ {
		lines = append(lines, m.row(row, innerW, widths))
	}
	if m.rows() == 0 {
		lines = append(lines, m.styles.Pane.Empty.Render(" no lane yet"))
	}
	return f.Draw(m.w, m.h, lines)
}

func (m Model) frame() pane.Frame {
	note := pane.Parts(m.styles, some(len(m.state.Open), "open"), some(len(m.state.Queue), "queued"), some(len(m.ended), "ended"))
	return pane.Frame{Styles: m.styles, Title: "Lanes", Note: note, Focused: m.focused}
}

func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, what)
}
