package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui/events"
	"example.com/layover/tui/families"
	"example.com/layover/tui/lanes"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/question"
)

// focus is the pane that the keys go to.
type focus int

const (
	focusLanes focus = iota + 1
	focusFamilies
	focusEvents
)

// Model is the screen. It is made by [New] and used by one tea.Program.
type Model struct {
	options Options
	keys    KeyMap

	// state is changed by facts in Update alone; the panes read it.
	state *run.State
	now   time.Time
	tag   int

	w, h   int
	layout layout.Layout

	lanes    lanes.Model
	families families.Model
	events   events.Model
	focus    focus
	question question.Model
	showHelp bool
	notice   pane.Notice

	// host is what the engine ended with; nil while it goes on.
	host *HostEndedMsg
	// trouble is why the run cannot be saved, as it was said; empty if it can.
	trouble  string
	troubled run.Trouble // what the trouble is
	// lost is why the screen cannot follow the facts any more; nil if it can.
	lost error
	// quitting is set once the screen closes by itself when the engine has ended.
	quitting bool
	// interrupted is set by the first ctrl+c: the second one stops hard.
	interrupted bool
	outcome     Outcome
}

var _ tea.Model = Model{}

// New makes a screen that knows of no run yet.
func New(o Options) Model {
	o = o.withDefaults()
	state := &run.State{}
	m := Model{
		options: o, keys: DefaultKeyMap(), state: state, focus: focusLanes,
		lanes:    lanes.New(o.Styles, state, o.Zone),
		families: families.New(o.Styles, state, o.Zone),
		events:   events.New(o.Styles, o.Zone),
	}
	if o.Watching || o.Listed {
		m.keys.Interrupt.SetHelp("ctrl+c", "quit")
	}
	if o.Listed {
		m.keys.Quit.SetKeys("q", "esc", "backspace")
		m.keys.Quit.SetHelp("esc/q", "back to all runs")
	}
	m.keys.Unheard.SetEnabled(o.Unheard != "")
	return m.refocus(focusLanes)
}

// Init implements [tea.Model]; it looks at the clock at once.
func (m Model) Init() tea.Cmd {
	now, tag := m.options.Now, m.tag
	return func() tea.Msg { return TickMsg{Now: now(), Tag: tag} }
}

// Outcome tells how the screen was left; see [Outcome]. It is known once the program
// has ended.
func (m Model) Outcome() Outcome { return m.outcome }

// Host is what the engine ended with, and false while it goes on.
func (m Model) Host() (HostEndedMsg, bool) {
	if m.host == nil {
		return HostEndedMsg{}, false
	}
	return *m.host, true
}

// going reports whether there is a run that obeys commands.
func (m Model) going() bool {
	return m.state.Phase != 0 && m.state.Phase != run.PhaseEnded && m.host == nil
}

// over reports whether nothing goes on that closing the screen could disturb.
func (m Model) over() bool { return m.host != nil || m.state.Phase == run.PhaseEnded }

// refocus gives the keys to a pane.
func (m Model) refocus(f focus) Model {
	m.focus = f
	m.lanes = m.lanes.Focus(f == focusLanes)
	m.families = m.families.Focus(f == focusFamilies)
	m.events = m.events.Focus(f == focusEvents)
	return m
}

// step moves the focus to the next pane that is seen, or to the one before.
func (m Model) step(by int) Model {
	seen := map[focus]bool{
		focusLanes: !m.layout.Lanes.Empty(), focusFamilies: !m.layout.Families.Empty(), focusEvents: !m.layout.Events.Empty(),
	}
	at := int(m.focus) - int(focusLanes)
	for range 3 {
		at = (at + by + 3) % 3
		if f := focusLanes + focus(at); seen[f] {
			return m.refocus(f)
		}
	}
	return m
}
