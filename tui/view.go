package tui

import (
	"strings"

	"example.com/layover/tui/pane"
)

// View implements [tea.Model]. It only reads: the same model draws the same string,
// in lines of exactly the terminal's width. Without a size it is empty.
func (m Model) View() string {
	if m.w < 1 || m.h < 1 {
		return ""
	}
	l := m.layout
	lines := m.header(l.Header.W, l.Header.H)
	left := m.lanes.View()
	if l.Wide {
		left = pane.Beside(append(left, m.events.View()...), m.families.View())
	} else {
		left = append(append(left, m.families.View()...), m.events.View()...)
	}
	lines = append(lines, left...)
	lines = pane.Block(append(lines, m.footer(l.Footer.W, l.Footer.H)...), m.w, m.h)
	switch {
	case m.question.Open():
		lines = pane.Overlay(lines, m.question.View(m.w, m.h), m.w)
	case m.showHelp:
		lines = pane.Overlay(lines, m.helpBox(), m.w)
	}
	return m.options.Styles.Glyph.Spell(strings.Join(lines, "\n"))
}

// footer is a notice, or the keys that can be used now.
func (m Model) footer(w, h int) []string {
	return pane.Footer(m.options.Styles, m.notice.Text, m.offered().ShortHelp(), w, h)
}

// helpBox is all keys that the run has a use for.
func (m Model) helpBox() []string {
	k := m.keys
	if m.options.Unheard != "" {
		k = m.offered()
	}
	return pane.Help(m.options.Styles, k.FullHelp(), m.w, m.h)
}
