package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Fit returns s in exactly width cells: cut with "…" or filled with spaces on the
// right. s is text of ours or from [Line], on one line, and may be styled. With
// width below one it is empty.
func Fit(s string, width int) string {
	s, spaces := fit(s, width)
	return s + spaces
}

// FitRight is [Fit] with the spaces on the left, for numbers and countdowns.
func FitRight(s string, width int) string {
	s, spaces := fit(s, width)
	return spaces + s
}

// FitEnd is [Fit], but keeps the end of s and puts the "…" in front: for paths.
func FitEnd(s string, width int) string {
	if over := ansi.StringWidth(s) - width; over > 0 && width > 0 {
		// A wide character may straddle the cut; then it goes as well.
		for cut := over + 1; ; cut++ {
			if t := ellipsis + ansi.TruncateLeft(s, cut, ""); ansi.StringWidth(t) <= width {
				s = t
				break
			}
		}
	}
	return Fit(s, width)
}

// fit cuts s to width cells and returns it with the spaces that it lacks.
func fit(s string, width int) (cut, spaces string) {
	if width < 1 {
		return "", ""
	}
	s = ansi.Truncate(s, width, ellipsis)
	return s, strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

// Join sets cells side by side, each fitted to its width, gap spaces apart. A column
// of no width is left out with its gap, and so are cells beyond the widths; a missing
// cell is blank. The widths are those of layout.Columns, the result has exactly their
// sum and that of the gaps.
func Join(widths []int, gap int, cells ...string) string {
	var b strings.Builder
	for i, width := range widths {
		if width < 1 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(strings.Repeat(" ", max(0, gap)))
		}
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		b.WriteString(Fit(cell, width))
	}
	return b.String()
}
