package events

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/layout"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
)

// Max is how many events are kept; older ones are forgotten.
const Max = 500

// Model is the pane. It is used through [New].
type Model struct {
	styles *styles.Styles
	zone   *time.Location
	keys   pane.KeyMap
	now    time.Time
	// ring holds the kept events, the oldest at first.
	ring  []Event
	first int
	// back is how many events stand below the last one seen; zero follows the newest.
	back    int
	focused bool
	w, h    int
}

// New makes an empty pane; instants are shown in zone.
func New(s *styles.Styles, zone *time.Location) Model {
	return Model{styles: s, zone: zone, keys: pane.DefaultKeyMap()}
}

// At sets the instant that it is now: events of other days name theirs.
func (m Model) At(now time.Time) Model {
	m.now = now
	return m
}

// Add takes a fact that has been applied to the state; those of no interest are left
// out.
func (m Model) Add(s *run.State, f run.Fact) Model {
	if e, ok := Words(s, f, m.zone); ok {
		return m.keep(e)
	}
	return m
}

// Observe takes an observation; only those of troubles are told.
func (m Model) Observe(o run.Observation) Model {
	if e, ok := Seen(o); ok {
		return m.keep(e)
	}
	return m
}

// keep puts an event behind the others, in place of the oldest if the ring is full.
func (m Model) keep(e Event) Model {
	if len(m.ring) < Max {
		m.ring = append(m.ring, e)
	} else {
		m.ring[m.first] = e
		m.first = (m.first + 1) % Max
	}
	if m.back > 0 {
		m.back = min(m.back+1, m.most())
	}
	return m
}

// Update moves through the events by a key.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	press, ok := msg.(tea.KeyMsg)
	if !ok {
		return m, nil
	}
	// The last row seen is the cursor of a list as long as there is to scroll.
	list := pane.List{}.Count(m.most() + 1).Height(m.rows()).To(m.most() - m.back)
	m.back = m.most() - m.keys.Moved(list, press).Cursor
	return m, nil
}

// SetSize gives the pane w columns and h rows, its frame included.
func (m Model) SetSize(w, h int) Model {
	m.w, m.h = w, h
	m.back = min(m.back, m.most())
	return m
}

// Focus tells whether the keys go to this pane.
func (m Model) Focus(on bool) Model {
	m.focused = on
	return m
}

// most is how far back one can go.
func (m Model) most() int { return max(0, len(m.ring)-m.rows()) }

func (m Model) rows() int {
	_, h := m.frame().Inner(m.w, m.h)
	return h
}

// at is the event of a place, from the oldest kept.
func (m Model) at(i int) Event { return m.ring[(m.first+i)%len(m.ring)] }

// View draws the pane; empty if it has no room.
func (m Model) View() []string {
	f := m.frame()
	innerW, innerH := f.Inner(m.w, m.h)
	to := len(m.ring) - min(m.back, m.most())
	from := max(0, to-innerH)
	who, stamp := 3, 8
	for i := from; i < to; i++ {
		who = max(who, ansi.StringWidth(m.at(i).Who))
		stamp = max(stamp, ansi.StringWidth(text.Stamp(m.at(i).At, m.now, m.zone)))
	}
	widths := layout.Columns(innerW, pane.Gap, []layout.Column{
		{Min: 1, Rank: 3},
		{Min: stamp, Rank: 2},
		{Min: min(who, 6), Want: min(who, max(8, innerW/6)), Rank: 1},
		{Min: 10, Rank: 0, Grow: true},
	})
	lines := make([]string, 0, innerH)
	for i := from; i < to; i++ {
		lines = append(lines, m.line(m.at(i), innerW, widths))
	}
	if len(m.ring) == 0 {
		lines = append(lines, m.styles.Pane.Empty.Render(" nothing has happened yet"))
	}
	return f.Draw(m.w, m.h, lines)
}

func (m Model) line(e Event, width int, widths []int) string {
	s := m.styles
	look := s.Event.Text
	switch e.Tone {
	case ToneWarn:
		look = s.Event.Warn
	case ToneBad:
		look = s.Event.Bad
	}
	return pane.Row(s, width, widths, []pane.Cell{
		{Look: s.Gap},
		{Text: text.Stamp(e.At, m.now, m.zone), Look: s.Event.Time},
		{Text: e.Who, Look: s.Event.Name},
		{Text: e.Text, Look: look},
	})
}

func (m Model) frame() pane.Frame {
	note := ""
	if m.back > 0 {
		note = fmt.Sprintf("%d newer below", m.back)
	}
	return pane.Frame{Styles: m.styles, Title: "Events", Note: note, Focused: m.focused}
}
