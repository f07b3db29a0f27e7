package agent

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is a text as a transcript holds it: without control characters, then without
// secrets, so that no control character can split one.
func (t *Transcript) plain(text string) string { return t.redact(printable(text)) }

// word is a name or an id: plain, short, and on one line.
func (t *Transcript) word(s string) string {
	return cut(strings.Join(strings.Fields(t.plain(s)), " "), maxName)
}

// printable gives a text without terminal control sequences and without characters
// that do not show: controls but tab and line feed, and format characters, with which
// text can be hidden. Those that join letters stay. A carriage return ends a line. What
// is not UTF-8 becomes U+FFFD.
func printable(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\x1b':
			n = sequence(s[i:])
		case r == '\r':
			if !strings.HasPrefix(s[i+1:], "\n") {
				b.WriteByte('\n')
			}
		case !hidden(r):
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

func hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	}
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r != nonJoiner && r != joiner && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r))
}

// maxSequence bounds a terminal control sequence, in bytes; what is longer is text
// behind an escape character.
const maxSequence = 256

// sequence gives the length of the terminal control sequence that s begins with.
func sequence(s string) int {
	if len(s) < 2 || s[1] != '[' && s[1] != ']' {
		return 1
	}
	for i := 2; i < min(len(s), maxSequence); i++ {
		switch c := s[i]; {
		case s[1] == '[' && c >= 0x40 && c <= 0x7e, s[1] == ']' && c == 0x07:
			return i + 1
		case c == 0x1b, c == '\n':
			return i
		}
	}
	return 1
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
