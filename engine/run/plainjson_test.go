package run_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// hidden are characters that a terminal obeys, or that reorder or hide text.
const hidden = "\u007f\u0090\u009b\u00ad\u200b\u200d\u200e\u2028\u202e\u2066\u3164\ufe0f\ufeff\U000e0041\U000e0100\ue000"

// What is printed of facts and observations is without such characters, and reads back as
// it was.
func TestNothingHiddenIsPrintedAsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune(hidden)))).Draw(t, "text")
		f := run.Fact{Seq: 1, Body: run.Notice{Message: text}}
		o := run.Observation{Body: run.Activity{Message: run.Untrusted(text)}}
		for _, v := range []json.Marshaler{f, o} {
			b, err := v.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if at := strings.IndexFunc(string(b), func(r rune) bool {
				return strings.ContainsRune(hidden, r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Bidi_Control, unicode.Variation_Selector)
			}); at >= 0 {
				t.Fatalf("%q", b[at:])
			}
			var back struct{ Message string }
			if err := json.Unmarshal(b, &back); err != nil || back.Message != strings.ToValidUTF8(text, "\ufffd") {
				t.Fatalf("%q reads back as %q, %v", text, back.Message, err)
			}
		}
	})
}

func TestPlainJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"é 文 😀"}`: `{"a":"é 文 😀"}`, "{\n \"a\":\"\u009b31m\"}": "{\n \"a\":\"" + `\u009b31m"}`, "\"\U000e0041\"": `"\udb40\udc41"`, "": "",
	} {
		if got := string(run.PlainJSON([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
