package fleet

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/question"
	"example.com/layover/tui/roster"
	"example.com/layover/tui/words"
)

// chooseFirst is said where a key is about a run, and the families have the keys.
const chooseFirst = "choose a run first: tab"

// Chosen is the run that a key opens, and false if it opens none.
func (m Model) Chosen(msg tea.KeyMsg) (run.Watched, bool) {
	row, any := m.Selected()
	if !any || m.onFamilies || m.showHelp || m.question.Open() || !key.Matches(msg, m.keys.Open) {
		return run.Watched{}, false
	}
	return row.Watched, true
}

// pressed takes a key: what lies over the screen first, then the screen's own keys, then
// the pane that has the focus.
func (m Model) pressed(msg tea.KeyMsg) (Model, tea.Cmd) {
	if key.Matches(msg, m.keys.Suspend) {
		return m, tea.Suspend
	}
	m.notice = pane.Notice{}
	if m.selected == "" { // whoever presses a key looks at the run that the cursor is on
		m = m.choose()
	}
	switch {
	case msg.Type == tea.KeyCtrlC:
		return m.leave()
	case m.showHelp:
		m.showHelp = false
		return m, nil
	case m.question.Open():
		next, id, done := m.question.Update(msg)
		m.question = next
		if done {
			return m.answered(id)
		}
		return m, nil
	}
	switch k := m.keys; {
	case key.Matches(msg, k.Quit):
		return m.leave()
	case key.Matches(msg, k.Help):
		m.showHelp = true
		return m, nil
	case key.Matches(msg, k.Next):
		m.onFamilies = !m.onFamilies && !m.layout.Families.Empty()
		return m, nil
	case m.onFamilies && key.Matches(msg, k.Open, k.Stop, k.HardStop, k.Wake, k.Clear):
		return m.Notice(chooseFirst), nil
	case key.Matches(msg, k.Open): // see Chosen
		return m, nil
	case key.Matches(msg, k.Stop, k.HardStop, k.Wake, k.Clear):
		return m.steer(msg)
	}
	return m.moved(msg), nil
}

// leave closes the screen; nothing stops by it.
func (m Model) leave() (Model, tea.Cmd) {
	m.left = true
	return m, tea.Quit
}

func (m Model) moved(msg tea.KeyMsg) Model {
	if m.onFamilies {
		m.familyRow = m.keys.Move.Moved(m.familyRow, msg)
		return m
	}
	if next := m.keys.Move.Moved(m.list, msg); next != m.list {
		m.list = next
		return m.choose()
	}
	return m
}

// steer asks before what a key does to the run that is selected, or says why it cannot be
// done.
func (m Model) steer(msg tea.KeyMsg) (Model, tea.Cmd) {
	row, any := m.Selected()
	if !any {
		return m.Notice("no run is selected"), nil
	}
	name := words.Watched(row.Watched)
	switch {
	case row.Unheard != "":
		return m.Notice(row.Unheard), nil
	case !row.Standing.Live():
		return m.Notice("nothing to do: " + name + " is " + row.Standing.String()), nil
	case key.Matches(msg, m.keys.Wake, m.keys.Clear):
		return m.Notice("open the run with enter first"), nil
	case row.Stop == run.StopHard:
		return m.Notice("a hard stop of " + name + " is under way"), nil
	case key.Matches(msg, m.keys.HardStop):
		hint := "ends its agents now"
		if n := row.Lanes.Working; n > 0 {
			hint = "ends " + words.Many(n, "agent") + " now"
		}
		return m.ask(row, "Stop "+name+" now?", question.Choice{
			ID: run.VerbHardStop.String(), Key: "y", Label: "hard stop", Hint: hint,
		}), nil
	case row.Stop == run.StopSoft:
		return m, m.send(row, run.VerbTakeBack)
	}
	return m.ask(row, "Stop "+name+" softly?", question.Choice{
		ID: run.VerbSoftStop.String(), Key: "y", Label: "soft stop", Hint: "agents finish, parks end within 30 s",
	}), nil
}

// ask names the run by its id too: two can have one name.
func (m Model) ask(row roster.Row, title string, yes question.Choice) Model {
	m.asked = row.Key
	m.question = question.New(m.options.Styles, title, []string{called(row), lanesOf(row.Watched)},
		[]question.Choice{yes, {Key: "esc", Label: "cancel"}}).Careful()
	return m
}

// answered sends what was chosen.
func (m Model) answered(id string) (Model, tea.Cmd) {
	row, still := m.runs.Get(m.asked)
	switch {
	case id == "":
		return m, nil
	case !still || !row.Standing.Live():
		return m.Notice("not asked: it has ended meanwhile"), nil
	}
	if id == run.VerbHardStop.String() {
		return m, m.send(row, run.VerbHardStop)
	}
	return m, m.send(row, run.VerbSoftStop)
}

// send asks something of a run, and tells that it was asked.
func (m Model) send(row roster.Row, verb run.Verb) tea.Cmd {
	send, key, name := m.options.Send, row.Key, words.Watched(row.Watched)
	said := "soft stop asked of " + name
	switch verb {
	case run.VerbHardStop:
		said = "hard stop asked of " + name
	case run.VerbTakeBack:
		said = name + " is asked to go on"
	}
	return func() tea.Msg {
		if err := send(key, run.Command{Verb: verb, From: "screen"}); err != nil {
			return unheardMsg{err}
		}
		return sentMsg{said}
	}
}
