package fleet

import (
	"github.com/charmbracelet/bubbles/key"

	"example.com/layover/engine/run"
	"example.com/layover/tui/pane"
)

// KeyMap is the keys of the screen.
type KeyMap struct {
	Open, Stop, HardStop, Wake, Clear, Help, Quit, Suspend key.Binding
	Next                                                   key.Binding
	Move                                                   pane.KeyMap
	// Unheard stands for the keys that do nothing where a run takes no orders.
	Unheard key.Binding
}

// DefaultKeyMap gives the keys that are meant for everybody.
func DefaultKeyMap() KeyMap {
	bind := func(label, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, what))
	}
	return KeyMap{
		Open:     bind("enter", "open", "enter"),
		Stop:     bind("s", "soft stop", "s"),
		HardStop: bind("S", "hard stop", "S"),
		Wake:     bind("w", "wake lane: in the open run", "w"),
		Clear:    bind("c", "clear family: in the open run", "c"),
		Help:     bind("?", "help", "?"),
		Quit:     bind("q", "quit, nothing stops", "q", "ctrl+c"),
		Suspend:  bind("ctrl+z", "suspend", "ctrl+z"),
		Next:     bind("tab", "other pane", "tab", "shift+tab"),
		Move:     pane.DefaultKeyMap(),
		Unheard:  bind("s S w c", "not heard here", "s", "S", "w", "c"),
	}
}

// ShortHelp lists the keys of the footer.
func (k KeyMap) ShortHelp() []key.Binding {
	k.Quit.SetHelp("q", "quit")
	return []key.Binding{k.Quit, k.Help, k.Open, k.Next, k.Stop, k.HardStop, k.Unheard}
}

// FullHelp lists all keys, in columns.
func (k KeyMap) FullHelp() [][]key.Binding {
	m := k.Move
	return [][]key.Binding{
		{k.Open, k.Unheard, k.Stop, k.HardStop, k.Wake, k.Clear, k.Suspend, k.Quit, k.Help},
		{k.Next, m.Up, m.Down, m.PageUp, m.PageDown, m.Top, m.Bottom},
	}
}

// offered is the key map with only what can be done with the run that is selected.
func (m Model) offered() KeyMap {
	k := m.keys
	row, any := m.Selected()
	any = any && !m.onFamilies
	heard := any && row.Unheard == ""
	k.Open.SetEnabled(any)
	k.Next.SetEnabled(!m.layout.Families.Empty())
	k.Stop.SetEnabled(heard && row.Standing.Live() && row.Stop != run.StopHard)
	if row.Stop == run.StopSoft {
		k.Stop.SetHelp("s", "take the stop back")
	}
	k.HardStop.SetEnabled(heard && row.Standing.Live() && row.Stop != run.StopHard)
	k.Wake.SetEnabled(heard && row.Standing.Live())
	k.Clear.SetEnabled(heard && row.Standing.Live())
	k.Unheard.SetEnabled(any && row.Unheard != "")
	return k
}
