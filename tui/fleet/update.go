package fleet

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
	"example.com/layover/tui/pane"
)

// unheardMsg says that a command could not be given to a run.
type unheardMsg struct{ err error }

// sentMsg says that one was given.
type sentMsg struct{ said string }

// Update takes a message. It reads no clock and does no I/O: what the operator asks for is
// sent by the command it returns.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return m.arrange(), nil
	case tui.TickMsg:
		return m.ticked(msg)
	case tui.ChangesMsg:
		return m.changed(msg.Changes), nil
	case unheardMsg:
		return m.Notice("not asked: " + msg.err.Error()), nil
	case sentMsg:
		return m.Notice(msg.said), nil
	case tea.KeyMsg:
		return m.pressed(msg)
	}
	return m, nil
}

// ticked takes the time of the tick it waits for; others are left over.
func (m Model) ticked(msg tui.TickMsg) (Model, tea.Cmd) {
	if msg.Tag != m.tag {
		return m, nil
	}
	m.tag++
	m.now = msg.Now
	m.notice = m.notice.Aged()
	m.runs.Now(msg.Now)
	m.reading = m.reading.at(msg.Now)
	now, tag := m.options.Now, m.tag
	return m.arrange(), tea.Tick(m.options.Tick, func(time.Time) tea.Msg { return tui.TickMsg{Now: now(), Tag: tag} })
}

// changed takes over what is new.
func (m Model) changed(c run.Changes) Model {
	m.told = true
	m.runs.Apply(c.Runs, c.Gone)
	m.priced = m.priced || slices.ContainsFunc(c.Runs, func(w run.Watched) bool { return w.Usage.CostUSD > 0 })
	if c.Families != nil {
		m.families = c.Families
	}
	m.usage = c.Usage
	m.reading.Progress = c.Reading
	m.notes = c.Notes
	m.reading = m.reading.at(m.now)
	return m.arrange()
}

// reading is how far the first read is.
type reading struct {
	run.Progress
	// since is when it was first seen to be under way; zero while it is not.
	since time.Time
	shown bool
}

// readingShown is how long a read may last before it is told of.
const readingShown = 500 * time.Millisecond

// at is the reading at an instant, which is zero before the first tick.
func (r reading) at(now time.Time) reading {
	switch {
	case r.Over():
		r.since, r.shown = time.Time{}, false
	case now.IsZero():
	case r.since.IsZero():
		r.since = now
	default:
		r.shown = now.Sub(r.since) >= readingShown
	}
	return r
}

// Notice lets a line stand in the footer for a while.
func (m Model) Notice(said string) Model {
	m.notice = pane.NewNotice(said, m.options.Tick)
	return m
}
