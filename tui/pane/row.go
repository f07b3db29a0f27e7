package pane

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/layover/styles"
	"example.com/layover/tui/text"
)

// Gap is how many cells stand between two columns.
const Gap = 1

// Cell is one cell of a row.
type Cell struct {
	// Text is plain, on one line and harmless; Look is how it looks.
	Text string
	Look lipgloss.Style
	// Right sets the text at the right of its column.
	Right bool
	// Drawn replaces text and look if it is not nil: it draws a given width.
	Drawn func(width int) string
}

// Row draws cells in columns of the given widths, [Gap] apart, and fills the row up
// to width. A column of no width is left out. The styles are those of the row, so
// that the background of a selected one shows everywhere.
func Row(s *styles.Styles, width int, widths []int, cells []Cell) string {
	var b strings.Builder
	used, gap := 0, s.Gap.Render(strings.Repeat(" ", Gap))
	for i, w := range widths {
		if w < 1 || i >= len(cells) {
			continue
		}
		if used > 0 {
			b.WriteString(gap)
			used += Gap
		}
		b.WriteString(cells[i].draw(w))
		used += w
	}
	if used < width {
		b.WriteString(s.Gap.Render(strings.Repeat(" ", width-used)))
	}
	return text.Fit(b.String(), width)
}

func (c Cell) draw(w int) string {
	switch {
	case c.Drawn != nil:
		return c.Drawn(w)
	case c.Right:
		return c.Look.Render(text.FitRight(c.Text, w))
	}
	return c.Look.Render(text.Fit(c.Text, w))
}

// Mark is the first cell of a row: the cursor if the row is selected, in the accent
// only if its pane has the keys.
func Mark(s *styles.Styles, selected, focused bool) Cell {
	switch {
	case selected && focused:
		return Cell{Text: s.Glyph.Cursor, Look: s.Selected}
	case selected:
		return Cell{Text: s.Glyph.Cursor, Look: s.Text.Faint}
	}
	return Cell{Look: s.Gap}
}

// Parts joins what is not empty by the dot of the glyphs.
func Parts(s *styles.Styles, parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" " + s.Glyph.Dot + " ")
		}
		b.WriteString(p)
	}
	return b.String()
}
