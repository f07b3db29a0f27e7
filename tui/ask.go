package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui/question"
	"example.com/layover/tui/words"
)

// The answers that questions know.
const (
	answerSoft  = "soft"
	answerLeave = "leave"
	answerHard  = "hard"
	// answerClear is followed by the family.
	answerClear = "clear "
)

// ask lays a question over the screen.
func (m Model) ask(q question.Model) Model {
	m.question = q
	return m
}

var cancelChoice = question.Choice{Key: "esc", Label: "cancel"}

func (m Model) quitQuestion() question.Model {
	soft := question.Choice{ID: answerSoft, Key: "s", Label: "soft stop and wait", Hint: "agents finish, parks end within 30 s"}
	if m.state.Stop != 0 {
		soft.Label, soft.Hint = "wait", "the stop is under way; then close"
	}
	leave := question.Choice{ID: answerLeave, Key: "l", Label: "leave", Hint: "agents finish alone; layover resume goes on"}
	if m.state.Program.OnDeath == "end" {
		leave.Hint = "agents end in 30 s unless the run is resumed"
	}
	return question.New(m.options.Styles, "Quit?", []string{m.standing()}, []question.Choice{soft, leave, m.hardChoice("h"), cancelChoice})
}

func (m Model) hardQuestion() question.Model {
	return question.New(m.options.Styles, "Stop everything now?", []string{m.standing()}, []question.Choice{m.hardChoice("y"), cancelChoice}).Careful()
}

func (m Model) hardChoice(letter string) question.Choice {
	working, _ := m.counts()
	return question.Choice{ID: answerHard, Key: letter, Label: "hard stop", Hint: "ends " + words.Many(working, "agent") + " now"}
}

func (m Model) clearQuestion(family string) question.Model {
	name := words.Name(family)
	return question.New(m.options.Styles, "Clear "+name+"?", []string{
		"Its windows close, and the next agent is started", "into it at once.",
	}, []question.Choice{{ID: answerClear + family, Key: "y", Label: "clear " + name}, cancelChoice}).Careful()
}

// standing says what a stop would meet.
func (m Model) standing() string {
	working, waiting := m.counts()
	said := words.Many(working, "agent") + " at work"
	if waiting > 0 {
		said += ", " + words.Many(waiting, "lane") + " waiting"
	}
	if n := len(m.state.Queue); n > 0 {
		said += ", " + words.Many(n, "task") + " queued"
	}
	return said + "."
}

func (m Model) counts() (working, waiting int) {
	for _, id := range m.state.Open {
		if l := m.state.Lane(id); l.State == run.LaneWorking {
			working++
		} else {
			waiting++
		}
	}
	return working, waiting
}

// answered does what was chosen; the run may have gone on meanwhile.
func (m Model) answered(id string) (tea.Model, tea.Cmd) {
	if !m.going() {
		return m, nil
	}
	switch {
	case id == answerSoft:
		m.quitting = true
		if m.state.Stop != 0 {
			return m, nil
		}
		return m, m.send(run.Command{Verb: run.VerbSoftStop})
	case id == answerLeave:
		return m.leave()
	case id == answerHard:
		m.quitting = true
		return m, m.send(run.Command{Verb: run.VerbHardStop})
	case len(id) > len(answerClear) && id[:len(answerClear)] == answerClear:
		return m, m.send(run.Command{Verb: run.VerbClear, Family: id[len(answerClear):]})
	}
	return m, nil
}
