package pane

import (
	"github.com/charmbracelet/lipgloss"

	"example.com/layover/styles"
	"example.com/layover/tui/headline"
)

// Tone is the look of a headline's tone, and its mark.
func Tone(s *styles.Styles, t headline.Tone) (look lipgloss.Style, glyph string) {
	switch t {
	case headline.ToneBad:
		return s.Header.SentenceBad, s.Glyph.Bad
	case headline.ToneWarn:
		return s.Header.SentenceWarn, s.Glyph.Warn
	}
	return s.Header.Sentence, s.Glyph.Info
}
