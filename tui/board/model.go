package board

import (
	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
	"example.com/layover/tui/fleet"
)

// Model is the screen. It is made by [New] and used by one tea.Program.
type Model struct {
	options Options
	size    tea.WindowSizeMsg
	fleet   fleet.Model
	// open is the screen of a run, and who it is of; zero while the list is shown.
	open   tui.Model
	opened visit
	// visits counts the runs that were opened.
	visits int

	// fed is whom the program feeds the screen with; zero if nobody.
	fed visit
	// asking is set while Open or Leave is under way.
	asking bool
}

// visit is one time that a run is opened. The zero value is none.
type visit struct {
	key    string
	origin run.Origin
	n      int
}

var _ tea.Model = Model{}

// New makes a screen that knows of no run yet.
func New(o Options) Model {
	o = o.withDefaults()
	return Model{options: o, fleet: fleet.New(o.Options)}
}

// Init implements [tea.Model].
func (m Model) Init() tea.Cmd { return m.fleet.Init() }

// View implements [tea.Model]. It only reads.
func (m Model) View() string {
	if m.opened != (visit{}) {
		return m.open.View()
	}
	return m.fleet.View()
}

// Outcome tells how the screen was left: to quit is to look away. It is zero until then.
func (m Model) Outcome() tui.Outcome {
	if m.fleet.Left() {
		return tui.OutcomeLeft
	}
	return 0
}

// Opened is the key of the run that is shown; empty while the list is.
func (m Model) Opened() string { return m.opened.key }
