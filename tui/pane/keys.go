package pane

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// KeyMap is the keys by which every pane moves.
type KeyMap struct {
	Up, Down, PageUp, PageDown, Top, Bottom key.Binding
}

// DefaultKeyMap gives the arrows, and the letters for those who stay on them.
func DefaultKeyMap() KeyMap {
	bind := func(keys []string, label, what string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, what))
	}
	return KeyMap{
		Up:       bind([]string{"up", "k"}, "↑/k", "row up"),
		Down:     bind([]string{"down", "j"}, "↓/j", "row down"),
		PageUp:   bind([]string{"pgup", "ctrl+b"}, "pgup", "page up"),
		PageDown: bind([]string{"pgdown", "ctrl+f"}, "pgdn", "page down"),
		Top:      bind([]string{"home", "g"}, "home/g", "first row"),
		Bottom:   bind([]string{"end", "G"}, "end/G", "last row"),
	}
}

// Moved is the list after a key; a key that moves nothing leaves it as it is.
func (k KeyMap) Moved(l List, msg tea.KeyMsg) List {
	switch {
	case key.Matches(msg, k.Up):
		return l.To(l.Cursor - 1)
	case key.Matches(msg, k.Down):
		return l.To(l.Cursor + 1)
	case key.Matches(msg, k.PageUp):
		return l.To(l.Cursor - l.Page())
	case key.Matches(msg, k.PageDown):
		return l.To(l.Cursor + l.Page())
	case key.Matches(msg, k.Top):
		return l.To(0)
	case key.Matches(msg, k.Bottom):
		return l.To(l.Last())
	}
	return l
}
