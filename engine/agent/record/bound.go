package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxDoing bounds run.Sight.Doing and Message, in bytes each.
	MaxDoing = 800
	// MaxErrorText bounds the text that rules are matched in, in bytes.
	MaxErrorText = 16 << 10
	// MaxName bounds the names of sessions and models, in bytes.
	MaxName = 128
)

// Cut shortens s to at most n bytes without splitting a rune. What is cut and may hold a
// secret must be without secrets already; see [Whole].
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

// Whole shortens s to at most n bytes and leaves out the word that is cut with all of it:
// a part of a secret does not look like one any more, and would be shown. What is left of
// a text that is cut has no terminal control sequences, which could part a word.
func Whole(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return whole(s[:n])
}

// whole leaves the last word out of the beginning of a text, which may end in a part of it.
func whole(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r == '\b' || r == '\x1b' || r >= 0x80 && r < 0xa0 }) >= 0 {
		s = Printable(s)
	}
	at := strings.LastIndexFunc(s, parts)
	if at < 0 {
		return ""
	}
	return strings.Clone(strings.TrimRight(s[:at], " \t"))
}

// parts reports whether a character stands between words, and never within a secret: a
// blank, or punctuation of those that write without blanks. Line ends are within some.
func parts(r rune) bool {
	return r == ' ' || r == '\t' || r >= '\u3000' && r != utf8.RuneError && (unicode.IsPunct(r) || unicode.IsSpace(r))
}

// PlainName returns s if it can be an id: short, of letters, digits and a few
// signs, and not to be taken for an option. Otherwise it returns the empty string.
func PlainName(s string) string {
	if s == "" || len(s) > MaxName || s[0] == '-' || s[0] == '.' {
		return ""
	}
	for _, c := range []byte(s) {
		if !strings.ContainsRune("-_.:", rune(c)) && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return ""
		}
	}
	return s
}

// ModelName returns the name of a model without what a name cannot hold, so that
// it can be shown and compared. It is the empty string for what is longer than a name can
// be, or is several words: without blanks a secret would not look like one.
func ModelName(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 2*MaxName || strings.ContainsAny(s, " \t\r\n") {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
	if len(name) > MaxName {
		return ""
	}
	return name
}
