package agent

import (
	"strings"
	"unicode/utf8"

	"example.com/layover/engine/run"
)

const (
	// maxDoing bounds run.Sight.Doing and Message, in bytes each. It is more than is shown,
	// so that a secret which it cuts is not shown.
	maxDoing = 800
	// maxErrorText bounds the text that rules are matched in, in bytes.
	maxErrorText = 16 << 10
	// maxName bounds the names of sessions and models, in bytes.
	maxName = 128
)

// cut shortens s to at most n bytes without splitting a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

func excerpt(s string) run.Untrusted { return run.Untrusted(cut(s, run.MaxMessage)) }

// plainName returns s if it can be an id: short, of letters, digits and a few
// signs, and not to be taken for an option. Otherwise it returns the empty string.
func plainName(s string) string {
	if s == "" || len(s) > maxName || s[0] == '-' || s[0] == '.' {
		return ""
	}
	for _, c := range []byte(s) {
		if !strings.ContainsRune("-_.:", rune(c)) && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return ""
		}
	}
	return s
}

// modelName returns the name of a model without what a name cannot hold, so that
// it can be shown and compared.
func modelName(s string) string {
	return cut(strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, cut(s, 2*maxName)), maxName)
}
