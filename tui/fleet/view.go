package fleet

import (
	"strings"

	"example.com/layover/tui/pane"
)

// View only reads: the same model draws the same string, in lines of exactly the
// terminal's width. Without a size it is empty.
func (m Model) View() string {
	if m.w < 1 || m.h < 1 {
		return ""
	}
	l := m.layout
	s := m.options.Styles
	lines := m.header(l.Header.W, l.Header.H)
	body := m.viewRuns()
	if l.Wide {
		body = pane.Beside(body, m.viewFamilies())
	} else {
		body = append(body, m.viewFamilies()...)
	}
	lines = append(lines, body...)
	lines = append(lines, pane.Footer(s, m.notice.Text, m.offered().ShortHelp(), l.Footer.W, l.Footer.H)...)
	lines = pane.Block(lines, m.w, m.h)
	switch {
	case m.question.Open():
		lines = pane.Overlay(lines, m.question.View(m.w, m.h), m.w)
	case m.showHelp:
		lines = pane.Overlay(lines, pane.Help(s, m.offered().FullHelp(), m.w, m.h), m.w)
	}
	return s.Glyph.Spell(strings.Join(lines, "\n"))
}
