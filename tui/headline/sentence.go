package headline

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/tui/text"
)

// Tone is how a sentence should look.
type Tone int

const (
	// ToneCalm is a run that goes on, or went, by itself.
	ToneCalm Tone = iota + 1
	// ToneWarn is a run of which something waits or is limited.
	ToneWarn
	// ToneBad is a run that needs the operator.
	ToneBad
)

// Sentence is a state in words, its parts in the order in which they are told.
type Sentence struct {
	Tone  Tone
	parts []part
}

// part is one thing that a sentence tells, at length and briefly.
type part struct{ full, brief string }

// Add tells one more thing, at length and briefly; the graver tone wins.
func (s *Sentence) Add(tone Tone, full, brief string) {
	s.Tone = max(s.Tone, tone)
	s.parts = append(slices.Clip(s.parts), part{full, brief}) // a copy may go on otherwise
}

// String is the whole sentence with the dot "·".
func (s Sentence) String() string { return s.join(len(s.parts), " · ") }

// Fit is the sentence in at most width cells. Where there is not enough room the
// parts become brief, the last one first; then the end is cut. The dot stands
// between the parts.
func (s Sentence) Fit(width int, dot string) string {
	if width < 1 {
		return ""
	}
	said := ""
	for full := len(s.parts); full >= 0; full-- {
		said = s.join(full, " "+dot+" ")
		if ansi.StringWidth(said) <= width {
			return said
		}
	}
	return strings.TrimRight(text.Fit(said, width), " ")
}

// Lines is the sentence in at most height lines of width cells, for a screen that
// has room for nothing else.
func (s Sentence) Lines(width, height int, dot string) []string {
	if width < 1 || height < 1 {
		return nil
	}
	if height == 1 {
		return []string{s.Fit(width, dot)}
	}
	lines := strings.Split(ansi.Wrap(s.join(len(s.parts), " "+dot+" "), width, ""), "\n")
	if len(lines) > height {
		lines = strings.Split(ansi.Wrap(s.join(0, " "+dot+" "), width, ""), "\n")
	}
	if len(lines) > height {
		lines = lines[:height]
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(text.Fit(line, width), " ")
	}
	return lines
}

// join tells the first parts at length, the others briefly.
func (s Sentence) join(full int, dot string) string {
	said := make([]string, len(s.parts))
	for i, p := range s.parts {
		said[i] = p.brief
		if i < full {
			said[i] = p.full
		}
	}
	return strings.Join(said, dot)
}
