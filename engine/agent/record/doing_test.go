package record

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestDoingIsOneShortLine(t *testing.T) {
	for name, tc := range map[string]struct{ verb, object, want string }{
		"verb alone":       {"Bash", `null`, "Bash"},
		"text alone":       {"", `" a\n\tb  c "`, "a b c"},
		"escapes":          {"run", `"\"x\\y\/z\" \u00e9 \ud83d\ude00"`, "run \"x\\y/z\" é 😀"},
		"broken escapes":   {"", `"\ud83d \u00zz \q"`, "\ufffd \\u00zz \\q"},
		"not UTF-8":        {"", "\"a\xffb\"", "a\ufffdb"},
		"blanks only":      {"", `"` + strings.Repeat(`\n`, 1<<20) + `x"`, ""},
		"one long word":    {"", `"` + strings.Repeat("x", 1000) + `"`, ""},
		"a word is cut":    {"a", `"b ` + strings.Repeat("é", 1000) + `"`, "a b"},
		"many words":       {"", `"` + strings.Repeat("abc ", 1000) + `"`, strings.Repeat("abc ", MaxDoing/4-1) + "abc"},
		"without blanks":   {"", `"` + strings.Repeat("文字，", 200) + `"`, strings.Repeat("文字，", MaxDoing/9-1) + "文字"},
		"many escapes":     {"", `"` + strings.Repeat(`\u0061`, 400) + ` ` + strings.Repeat(`\u0062`, 400) + `"`, strings.Repeat("a", 400)},
		"a sequence":       {"", `"a b` + strings.Repeat(`\u001b[ q`, 100) + strings.Repeat("b", 1000) + `"`, "a"},
		"a verb that long": {strings.Repeat("v", 1000), `"x"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(doing(tc.verb, Raw(tc.object))); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// A short string shows the same as its value would.
func TestDoingAgreesWithTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		verb, text := rapid.StringN(0, 20, 60).Draw(t, "verb"), rapid.StringN(0, 80, 120).Draw(t, "text")
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Join(strings.Fields(verb+" "+strings.ReplaceAll(text, "\v", " ")), " ")
		got := string(doing(verb, Raw(encoded)))
		if len(want) <= MaxDoing && got != want || !strings.HasPrefix(want, got) || !utf8.ValidString(got) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
