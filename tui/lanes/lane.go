package lanes

import (
	"time"

	"github.com/charmbracelet/lipgloss"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// detailMax bounds what a row tells of foreign text, in cells.
const detailMax = 160

// drawn is what a row says and how it looks.
type drawn struct {
	glyph, word string
	look, name  lipgloss.Style
	clock       string
	clockLook   lipgloss.Style
	// since and until are the wait that the bar shows.
	since, until time.Time
	barLook      styles.Bar
	detail       string
	detailLook   lipgloss.Style
	tokens, cost string
}

func plainRow(s *styles.Styles) drawn {
	return drawn{name: s.Row.Name, clockLook: s.Row.Detail, detailLook: s.Row.Detail, barLook: s.Bar}
}

func (m Model) queuedRow(s *styles.Styles, row int) drawn {
	d := plainRow(s)
	d.glyph, d.word, d.look, d.name = s.Glyph.Lane.Queued, "queued", s.Row.Queued, s.Row.Queued
	j, ok := m.job(row)
	switch {
	case !ok:
	case j.NotBefore.After(m.now):
		d.clock = m.left(j.NotBefore)
		d.detail = "not before " + text.Until(j.NotBefore, m.now, m.zone)
	case j.Requeued > 0:
		d.detail = "came back " + times(j.Requeued) + ", waits for a free target"
	}
	return d
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return words.Many(n, "time")
}

func (m Model) laneRow(s *styles.Styles, l *run.Lane) drawn {
	d := plainRow(s)
	d.tokens, d.cost = m.spent(l)
	switch l.State {
	case run.LaneWorking:
		m.working(s, l, &d)
	case run.LaneWaiting, run.LaneParked:
		m.waiting(s, l, &d)
	case run.LaneOpen:
		d.glyph, d.word, d.look = s.Glyph.Lane.Queued, "opening", s.Row.Queued
		if l.Last.Class != 0 { // a session of another's between two turns
			d.word, d.look, d.detail = "asking", s.Row.Parked, pane.Parts(s, "your turn", m.lastSaid(l))
		}
	default:
		m.over(s, l, &d)
	}
	return d
}

// lastSaid is what the agent of a lane that waits for its user has said last, or why its
// turn has ended otherwise.
func (m Model) lastSaid(l *run.Lane) string {
	if l.Last.Class != run.ClassSuccess {
		return pane.Parts(m.styles, words.Class(l.Last.Class), text.Line(l.Last.Message, detailMax))
	}
	if o, ok := m.seen[l.ID]; ok {
		return text.Line(o.activity.Message, detailMax)
	}
	return ""
}

// working tells of a lane with an attempt under way.
func (m Model) working(s *styles.Styles, l *run.Lane, d *drawn) {
	a := l.Running()
	d.glyph, d.word, d.look = s.Glyph.Lane.Working, "working", s.Row.Working
	if a == nil {
		return
	}
	d.clock = text.Age(m.now.Sub(a.StartedAt))
	probes := m.probes(a)
	switch {
	case a.Ending != 0:
		d.word, d.look = "ending", s.Row.Inline
	case m.state.Stop != 0 || l.Stop != 0:
		d.word = "finishes"
	case probes != "":
		d.glyph, d.word, d.look = s.Glyph.Family.Probing, "probing", s.Family.Probing
	}
	doing, retry := "", ""
	if o, ok := m.seen[l.ID]; ok && o.attempt == a.ID {
		doing, retry = text.Line(o.activity.Now(), detailMax), words.Retry(o.activity.Retry)
	}
	why := ""
	if a.Ending != 0 {
		why = "asked to end: " + words.Ending(a.Ending)
	}
	if retry != "" || a.Suspected {
		d.detailLook = s.Row.Parked
	}
	suspected := ""
	if a.Suspected && retry == "" {
		suspected = "limit suspected"
	}
	if probes != "" {
		probes = "asks " + probes + " again"
	}
	summary := ""
	if a.Summary != nil {
		summary = "summarises for the handoff"
	}
	if doing == "" && a.ServedAt.IsZero() && retry == "" {
		doing = "no answer yet"
	}
	d.detail = pane.Parts(s, why, retry, suspected, summary, probes, doing)
}

// probes names the window that an attempt holds the permit of.
func (m Model) probes(a *run.Attempt) string {
	for _, k := range a.Permits {
		if w := m.state.Window(k); w != nil && w.Permit != nil && w.Permit.Attempt == a.ID {
			return words.Window(k)
		}
	}
	return ""
}

// over tells of a lane that has ended.
func (m Model) over(s *styles.Styles, l *run.Lane, d *drawn) {
	d.clock = text.Age(l.EndedAt.Sub(l.StartedAt))
	d.name = s.Row.Detail
	tries := words.Many(len(l.Attempts), "attempt")
	swaps := ""
	if l.Swaps > 0 {
		swaps = words.Many(l.Swaps, "swap")
	}
	said := text.Line(l.Last.Message, detailMax)
	switch l.State {
	case run.LaneDone:
		d.glyph, d.word, d.look = s.Glyph.Lane.Done, "done", s.Row.Done
		d.detail = pane.Parts(s, tries, swaps)
	case run.LaneFailed:
		d.glyph, d.word, d.look, d.name = s.Glyph.Lane.Failed, "failed", s.Row.Failed, s.Row.Name
		d.detail = pane.Parts(s, words.Class(l.Last.Class), said)
		if l.Why != "" {
			d.detail = pane.Parts(s, text.Line(run.Untrusted(l.Why), detailMax), tries)
		}
	case run.LaneStopped:
		d.glyph, d.word, d.look = s.Glyph.Lane.Stopped, "stopped", s.Row.Stopped
		d.detail = pane.Parts(s, tries, swaps)
		if l.Last.Class == run.ClassIncomplete && l.Why != "" { // nobody has stopped it
			d.word, d.detail = "silent", pane.Parts(s, text.Line(run.Untrusted(l.Why), detailMax), tries)
		}
	default:
		d.glyph, d.word, d.look = s.Glyph.Lane.Blocked, "blocked", s.Row.Blocked
		d.detail = pane.Parts(s, words.Class(l.Last.Class), "back in the queue", said)
	}
}
