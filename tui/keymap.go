package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"example.com/layover/engine/run"
	"example.com/layover/tui/pane"
)

// KeyMap is the keys of the screen.
type KeyMap struct {
	Stop, HardStop, Wake, Clear, Help, Quit, Dismiss, Interrupt, Suspend key.Binding
	Next, Previous                                                       key.Binding
	// Unheard stands for the keys that do nothing where a run takes no orders.
	Unheard key.Binding
	Move    pane.KeyMap
}

// DefaultKeyMap gives the keys that are meant for everybody.
func DefaultKeyMap() KeyMap {
	bind := func(label, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, what))
	}
	return KeyMap{
		Stop:      bind("s", "soft stop", "s"),
		HardStop:  bind("S", "hard stop", "S"),
		Wake:      bind("w", "wake lane", "w"),
		Clear:     bind("c", "clear family", "c"),
		Help:      bind("?", "help", "?"),
		Quit:      bind("q", "quit", "q"),
		Dismiss:   bind("enter", "close", "enter"),
		Interrupt: bind("ctrl+c", "soft stop, then hard stop", "ctrl+c"),
		Suspend:   bind("ctrl+z", "suspend", "ctrl+z"),
		Next:      bind("tab", "next pane", "tab"),
		Previous:  bind("shift+tab", "pane before", "shift+tab"),
		Unheard:   bind("s S w c", "not heard here", "s", "S", "w", "c"),
		Move:      pane.DefaultKeyMap(),
	}
}

// ShortHelp lists the keys of the footer.
func (k KeyMap) ShortHelp() []key.Binding {
	return []key.Binding{k.Quit, k.Help, k.Stop, k.HardStop, k.Wake, k.Clear, k.Next, k.Unheard}
}

// FullHelp lists all keys, in columns.
func (k KeyMap) FullHelp() [][]key.Binding {
	m := k.Move
	return [][]key.Binding{
		{k.Unheard, k.Stop, k.HardStop, k.Wake, k.Clear, k.Interrupt, k.Suspend, k.Quit, k.Help},
		{k.Next, k.Previous, m.Up, m.Down, m.PageUp, m.PageDown, m.Top, m.Bottom},
	}
}

// offered is the key map with only what can be done now, in the words that fit.
func (m Model) offered() KeyMap {
	k := m.keys
	if m.options.Unheard != "" {
		for _, b := range []*key.Binding{&k.Stop, &k.HardStop, &k.Wake, &k.Clear} {
			b.SetEnabled(false)
		}
		return k
	}
	going := m.going()
	k.Stop.SetEnabled(going && m.state.Stop != run.StopHard)
	if m.state.Stop == run.StopSoft {
		k.Stop.SetHelp("s", "take the stop back")
	}
	k.HardStop.SetEnabled(going && m.state.Stop != run.StopHard)
	lane := m.lanes.Selected()
	k.Wake.SetEnabled(going && m.state.Stop == 0 && lane != nil && lane.Wait != nil)
	k.Clear.SetEnabled(going && m.closed(m.families.Selected()))
	k.Interrupt.SetEnabled(going)
	if !going && !m.options.Listed {
		k.Quit.SetHelp("q/enter", "close")
	}
	return k
}

// closed reports whether a window of a family is open: the family is not.
func (m Model) closed(family string) bool {
	for _, w := range m.state.Windows {
		if w.Family == family {
			return true
		}
	}
	return false
}
