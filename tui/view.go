package tui

import (
	"strings"

	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
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
	if w < 1 || h < 1 {
		return nil
	}
	s := m.options.Styles
	line := ""
	if m.notice.text != "" {
		line = " " + s.Notice.Info.Render(s.Glyph.Info+" "+m.notice.text)
	} else {
		keys := m.help
		keys.Width = w - 1
		line = " " + keys.ShortHelpView(m.offered().ShortHelp())
	}
	return pane.Block([]string{line}, w, h)
}

// helpBox is all keys in a frame, or without one where there is no room.
func (m Model) helpBox() []string {
	s := m.options.Styles
	box := s.Dialog.Box
	columns := m.keys.FullHelp()
	keys := m.help
	keys.Width = 0
	full := keys.FullHelpView(columns)
	title := s.Dialog.Title.Render("Keys")
	lines := append([]string{title, ""}, strings.Split(full, "\n")...)
	lines = append(lines, "", s.Dialog.Choice.Render("any key closes"))
	drawn := strings.Split(box.Render(strings.Join(lines, "\n")), "\n")
	if len(drawn) <= m.h && widest(drawn) <= m.w {
		return drawn
	}
	// One key a line, cut to what there is.
	var bare []string
	for _, column := range columns {
		for _, k := range column {
			bare = append(bare, s.Key.Key.Render(text.Fit(k.Help().Key, 10))+s.Key.Desc.Render(k.Help().Desc))
		}
	}
	return pane.Block(bare, m.w, min(len(bare), m.h))
}
