package fleet

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui/bar"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// readingBar is how wide the bar of the first read is at most, in cells.
const readingBar = 40

// headerRows is what the header would like: the sentence, what there is in all, the first
// read while it lasts, and a banner.
func (m Model) headerRows() int {
	rows := 2
	if m.reading.shown {
		rows++
	}
	if len(m.notes) > 0 {
		rows++
	}
	return rows
}

// header draws exactly h lines of w cells; the sentence stays longest.
func (m Model) header(w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	s := m.options.Styles
	said := m.sentence(w - 4)
	look, glyph := pane.Tone(m.options.Styles, said.Tone)
	if m.layout.Lanes.Empty() && m.layout.Footer.Empty() {
		lines := said.Lines(w, h, s.Glyph.Dot)
		for i, line := range lines {
			lines[i] = look.Render(line)
		}
		return pane.Block(lines, w, h)
	}
	if h == 1 {
		return pane.Block([]string{look.Render(said.Fit(w, s.Glyph.Dot))}, w, h)
	}
	lines := []string{" " + look.Render(glyph+" "+said.Fit(w-4, s.Glyph.Dot))}
	if len(m.notes) > 0 && h < m.headerRows() { // what is amiss goes before the sums
		lines = append(lines, m.banner(w))
	}
	lines = append(lines, m.sums(w))
	if m.reading.shown {
		lines = append(lines, m.progress(w))
	}
	if len(m.notes) > 0 && h >= m.headerRows() {
		lines = append(lines, m.banner(w))
	}
	return pane.Block(lines[:min(len(lines), h)], w, h)
}

// sums is how much there is of everything, as far as it fits.
func (m Model) sums(w int) string {
	s := m.options.Styles
	line, used := "   ", 3
	for _, part := range [][2]string{
		{strconv.Itoa(m.runs.Len()), plural(m.runs.Len(), " run")},
		{m.tokens(), " tokens"},
		{words.Cost(m.usage), ""},
	} {
		if part[0] == "" {
			continue
		}
		gap := ""
		if used > 3 {
			gap = " " + s.Glyph.Dot + " "
		}
		used += ansi.StringWidth(gap + part[0] + part[1])
		if used > w-1 {
			break
		}
		line += s.Text.Faint.Render(gap) + s.Header.Clock.Render(part[0]) + s.Header.Detail.Render(part[1])
	}
	return line
}

// tokens are those of all runs; empty if there are none.
func (m Model) tokens() string {
	if m.usage.Tokens() == 0 {
		return ""
	}
	return text.Count(m.usage.Tokens())
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// progress is how far the first read has come.
func (m Model) progress(w int) string {
	s := m.options.Styles
	done := float64(max(0, m.reading.Done)) / float64(max(1, m.reading.Total))
	label, percent := "reading ", fmt.Sprintf(" %d%%", int(done*100))
	width := min(readingBar, w-4-ansi.StringWidth(label+percent))
	return "   " + s.Header.Detail.Render(label) + bar.Render(width, done, s.Bar, s.Glyph.Bar) + s.Header.Clock.Render(percent)
}

// banner is what is not watched as it should be, in a line.
func (m Model) banner(w int) string {
	s := m.options.Styles
	said := text.Line(run.Untrusted(m.notes[0]), 200)
	if n := len(m.notes) - 1; n > 0 {
		more := fmt.Sprintf(" (and %d more)", n)
		said = text.Line(run.Untrusted(said), max(1, w-4-ansi.StringWidth(more))) + more
	}
	return " " + s.Notice.Warn.Render(text.Fit(s.Glyph.Warn+" "+said, max(1, w-2)))
}
