package record

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape undoes the escape sequences of JSON, and of most languages, wherever they
// stand; if deep is set, with however many backslashes. What is none stays as it is.
func Unescape(s string, deep bool) string {
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
