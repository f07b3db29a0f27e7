package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/question"
)

// Update implements [tea.Model]. It reads no clock and does no I/O: what the operator
// asks for is sent by the command it returns.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return m.arrange(), nil
	case TickMsg:
		return m.ticked(msg)
	case FactsMsg:
		return m.applied(msg.Facts), nil
	case ObservationsMsg:
		return m.observed(msg.Observations), nil
	case RestartMsg:
		return m.restarted(), nil
	case unheardMsg:
		m.notice = m.noticed("not asked: " + msg.err.Error())
		return m, nil
	case HostEndedMsg:
		return m.hostEnded(msg)
	case tea.KeyMsg:
		return m.pressed(msg)
	}
	return m, nil
}

// ticked takes the time of the tick it waits for; others are left over.
func (m Model) ticked(msg TickMsg) (tea.Model, tea.Cmd) {
	if msg.Tag != m.tag {
		return m, nil
	}
	m.tag++
	m.notice = m.notice.Aged()
	m = m.at(msg.Now)
	return m, m.tick()
}

// at sets the time; that of a run which has ended stands still.
func (m Model) at(now time.Time) Model {
	m.events = m.events.At(now)
	if m.state.Phase == run.PhaseEnded {
		now = m.state.EndedAt
	}
	m.now = now
	m.lanes, m.families = m.lanes.Now(now), m.families.Now(now)
	return m
}

// applied takes over facts. Those that it has already are passed over; once one is
// missing the state means nothing any more, and the screen says so.
func (m Model) applied(facts []run.Fact) Model {
	for _, f := range facts {
		if m.lost != nil || f.Seq <= m.state.Seq {
			continue
		}
		if f.Body == nil && f.Seq == m.state.Seq+1 { // of a newer version
			m.state.Skip(f)
			continue
		}
		if err := m.state.Apply(f); err != nil {
			m.lost = fmt.Errorf("follow the run: %w", err)
			continue
		}
		m.events = m.events.Add(m.state, f)
		m.lanes = m.lanes.Facts([]run.Fact{f})
		switch b := f.Body.(type) {
		case run.Notice:
			m.notice = m.noticed(b.Message)
		case run.RunResumed: // what the last owner was told is over
			m.notice = pane.Notice{}
		}
	}
	if m.state.LastAt.After(m.now) {
		m = m.at(m.state.LastAt)
	}
	if m.state.Phase == run.PhaseEnded {
		m.question = question.Model{}
	}
	return m.arrange()
}

// restarted is the screen before the first fact, at the same time and in the same size.
func (m Model) restarted() Model {
	next := New(m.options).refocus(m.focus)
	next.tag, next.w, next.h, next.showHelp = m.tag, m.w, m.h, m.showHelp
	return next.at(m.now).arrange()
}

func (m Model) hostEnded(msg HostEndedMsg) (tea.Model, tea.Cmd) {
	m.host, m.question = &msg, question.Model{}
	if m.quitting && msg.Err == nil {
		return m.close()
	}
	return m, nil
}

// close ends the screen of a run that is over.
func (m Model) close() (tea.Model, tea.Cmd) {
	m.outcome = OutcomeFinished
	return m, tea.Quit
}

// leave ends the screen of a run that goes on.
func (m Model) leave() (tea.Model, tea.Cmd) {
	m.outcome = OutcomeLeft
	leave := m.options.Leave
	return m, func() tea.Msg {
		leave()
		return tea.Quit()
	}
}

// arrange divides the screen among the parts by what they want now.
func (m Model) arrange() Model {
	header := headerRows
	if m.trouble != "" {
		header++
	}
	m.layout = layout.Compute(m.w, m.h, layout.Wants{
		Header: header, Lanes: m.lanes.Want(), Families: m.families.Want(), Events: 1, Footer: 1,
	})
	l := m.layout
	m.lanes = m.lanes.SetSize(l.Lanes.W, l.Lanes.H)
	m.families = m.families.SetSize(l.Families.W, l.Families.H)
	m.events = m.events.SetSize(l.Events.W, l.Events.H)
	return m
}
