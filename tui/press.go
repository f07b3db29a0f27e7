package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/question"
	"example.com/layover/tui/words"
)

// pressed takes a key: suspending and an interrupt before all else, then what lies over the screen,
// then the screen's own keys, then the pane that has the focus.
func (m Model) pressed(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	if key.Matches(msg, m.keys.Suspend) {
		return m, tea.Suspend
	}
	m.notice = pane.Notice{}
	switch {
	case key.Matches(msg, m.keys.Interrupt):
		return m.interrupt()
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
		if !m.going() || m.watching() {
			return m.dismiss()
		}
		return m.ask(m.quitQuestion()), nil
	case key.Matches(msg, k.Dismiss):
		if m.over() {
			return m.close()
		}
		return m, nil
	case key.Matches(msg, k.Help):
		m.showHelp = true
		return m, nil
	case key.Matches(msg, k.Next):
		return m.step(1), nil
	case key.Matches(msg, k.Previous):
		return m.step(-1), nil
	case key.Matches(msg, k.Stop, k.HardStop, k.Wake, k.Clear):
		return m.steer(msg)
	}
	return m.moved(msg)
}

// moved hands a key to the pane that has the focus.
func (m Model) moved(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch m.focus {
	case focusLanes:
		m.lanes, cmd = m.lanes.Update(msg)
	case focusFamilies:
		m.families, cmd = m.families.Update(msg)
	case focusEvents:
		m.events, cmd = m.events.Update(msg)
	}
	return m, cmd
}

// watching reports whether to quit is to look away.
func (m Model) watching() bool { return m.options.Watching || m.options.Listed }

// dismiss closes a screen with nothing to stop: the run is over, or none has begun.
func (m Model) dismiss() (tea.Model, tea.Cmd) {
	if m.over() {
		return m.close()
	}
	return m.leave()
}

// interrupt is ctrl+c: first a soft stop, then a hard one; it never asks. The screen
// closes when the engine has ended.
func (m Model) interrupt() (tea.Model, tea.Cmd) {
	if !m.going() || m.watching() {
		return m.dismiss()
	}
	again := m.interrupted
	m.question, m.showHelp, m.quitting, m.interrupted = question.Model{}, false, true, true
	if again {
		return m, m.send(run.Command{Verb: run.VerbHardStop})
	}
	m.notice = m.noticed("soft stop: ctrl+c again ends the agents now")
	return m, m.send(run.Command{Verb: run.VerbSoftStop})
}

// steer does what a key asks of the run, or says why it cannot be done now.
func (m Model) steer(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	k := m.keys
	if m.options.Unheard != "" {
		m.notice = m.noticed(m.options.Unheard)
		return m, nil
	}
	if !m.going() {
		m.notice = m.noticed("nothing to do: no run is under way")
		return m, nil
	}
	switch {
	case key.Matches(msg, k.Wake):
		return m.wake()
	case key.Matches(msg, k.Clear):
		return m.clear()
	case m.state.Stop == run.StopHard:
		m.notice = m.noticed("a hard stop is under way")
		return m, nil
	case key.Matches(msg, k.HardStop):
		return m.ask(m.hardQuestion()), nil
	case m.state.Stop == run.StopSoft:
		m.quitting, m.interrupted = false, false
		return m, m.send(run.Command{Verb: run.VerbTakeBack})
	}
	return m, m.send(run.Command{Verb: run.VerbSoftStop})
}

func (m Model) wake() (tea.Model, tea.Cmd) {
	l := m.lanes.Selected()
	switch {
	case l == nil:
		m.notice = m.noticed("no lane to wake: select one that waits")
	case l.Wait == nil:
		m.notice = m.noticed("nothing to wake: " + words.Lane(m.state, l) + " is " + l.State.String())
	case m.state.Stop != 0:
		m.notice = m.noticed("not while the run stops; s takes the stop back")
	default:
		return m, m.send(run.Command{Verb: run.VerbWake, Lane: l.ID})
	}
	return m, nil
}

func (m Model) clear() (tea.Model, tea.Cmd) {
	family := m.families.Selected()
	switch {
	case family == "":
		m.notice = m.noticed("no family to clear")
	case !m.closed(family):
		m.notice = m.noticed("nothing to clear: " + words.Name(family) + " is not limited")
	default:
		return m.ask(m.clearQuestion(family)), nil
	}
	return m, nil
}

func (m Model) noticed(message string) pane.Notice { return pane.NewNotice(message, m.options.Tick) }
