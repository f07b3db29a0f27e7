package question

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/styles"
)

// Choice is one answer.
type Choice struct {
	// ID tells the asker what was chosen; the empty ID cancels.
	ID string
	// Key takes the choice at once; Label says what it does, Hint what follows.
	Key, Label, Hint string
}

// KeyMap is the keys of a question, besides those of its choices.
type KeyMap struct{ Up, Down, Choose, Cancel key.Binding }

// DefaultKeyMap gives arrows, enter and esc.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Up:     key.NewBinding(key.WithKeys("up", "k", "shift+tab"), key.WithHelp("↑", "up")),
		Down:   key.NewBinding(key.WithKeys("down", "j", "tab"), key.WithHelp("↓", "down")),
		Choose: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "choose")),
		Cancel: key.NewBinding(key.WithKeys("esc", "q", "n"), key.WithHelp("esc", "cancel")),
	}
}

// Model is a question. The zero value is not open.
type Model struct {
	styles  *styles.Styles
	keys    KeyMap
	title   string
	text    []string
	choices []Choice
	cursor  int
	open    bool
}

// New asks a question; the last choice should cancel. The cursor stands on the
// first choice. Everything must be fit to be shown.
func New(s *styles.Styles, title string, text []string, choices []Choice) Model {
	return Model{styles: s, keys: DefaultKeyMap(), title: title, text: text, choices: choices, open: len(choices) > 0}
}

// Careful puts the cursor on the last choice, the one that cancels.
func (m Model) Careful() Model {
	m.cursor = len(m.choices) - 1
	return m
}

// Open reports whether the question waits for an answer.
func (m Model) Open() bool { return m.open }

// Update takes a key. Once it is answered the question is closed, and the ID of the
// choice is returned with done; a cancelled question has the empty ID.
func (m Model) Update(msg tea.KeyMsg) (next Model, id string, done bool) {
	if !m.open {
		return m, "", false
	}
	for _, c := range m.choices {
		if c.Key != "" && msg.String() == c.Key {
			return Model{}, c.ID, true
		}
	}
	switch {
	case key.Matches(msg, m.keys.Cancel):
		return Model{}, "", true
	case key.Matches(msg, m.keys.Choose):
		return Model{}, m.choices[m.cursor].ID, true
	case key.Matches(msg, m.keys.Up):
		m.cursor = (m.cursor + len(m.choices) - 1) % len(m.choices)
	case key.Matches(msg, m.keys.Down):
		m.cursor = (m.cursor + 1) % len(m.choices)
	}
	return m, "", false
}
