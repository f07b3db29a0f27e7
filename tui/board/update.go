package board

import (
	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// openMsg is a message from a command of the screen of a run.
type openMsg struct {
	of  visit
	msg tea.Msg
}

// askedMsg says that Open or Leave has returned.
type askedMsg struct {
	of  visit
	err error
}

// Update implements [tea.Model]: it hands each message to whom it is for.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.size = msg
		next, cmd := m.toOpen(msg)
		next.fleet, _ = next.fleet.Update(msg)
		return next, cmd
	case tea.KeyMsg:
		return m.pressed(msg)
	case tui.RunMsg:
		if msg.Key == m.opened.key {
			return m.toOpen(msg.Msg)
		}
		return m, nil
	case openMsg:
		return m.fromOpen(msg)
	case askedMsg:
		return m.asked(msg)
	}
	return m.toFleet(msg)
}

// pressed hands a key to what is shown. To interrupt is to quit, wherever it is.
func (m Model) pressed(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	if msg.Type == tea.KeyCtrlC {
		return m.toFleet(msg)
	}
	if m.opened != (visit{}) {
		return m.toOpen(msg)
	}
	if w, ok := m.fleet.Chosen(msg); ok {
		m.fleet, _ = m.fleet.Update(msg)
		return m.show(w)
	}
	return m.toFleet(msg)
}

// toFleet hands a message to the list.
func (m Model) toFleet(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	m.fleet, cmd = m.fleet.Update(msg)
	return m, cmd
}

// toOpen hands a message to the screen of the open run, if there is one.
func (m Model) toOpen(msg tea.Msg) (Model, tea.Cmd) {
	if m.opened == (visit{}) {
		return m, nil
	}
	next, cmd := m.open.Update(msg)
	m.open = next.(tui.Model)
	return m, m.marked(cmd)
}

// marked lets what a command of the open run's screen returns come back to it alone.
func (m Model) marked(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	of := m.opened
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case nil:
			return nil
		case tea.SuspendMsg: // of the whole program
			return msg
		default:
			return openMsg{of, msg}
		}
	}
}

// fromOpen hands a message back to the screen that it is from. To quit that is to go back
// to the list.
func (m Model) fromOpen(msg openMsg) (tea.Model, tea.Cmd) {
	if msg.of != m.opened {
		return m, nil
	}
	if _, quit := msg.msg.(tea.QuitMsg); quit {
		m.open, m.opened = tui.Model{}, visit{}
		return m.feed()
	}
	return m.toOpen(msg.msg)
}

// show shows a run.
func (m Model) show(w run.Watched) (tea.Model, tea.Cmd) {
	m.visits++
	m.opened = visit{w.Key, w.Origin, m.visits}
	m.open = m.options.screenOf(w)
	next, _ := m.toOpen(m.size)
	init := next.marked(next.open.Init())
	fed, cmd := next.feed()
	return fed, tea.Batch(init, cmd)
}

// feed sees to it that the program feeds the screen with the run that is shown: one is left
// before the next is opened.
func (m Model) feed() (tea.Model, tea.Cmd) {
	if m.asking || m.fed == m.opened {
		return m, nil
	}
	m.asking = true
	if left := m.fed; left != (visit{}) {
		m.fed = visit{}
		leave := m.options.Leave
		return m, func() tea.Msg {
			leave(left.key)
			return askedMsg{of: left}
		}
	}
	m.fed = m.opened
	of, open := m.opened, m.options.Open
	return m, func() tea.Msg { return askedMsg{of, open(of.key, of.origin)} }
}

// asked takes note that Open or Leave has returned. A run that could not be opened is left.
func (m Model) asked(msg askedMsg) (tea.Model, tea.Cmd) {
	m.asking = false
	if msg.err != nil {
		if msg.of == m.fed {
			m.fed = visit{} // nothing was begun
		}
		if msg.of == m.opened {
			m.open, m.opened = tui.Model{}, visit{}
		}
		m.fleet = m.fleet.Notice("not opened: " + msg.err.Error())
	}
	return m.feed()
}
