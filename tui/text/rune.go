package text

import (
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// fate is what becomes of a character of foreign text.
type fate int

const (
	// keep shows it as it is.
	keep fate = iota + 1
	// blank shows a space.
	blank
	// breaks shows the mark of a line's end.
	breaks
	// drop shows nothing: the character has no look of its own and does no harm
	// when it is gone.
	drop
	// deny shows [unreadable], so that nobody takes the text for what it is not.
	deny
)

const (
	// unreadable stands for what cannot or must not be shown.
	unreadable = '\uFFFD'
	// newline stands for the end of a line inside a line.
	newline = '↵'
	// ellipsis ends what was cut.
	ellipsis = "…"
)

// shown lists the categories whose characters may reach a screen: letters, marks,
// numbers, punctuation and symbols. Whatever Unicode assigns later is not in it.
var shown = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S}

// judge tells what becomes of a character.
func judge(r rune) fate {
	switch {
	case r >= ' ' && r <= '~':
		return keep
	case r == '\t' || unicode.Is(unicode.Zs, r):
		return blank
	case r == '\n' || r == '\u2028' || r == '\u2029':
		return breaks
	case unicode.Is(unicode.Cc, r):
		return drop
	case unicode.Is(unicode.Bidi_Control, r) && !implicit(r):
		return deny
	case r >= 0xE0000 && r <= 0xE007F: // tags: hidden text
		return deny
	case unicode.Is(unicode.Cf, r), invisible(r):
		return drop
	case unicode.In(r, shown...):
		return keep
	}
	return deny
}

// implicit reports whether r is one of the marks that ordinary right-to-left text
// holds, which reorder nothing by themselves.
func implicit(r rune) bool { return r == '\u061C' || r == '\u200E' || r == '\u200F' }

// invisible reports whether r only changes how its neighbours look, or is a letter
// without a look: terminals disagree on how many cells the result has.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		r >= 0x1F3FB && r <= 0x1F3FF // skin tones
}

// plain replaces the letters of which flags are made by ordinary ones, since
// terminals disagree on the width of a flag.
func plain(r rune) rune {
	if r >= 0x1F1E6 && r <= 0x1F1FF {
		return 'A' + r - 0x1F1E6
	}
	return r
}

// cells is how many cells a character takes at most. Some terminals give a mark that
// stands beside its letter a cell of its own, others none.
func cells(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return 1
	case unicode.Is(unicode.Mc, r):
		return max(1, ansi.StringWidth(string(r))) // the tone marks of Hangul are wide
	case unicode.Is(unicode.M, r):
		return max(0, ansi.StringWidth("a"+string(r))-1)
	}
	return ansi.StringWidth(string(r))
}
