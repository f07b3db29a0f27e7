package handoff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/layover/engine/agent/record"
)

// Plain gives a text without control characters and then without secrets, which redact
// takes out, so that no control character can split one. Where what joins letters, or an
// escape sequence within the text, would split one, all of those are undone, whether
// its reader takes terminal control sequences for what they are or not.
func Plain(text string, redact func(string) string) string {
	text = bare(redact(record.Printable(spelled(text, redact))), unjoined, redact)
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	return bare(bare(text, bared, redact), dropped, redact)
}

// Kept is foreign text as it is kept and shown: valid, so that it reads back as it was
// written, and without secrets, which redact takes out. It is as it came unless a control
// character in it hides one. A text is to be kept first and cut then.
func Kept(text string, redact func(string) string) string {
	whole := func(s string) string { return s }
	if plain := Plain(text, redact); plain != Plain(text, whole) {
		return plain
	}
	return strings.ToValidUTF8(text, "\uFFFD")
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
		if as := record.Printable(line); redact(as) == as {
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
	return record.Cut(t.plain(strings.Join(strings.Fields(t.plain(s)), " ")), record.MaxName)
}

// bared gives a text with the escape sequences of JSON and of most languages undone,
// however often they are escaped, and what they stand for made printable.
func bared(s string) string { return unjoined(record.Printable(record.Unescape(s, true))) }

// dropped gives a text with the same undone, and leaves only out of it what does not show.
func dropped(s string) string {
	return strings.Map(func(r rune) rune {
		if record.Hidden(r) || record.Joins(r) {
			return -1
		}
		return r
	}, record.Unescape(s, true))
}

// unjoined gives a text without what joins letters.
func unjoined(s string) string {
	const first, second = "\xe2\x80", "\xef\xb8" // all of them begin so
	if !strings.Contains(s, first) && !strings.Contains(s, second) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if record.Joins(r) {
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
	head := record.Cut(s, n/2)
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
