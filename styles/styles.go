package styles

import (
	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/lipgloss"

	// bubbles link bubbletea, which must not ask the terminal by itself.
	_ "example.com/layover/styles/background"
)

// Styles are the looks of everything on the screen, by role. Nobody changes a value
// that [New] returned; it is large, so hand the pointer on.
type Styles struct {
	// Theme and Glyph are what the styles were made of.
	Theme Theme
	Glyph Glyphs

	Text   Text
	Header Header
	Row    Row
	Family Family
	Event  Event
	// Bar is the calm look of a bar; BarWarn and BarBad are for a budget or a wait
	// that comes to its end.
	Bar, BarWarn, BarBad Bar
	Key                  Key
	Pane                 Pane
	Dialog               Dialog
	Notice               Notice
	// Selected marks the cursor's glyph.
	Selected lipgloss.Style
	// Gap is for the spaces between the parts of a row and behind its last one.
	Gap lipgloss.Style
	// Help is for bubbles/help.
	Help help.Styles

	selected *Styles
}

// Text is for words whose meaning is given by their place.
type Text struct {
	// Faint is for marks, never for words.
	Plain, Strong, Muted, Ok, Warn, Bad, Accent, Faint lipgloss.Style
}

// Header is the top of the screen. One of the three sentences is its brightest part:
// Sentence when all is well, SentenceWarn when something waits, SentenceBad when
// something needs the operator.
type Header struct {
	Title, Sentence, SentenceWarn, SentenceBad, Detail, Clock lipgloss.Style
}

// Row is a lane: a style for the glyph and word of each state, and for its cells. Only
// Failed is bad; what waits or is blocked goes on by itself.
type Row struct {
	Queued, Working, Inline, Parked, Done, Failed, Stopped, Blocked lipgloss.Style

	Name, Target, Detail, Clock lipgloss.Style
}

// Family is a family: a style for the glyph and word of each state, and its cells.
// Tripped ends by itself; Blocked, by its login or its bill, needs the operator.
type Family struct {
	Free, Suspected, Tripped, Probing, Blocked lipgloss.Style

	Name, Detail, Clock lipgloss.Style
}

// Event is a line of the log. Name is for facts that are all in order, Warn and Bad
// for the others.
type Event struct{ Time, Name, Warn, Bad, Text lipgloss.Style }

// Bar is a bar: its full cells, the cell that is partly full, the empty ones.
type Bar struct{ Full, Part, Empty lipgloss.Style }

// Key is a key and what it does.
type Key struct{ Key, Desc, Separator lipgloss.Style }

// Pane is a part of the screen. Border and BorderFocused draw a frame around what
// they render; Rule is for a line instead of a frame.
type Pane struct {
	Border, BorderFocused, Title, TitleFocused, Rule, Empty lipgloss.Style
}

// Dialog is a question that lies over the screen. Box draws its frame.
type Dialog struct{ Box, Title, Text, Choice, ChoiceFocused lipgloss.Style }

// Notice is a banner or a passing message.
type Notice struct{ Info, Warn, Bad lipgloss.Style }

// New makes the styles of a theme. The renderer decides how many colours there are;
// without any (NO_COLOR, no terminal) nothing but text and glyphs is drawn.
func New(r *lipgloss.Renderer, theme Theme, glyphs Glyphs) *Styles {
	s := build(r.NewStyle(), theme, glyphs)
	s.selected = build(r.NewStyle().Background(theme.SelectionBg), theme, glyphs)
	s.selected.selected = s.selected
	return s
}

// On returns the styles for the parts of a row: those of s, or the same with the
// background of a selected row. Render every part of the row with them, spaces by
// Gap, since a background does not show through text that was rendered before.
func (s *Styles) On(selected bool) *Styles {
	if selected {
		return s.selected
	}
	return s
}
