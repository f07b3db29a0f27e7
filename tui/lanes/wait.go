package lanes

import (
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// waiting tells of a lane that waits inline or is parked.
func (m Model) waiting(s *styles.Styles, l *run.Lane, d *drawn) {
	d.glyph, d.word, d.look = s.Glyph.Lane.Inline, "waiting", s.Row.Inline
	if l.State == run.LaneParked {
		d.glyph, d.word, d.look = s.Glyph.Lane.Parked, "parked", s.Row.Parked
	}
	w := l.Wait
	if w == nil {
		return
	}
	d.clockLook = s.Row.Clock
	if !l.StopAt.IsZero() {
		d.word, d.look = "stopping", s.Row.Parked
		d.barLook, d.since, d.until = s.BarWarn, w.Since, l.StopAt
		d.clock = m.left(l.StopAt)
		d.detail = pane.Parts(s, "stops at "+text.Until(l.StopAt, m.now, m.zone), "s takes it back")
		return
	}
	at := m.state.WakeAt(l)
	d.since, d.until, d.clock = w.Since, at, m.left(at)
	d.detail = m.waitDetail(s, l, at)
}

// waitDetail tells until when a lane waits, how that is known, and for what.
func (m Model) waitDetail(s *styles.Styles, l *run.Lane, at time.Time) string {
	gate := m.state.Gate(l)
	until := "until " + text.Until(at, m.now, m.zone)
	switch {
	case l.Wait.Released:
		return pane.Parts(s, "the window is open", "starts in a moment")
	case gate == nil && at.IsZero():
		return pane.Parts(s, "held", "no new agents while paused")
	case gate == nil && l.Wait.Inline:
		return pane.Parts(s, "tries again", words.Class(l.Wait.Reason))
	case gate == nil:
		return pane.Parts(s, until, words.How(l.Wait.How), words.Class(l.Wait.Reason))
	case at.IsZero():
		return pane.Parts(s, "until "+words.Window(gate.WindowKey)+" is mended", words.Limit(gate))
	case gate.Permit != nil && gate.Permit.Lane != l.ID:
		return pane.Parts(s, words.LaneOf(m.state, gate.Permit.Lane)+" asks "+words.Window(gate.WindowKey)+" again", m.place(gate, l))
	case !at.After(m.now):
		return pane.Parts(s, "its turn is next", words.Window(gate.WindowKey))
	}
	return pane.Parts(s, until, words.How(gate.How), words.Window(gate.WindowKey)+" "+words.Limit(gate), m.place(gate, l))
}

// place tells how many lanes stand before this one at a window.
func (m Model) place(gate *run.Window, l *run.Lane) string {
	for i, id := range gate.Waiters {
		if id == l.ID && i > 0 {
			return words.Many(i, "lane") + " before it"
		}
	}
	return ""
}
