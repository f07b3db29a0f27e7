package question

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/tui/text"
)

// View draws the question as a box for a screen of w columns and h rows, and without
// frame where there is no room for one. No line is wider than w.
func (m Model) View(w, h int) []string {
	if !m.open || w < 1 || h < 1 {
		return nil
	}
	box := m.styles.Dialog.Box
	frameW, frameH := box.GetHorizontalFrameSize(), box.GetVerticalFrameSize()
	width := 0
	for _, line := range m.lines(0) {
		width = max(width, ansi.StringWidth(line))
	}
	roomy := w >= width+frameW && h >= len(m.text)+len(m.choices)+2+frameH
	if roomy {
		return strings.Split(box.Render(strings.Join(m.lines(width), "\n")), "\n")
	}
	return m.bare(w, h)
}

// bare is the question without frame and hints; the choices stay longest.
func (m Model) bare(w, h int) []string {
	var lines []string
	if h > len(m.choices) {
		lines = append(lines, m.styles.Dialog.Title.Render(text.Fit(m.title, w)))
	}
	for _, said := range m.text {
		if h > len(lines)+len(m.choices) {
			lines = append(lines, m.styles.Dialog.Text.Render(text.Fit(said, w)))
		}
	}
	for i, c := range m.choices {
		look := m.styles.Dialog.Choice
		if i == m.cursor {
			look = m.styles.Dialog.ChoiceFocused
		}
		lines = append(lines, look.Render(text.Fit(m.mark(i)+c.Key+" "+c.Label, w)))
	}
	return lines[:min(len(lines), h)]
}

// lines draws title, text and choices, the choices in width cells if it is positive.
func (m Model) lines(width int) []string {
	lines := []string{m.styles.Dialog.Title.Render(m.title)}
	for _, said := range m.text {
		lines = append(lines, m.styles.Dialog.Text.Render(said))
	}
	lines = append(lines, "")
	keyW, labelW := 0, 0
	for _, c := range m.choices {
		keyW, labelW = max(keyW, ansi.StringWidth(c.Key)), max(labelW, ansi.StringWidth(c.Label))
	}
	for i, c := range m.choices {
		look := m.styles.Dialog.Choice
		if i == m.cursor {
			look = m.styles.Dialog.ChoiceFocused
		}
		line := m.mark(i) + text.Fit(c.Key, keyW) + "  " + text.Fit(c.Label, labelW)
		if c.Hint != "" {
			line += "  " + c.Hint
		}
		if width > 0 {
			line = text.Fit(line, width)
		}
		lines = append(lines, look.Render(line))
	}
	return lines
}

func (m Model) mark(i int) string {
	if i == m.cursor {
		return m.styles.Glyph.Cursor + " "
	}
	return "  "
}
