package pane

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"example.com/layover/styles"
	"example.com/layover/tui/text"
)

// Frame is the border around a pane. Title and Note stand in its upper edge, the
// title at the left, the note at the right if there is room. Foot stands in the lower one,
// and of a long one the end.
type Frame struct {
	Styles *styles.Styles
	Title  string
	Note   string
	Foot   string
	// Focused marks the pane that the keys go to, by colour and by a mark.
	Focused bool
}

// Inner is what the frame leaves of w columns and h rows for content.
func (f Frame) Inner(w, h int) (int, int) {
	border := f.Styles.Pane.Border
	return max(0, w-border.GetHorizontalFrameSize()), max(0, h-border.GetVerticalFrameSize())
}

// Draw sets the frame around lines and returns exactly h lines of w cells. Lines
// that do not fit are cut; missing ones are blank.
func (f Frame) Draw(w, h int, lines []string) []string {
	if w < 1 || h < 1 {
		return nil
	}
	innerW, innerH := f.Inner(w, h)
	if innerW < 1 || innerH < 1 {
		return Block(lines, w, h)
	}
	border := f.Styles.Pane.Border.GetBorderStyle()
	look := f.look()
	out := make([]string, 0, h)
	out = append(out, f.top(border, innerW))
	left, right := look.Render(border.Left), look.Render(border.Right)
	for _, line := range Block(lines, innerW, innerH) {
		out = append(out, left+line+right)
	}
	return append(out, f.bottom(border, innerW))
}

// bottom is the lower edge: corner, foot, line, corner.
func (f Frame) bottom(border lipgloss.Border, innerW int) string {
	look, room := f.look(), innerW-footMargin
	if f.Foot == "" || room < 1 {
		return look.Render(border.BottomLeft + strings.Repeat(border.Bottom, innerW) + border.BottomRight)
	}
	width := min(ansi.StringWidth(f.Foot), room)
	return look.Render(border.BottomLeft+border.Bottom) + f.Styles.Pane.Title.Render(" "+text.FitEnd(f.Foot, width)+" ") +
		look.Render(strings.Repeat(border.Bottom, room-width+1)+border.BottomRight)
}

// footMargin is what stands around a foot: a line and a space at both sides.
const footMargin = 4

func (f Frame) look() lipgloss.Style {
	if f.Focused {
		return f.Styles.Text.Accent
	}
	return f.Styles.Pane.Rule
}

// top is the upper edge: corner, title, line, note, corner.
func (f Frame) top(border lipgloss.Border, innerW int) string {
	look, title := f.look(), f.Styles.Pane.Title
	mark := border.Top
	if f.Focused {
		title, mark = f.Styles.Pane.TitleFocused, f.Styles.Glyph.Cursor
	}
	name := " " + f.Title + " "
	if ansi.StringWidth(name)+2 > innerW {
		return look.Render(border.TopLeft) + title.Render(text.Fit(f.Title, innerW)) + look.Render(border.TopRight)
	}
	left := innerW - 1 - ansi.StringWidth(name)
	note := ""
	if f.Note != "" && ansi.StringWidth(f.Note)+4 <= left {
		note = " " + f.Note + " "
		left -= ansi.StringWidth(note) + 1
	}
	out := look.Render(border.TopLeft+mark) + title.Render(name) + look.Render(strings.Repeat(border.Top, left))
	if note != "" {
		out += f.Styles.Pane.Title.Render(note) + look.Render(border.Top)
	}
	return out + look.Render(border.TopRight)
}

// Block returns exactly h lines of w cells: lines cut and filled up.
func Block(lines []string, w, h int) []string {
	out := make([]string, max(0, h))
	for i := range out {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out[i] = text.Fit(line, w)
	}
	return out
}

// Beside sets two blocks side by side, line by line; both have as many lines.
func Beside(left, right []string) []string {
	out := make([]string, min(len(left), len(right)))
	for i := range out {
		out[i] = left[i] + right[i]
	}
	return out
}
