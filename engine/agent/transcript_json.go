package agent

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// data is JSON as a transcript holds it: its strings are made plain one by one, so that
// no escape sequence can hide what is in them, and the whole once more, as the name of a
// member may tell of a secret. Its order stays. It never recurses.
func (t *Transcript) data(r raw) string {
	if bytes.IndexByte(r, '\\') < 0 && bytes.IndexByte(r, 0x1b) < 0 && len(r) < minBlob {
		return t.plain(string(r))
	}
	var b strings.Builder
	for i := 0; i < len(r); {
		quote := bytes.IndexByte(r[i:], '"')
		if quote < 0 {
			quote = len(r) - i
		}
		b.WriteString(printable(string(r[i : i+quote])))
		i += quote
		if i == len(r) {
			break
		}
		end, ok := stringEnd(r, i)
		if !ok {
			return t.plain(string(r)) // it is no JSON
		}
		b.WriteString(quoted(t.plain(r[i:end].said())))
		i = end
	}
	return bare(t.redact(b.String()), unjoined, t.redact)
}

// shown is a value as a transcript holds it: a text, which may hold JSON, or JSON.
func (t *Transcript) shown(v raw) string {
	if len(v) == 0 || v[0] != '"' {
		return t.data(v)
	}
	text := v.said()
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return t.data(raw(text))
	}
	return t.plain(text)
}

// quoted gives a text as a string of JSON, escaped no more than it must be.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// unescape undoes the escape sequences of JSON, and of most languages, wherever they
// stand; if deep is set, with however many backslashes. What is none stays as it is.
func unescape(s string, deep bool) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			next := strings.IndexByte(s[i:], '\\')
			if next < 0 {
				next = len(s) - i
			}
			b = append(b, s[i:i+next]...)
			i += next
			continue
		}
		start := i
		for i++; deep && i < len(s) && s[i] == '\\'; {
			i++
		}
		r, n := escaped(s[i:])
		if n == 0 {
			b = append(b, s[start:i]...)
			continue
		}
		b = utf8.AppendRune(b, r)
		i += n
	}
	return string(b)
}

// escaped gives the character that stands behind a backslash and how long it is there;
// zero if it is none.
func escaped(s string) (r rune, n int) {
	const letters, are = `"'/\nrtebf`, "\"'/\\\n\r\t\x1b\b\f"
	switch {
	case s == "":
		return 0, 0
	case strings.HasPrefix(s, "033"):
		return 0x1b, 3
	case s[0] == 'x':
		return hexadecimal(s[1:], 2)
	case s[0] == 'u':
		high, n := hexadecimal(s[1:], 4)
		if !utf16.IsSurrogate(high) {
			return high, n
		}
		rest := strings.TrimLeft(s[n:], `\`)
		if low, k := hexadecimal(strings.TrimPrefix(rest, "u"), 4); k > 0 && rest[0] == 'u' {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r, len(s) - len(rest) + k
			}
		}
		return utf8.RuneError, n
	}
	if i := strings.IndexByte(letters, s[0]); i >= 0 {
		return rune(are[i]), 1
	}
	return 0, 0
}

// hexadecimal gives the character of so many digits and how long it is with the letter
// before them; zero if it is none.
func hexadecimal(s string, digits int) (r rune, n int) {
	if len(s) < digits {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[:digits], 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(v), 1 + digits
}
