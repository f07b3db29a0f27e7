package agent

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain gives a text without control characters and then without secrets, which redact
// takes out, so that no control character can split one. Where what joins letters, or an
// escape sequence within the text, would split one, all of those are undone, whether
// its reader takes terminal control sequences for what they are or not.
func Plain(text string, redact func(string) string) string {
	text = bare(redact(printable(spelled(text, redact))), unjoined, redact)
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	return bare(bare(text, bared, redact), dropped, redact)
}

// spelled leaves only out what does not show of those lines in which a secret would lose
// a letter to a terminal control sequence, and not be one any more.
func spelled(text string, redact func(string) string) string {
	if !strings.ContainsAny(text, "\x1b\b\u009b") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		shown := dropped(line)
		if clean := redact(shown); clean == shown {
			continue
		}
		if as := printable(line); redact(as) == as {
			lines[i] = shown
		}
	}
	return strings.Join(lines, "\n")
}

// bare gives a text without secrets as it is, or as undo makes it if that has one.
func bare(text string, undo, redact func(string) string) string {
	if undone := undo(text); undone != text {
		if clean := redact(undone); clean != undone {
			return clean
		}
	}
	return text
}

// plain is a text as a transcript holds it.
func (t *Transcript) plain(text string) string { return Plain(text, t.redact) }

// word is a name or an id: plain, short, and on one line.
func (t *Transcript) word(s string) string {
	return cut(t.plain(strings.Join(strings.Fields(t.plain(s)), " ")), maxName)
}

// printable gives a text without terminal control sequences and without characters
// that do not show: controls but tab and line feed, and format characters, with which
// text can be hidden. Those that join letters stay. A carriage return ends a line, and a
// backspace takes back a character. What is not UTF-8 becomes U+FFFD.
func printable(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
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
		case !hidden(r):
			b = utf8.AppendRune(b, r)
		}
		i += n
	}
	return string(b)
}

// hidden reports whether a character is none that shows: a control or a format
// character, or one that may be ignored where it cannot be shown.
func hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	}
	if joins(r) {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// joins reports whether a hidden character says how those around it are to be shown: as
// one, apart, as a picture or as a letter.
func joins(r rune) bool {
	return r == '\u200c' || r == '\u200d' || r == '\ufe0e' || r == '\ufe0f'
}

// bared gives a text with the escape sequences of JSON and of most languages undone,
// however often they are escaped, and what they stand for made printable.
func bared(s string) string { return unjoined(printable(unescape(s, true))) }

// dropped gives a text with the same undone, and leaves only out of it what does not show.
func dropped(s string) string {
	return strings.Map(func(r rune) rune {
		if hidden(r) || joins(r) {
			return -1
		}
		return r
	}, unescape(s, true))
}

// unjoined gives a text without what joins letters.
func unjoined(s string) string {
	const first, second = "\xe2\x80", "\xef\xb8" // all of them begin so
	if !strings.Contains(s, first) && !strings.Contains(s, second) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if joins(r) {
			return -1
		}
		return r
	}, s)
}

// shorten leaves about n bytes of a longer text: its beginning and its end, with a
// word on how much is left out between them. It splits no character.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := cut(s, n/2)
	at := len(s) - n/2
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	short := head + fmt.Sprintf("\n[%d bytes are left out here]\n", at-len(head)) + s[at:]
	if len(short) >= len(s) {
		return s
	}
	return short
}
