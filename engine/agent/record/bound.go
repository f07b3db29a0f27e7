package record

import (
	"strings"
	"unicode/utf8"

	"example.com/layover/engine/run"
)

const (
	// MaxDoing bounds run.Sight.Doing and Message, in bytes each. It is more than is shown,
	// so that a secret which it cuts is not shown.
	MaxDoing = 800
	// MaxErrorText bounds the text that rules are matched in, in bytes.
	MaxErrorText = 16 << 10
	// MaxName bounds the names of sessions and models, in bytes.
	MaxName = 128
)

// Cut shortens s to at most n bytes without splitting a rune.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

// Excerpt shortens s to what a verdict may hold of a text.
func Excerpt(s string) run.Untrusted { return run.Untrusted(Cut(s, run.MaxMessage)) }

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
// it can be shown and compared.
func ModelName(s string) string {
	return Cut(strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, Cut(s, 2*MaxName)), MaxName)
}
