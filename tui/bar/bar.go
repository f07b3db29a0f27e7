package bar

import (
	"math"
	"strings"

	"example.com/layover/styles"
)

// Render draws a bar of exactly width cells of which the share done, from 0 to 1, is
// full; shares beyond are taken as 0 and 1, and what is no number as 0. It rounds
// down, so the bar is full only when all is done, but shows a trace of the smallest
// share. With width below one it is empty.
//
// The glyphs decide how fine the bar is: eighths of a cell, or whole cells.
func Render(width int, done float64, look styles.Bar, glyphs styles.BarGlyphs) string {
	if width < 1 {
		return ""
	}
	full, part := split(width, done, len(glyphs.Parts)+1)
	var b strings.Builder
	write(&b, look.Full.Render, glyphs.Full, full)
	if part > 0 {
		write(&b, look.Part.Render, glyphs.Parts[part-1], 1)
		full++
	}
	write(&b, look.Empty.Render, glyphs.Empty, width-full)
	return b.String()
}

// split gives the number of full cells and how many steps of the next cell are full,
// if a cell has that many steps.
func split(width int, done float64, steps int) (full, part int) {
	switch {
	case done >= 1:
		return width, 0
	case done <= 0 || math.IsNaN(done):
		return 0, 0
	}
	total := width * steps
	reached := int(math.Floor(done * float64(total)))
	// A share so near to one that it rounds there is not all.
	reached = min(max(reached, 1), total-1)
	return reached / steps, reached % steps
}

func write(b *strings.Builder, render func(...string) string, glyph string, count int) {
	if count > 0 {
		b.WriteString(render(strings.Repeat(glyph, count)))
	}
}
