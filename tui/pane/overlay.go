package pane

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/tui/text"
)

// Overlay lays a box over the middle of a screen of w cells a line. A box that is
// too large is cut.
func Overlay(screen, box []string, w int) []string {
	boxW := 0
	for _, line := range box {
		boxW = max(boxW, ansi.StringWidth(line))
	}
	boxW = min(boxW, w)
	x, y := (w-boxW)/2, max(0, (len(screen)-len(box))/2)
	out := append([]string(nil), screen...)
	for i, line := range box {
		if y+i >= len(out) {
			break
		}
		under := out[y+i]
		right := w - x - boxW
		out[y+i] = text.Fit(ansi.Truncate(under, x, ""), x) + text.Fit(line, boxW) + tail(under, x+boxW, right)
	}
	return out
}

// tail is what stands in a line from a cell on, in exactly width cells.
func tail(line string, from, width int) string {
	if width < 1 {
		return ""
	}
	// A wide character may straddle the cut; then a space stands for its half.
	rest := withoutMarks(ansi.TruncateLeft(line, from, ""))
	missing := width - ansi.StringWidth(rest)
	return text.Fit(strings.Repeat(" ", max(0, missing))+rest, width)
}

// withoutMarks leaves out the marks that a line begins with: cut off from their letter,
// they would join what stands before them.
func withoutMarks(line string) string {
	for {
		first, _ := utf8.DecodeRuneInString(ansi.Strip(line))
		if !unicode.Is(unicode.M, first) && ansi.StringWidth("x"+string(first)) == 1+ansi.StringWidth(string(first)) {
			return line
		}
		line = strings.Replace(line, string(first), "", 1) // no escape sequence holds a mark
	}
}
