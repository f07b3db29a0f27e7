package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable gives a text without terminal control sequences and without characters
// that do not show: controls but tab and line feed, and format characters, with which
// text can be hidden. Those that join letters stay. A carriage return ends a line, and a
// backspace takes back a character. What is not UTF-8 becomes U+FFFD.
func Printable(s string) string {
	if strings.IndexFunc(s, Hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\x1b' || r == '\u009b':
			n = sequence(s[i:])
		case r == '\r':
			if !strings.HasPrefix(s[i+1:], "\n") {
				b = append(b, '\n')
			}
		case r == '\b':
			if last, size := utf8.DecodeLastRune(b); last != '\n' {
				b = b[:len(b)-size]
			}
		case r == '\u2028' || r == '\u2029':
			b = append(b, '\n')
		case !Hidden(r):
			b = utf8.AppendRune(b, r)
		}
		i += n
	}
	return string(b)
}

// Hidden reports whether a character is none that shows: a control or a format
// character, or one that may be ignored where it cannot be shown.
func Hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	}
	if Joins(r) {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Joins reports whether a hidden character says how those around it are to be shown: as
// one, apart, as a picture or as a letter.
func Joins(r rune) bool {
	return r == '\u200c' || r == '\u200d' || r == '\ufe0e' || r == '\ufe0f'
}

// PrintedLast is what is left of a line of which parts were printed over.
func PrintedLast(line string) string {
	text := strings.TrimSpace(Printable(line))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
