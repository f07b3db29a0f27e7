package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
)

// FactsMsg brings facts in their order, none left out. Facts that the screen has
// already are passed over, so a replay may overlap with what comes live.
type FactsMsg struct{ Facts []run.Fact }

// ObservationsMsg brings the newest observations; older ones may be lost.
type ObservationsMsg struct{ Observations []run.Observation }

// TickMsg brings the time of the run's clock. Only the tick that the screen waits
// for, which bears its Tag, counts and asks for the next one.
type TickMsg struct {
	Now time.Time
	Tag int
}

// HostEndedMsg says that the engine has ended: no fact follows and no command is
// obeyed any more. Err is nil unless it failed.
type HostEndedMsg struct {
	Exit int
	Err  error
}

// RestartMsg says that the facts of the run begin anew, from the first: the screen drops
// what it knew of it.
type RestartMsg struct{}

// ChangesMsg brings what is new of all runs on this machine, to the screen that lists them.
type ChangesMsg struct{ Changes run.Changes }

// RunMsg brings a message of this package about one run of many, named by its
// [run.Watched.Key], to the screen that lists them. The first of a run that was opened is a
// RestartMsg, and one that comes later says that its facts begin anew.
type RunMsg struct {
	Key string
	Msg tea.Msg
}

// unheardMsg says that a command could not be given to the engine.
type unheardMsg struct{ err error }

// tick asks for the next look at the clock.
func (m Model) tick() tea.Cmd {
	now, tag := m.options.Now, m.tag
	return tea.Tick(m.options.Tick, func(time.Time) tea.Msg { return TickMsg{Now: now(), Tag: tag} })
}

// send hands a command to the engine.
func (m Model) send(c run.Command) tea.Cmd {
	c.From = "screen"
	send := m.options.Send
	return func() tea.Msg {
		if err := send(c); err != nil {
			return unheardMsg{err}
		}
		return nil
	}
}
