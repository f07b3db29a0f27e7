package redact

import (
	"strings"
	"testing"
)

// A private key whose end is cut off is taken whole, if its lines were put on one, and if
// one of them begins with a sign that may frame a line.
func TestAKeyWithoutItsEnd(t *testing.T) {
	line := func(first string) string { return (first + b62)[:64] }
	for name, lines := range map[string][]string{
		"a plus first":  {line("+"), line("A"), line("B"), "SecretEnd0="},
		"a plus behind": {line("A"), line("+"), line("++"), "SecretEnd0="},
		"one kind":      {line("A"), line("B"), line("C"), "SecretEnd0="},
	} {
		for _, between := range []string{"\n", " ", `\n`, "\n+", "\r\n"} {
			got := New(nil).String("a -----BEGIN PRIVATE KEY-----" + between + strings.Join(lines, between))
			if want := "a [redacted:private-key]"; got != want {
				t.Errorf("%s, between %q: %q", name, between, got)
			}
		}
	}
}

// A value of several words may be cut between them: what of it ends a text is taken out,
// and nothing within one.
func TestTheFirstWordsOfAValueAtTheEnd(t *testing.T) {
	r := New([]string{"A_TOKEN=correct horse  battery", "B_TOKEN=redacted:env] and more"})
	for text, want := range map[string]string{
		"say correct horse":         "say [redacted:env]",
		"say correct horse \n":      "say [redacted:env] \n",
		"say correct":               "say [redacted:env]",
		"say corr":                  "say corr",
		"correct horse is right":    "correct horse is right",
		"correct horse  battery, x": "[redacted:env], x",
		"[redacted:env]":            "[redacted:env]",
	} {
		if got := r.String(text); got != want || r.String(got) != want {
			t.Errorf("%q becomes %q, then %q", text, got, r.String(got))
		}
	}
}
