package styles

import "strings"

// LaneGlyphs has one glyph for each state of a lane.
type LaneGlyphs struct {
	Queued, Working, Inline, Parked, Done, Failed, Stopped, Blocked string
}

// FamilyGlyphs has one glyph for each state of a family.
type FamilyGlyphs struct {
	Free, Suspected, Tripped, Probing, Blocked string
}

// RunGlyphs has one glyph for each standing of a run that is watched.
type RunGlyphs struct {
	Listed, Working, Limited, Asking, Idle, Done, Failed, Stopped, Silent, Orphaned, Unreadable string
}

// BarGlyphs are the pieces of a bar.
type BarGlyphs struct {
	// Full and Empty fill a cell.
	Full, Empty string
	// Parts fill a part of a cell from the left, in equal steps, the smallest
	// first; there may be none.
	Parts []string
}

// Glyphs are the marks of the screen. Each is one cell wide, also in terminals that
// show emoji, and within its group unlike the others.
type Glyphs struct {
	Lane   LaneGlyphs
	Family FamilyGlyphs
	Run    RunGlyphs
	Bar    BarGlyphs
	// Cursor marks the selected row, where colour may be missing.
	Cursor string
	// Rule draws a horizontal line, Dot separates things on a line, Arrow leads
	// from one target to the next, More tells that something was cut.
	Rule, Dot, Arrow, More string
	// Warn, Bad and Info begin a notice.
	Warn, Bad, Info string
	// Boxes tells whether frames may be drawn with box characters, and other marks
	// than those of ASCII at all.
	Boxes bool
}

// Unicode is the set for terminals that show UTF-8.
func Unicode() Glyphs {
	return Glyphs{
		Lane: LaneGlyphs{
			Queued: "·", Working: "●", Inline: "◔", Parked: "◑",
			Done: "✓", Failed: "✗", Stopped: "■", Blocked: "⊘",
		},
		Family: FamilyGlyphs{Free: "○", Suspected: "△", Tripped: "▲", Probing: "◇", Blocked: "⊘"},
		Run: RunGlyphs{
			Listed: "·", Working: "●", Limited: "◑", Asking: "◆", Idle: "◔",
			Done: "✓", Failed: "✗", Stopped: "■", Silent: "◌", Orphaned: "⊘", Unreadable: "?",
		},
		Bar:    BarGlyphs{Full: "█", Empty: "░", Parts: []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉"}},
		Cursor: "▌", Rule: "─", Dot: "·", Arrow: "→", More: "…",
		Warn: "△", Bad: "▲", Info: "›",
		Boxes: true,
	}
}

// ASCII is the set for every other terminal.
func ASCII() Glyphs {
	return Glyphs{
		Lane: LaneGlyphs{
			Queued: ".", Working: "*", Inline: "~", Parked: "=",
			Done: "+", Failed: "x", Stopped: "#", Blocked: "!",
		},
		Family: FamilyGlyphs{Free: "o", Suspected: "?", Tripped: "!", Probing: "^", Blocked: "x"},
		Run: RunGlyphs{
			Listed: ".", Working: "*", Limited: "=", Asking: "@", Idle: "~",
			Done: "+", Failed: "x", Stopped: "#", Silent: "-", Orphaned: "!", Unreadable: "?",
		},
		Bar:    BarGlyphs{Full: "#", Empty: "-"},
		Cursor: ">", Rule: "-", Dot: "-", Arrow: ">", More: "~",
		Warn: "?", Bad: "!", Info: ">",
	}
}

// Spell returns a screen that has been drawn in full, with the marks that stand in
// text, such as the "…" of what was cut, in the characters of the set. Every line
// keeps its width; what others wrote in other letters stays as it is.
func (g Glyphs) Spell(screen string) string {
	if g.Boxes {
		return screen
	}
	return strings.NewReplacer("…", g.More, "↵", "/", "\uFFFD", "?", "↑", "^", "↓", "v").Replace(screen)
}

// GlyphsFor chooses the set by what the environment says: ASCII if the locale names
// another character set than UTF-8, or if TERM is dumb or linux, whose font lacks
// most marks. Without any locale it is Unicode. It reads LC_ALL, LC_CTYPE, LANG, TERM.
func GlyphsFor(getenv func(string) string) Glyphs {
	if term := getenv("TERM"); term == "dumb" || term == "linux" {
		return ASCII()
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := strings.ToLower(getenv(name))
		if locale == "" {
			continue
		}
		if strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") {
			return Unicode()
		}
		return ASCII()
	}
	return Unicode()
}
