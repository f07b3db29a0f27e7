package tui

import (
	"example.com/layover/engine/run"
	"example.com/layover/tui/headline"
)

// observed takes over observations, the newest last. A trouble stays on the screen
// until an observation says that it is over.
func (m Model) observed(seen []run.Observation) Model {
	for _, o := range seen {
		m.lanes, m.families = m.lanes.Observe(o), m.families.Observe(o)
		if t, ok := o.Body.(run.Trouble); ok && t.Message != m.trouble {
			m.trouble, m.troubled = t.Message, t
			m.events = m.events.Observe(o)
		}
	}
	return m.arrange()
}

// held reports whether the trouble keeps everything new from being started.
func (m Model) held() bool { return m.going() && !m.troubled.ExportOnly && !m.troubled.Start }

// banner tells the trouble in at most w cells.
func (m Model) banner(w int) string {
	s := m.options.Styles
	said := headline.Trouble(m.troubled.Tells(), m.trouble, m.held(), w-2, s.Glyph.Dot)
	return s.Notice.Bad.Render(s.Glyph.Bad + " " + said)
}

// bannerLines is the banner on a screen of h lines that has room for nothing else;
// none if there is no trouble, or if its one line is for the end of the run.
func (m Model) bannerLines(w, h int) []string {
	if m.trouble == "" || (h == 1 && m.over()) {
		return nil
	}
	s := m.options.Styles
	lines := headline.TroubleLines(m.troubled.Tells(), m.trouble, m.held(), w, h, s.Glyph.Dot)
	for i, line := range lines {
		lines[i] = s.Notice.Bad.Render(line)
	}
	return lines
}
