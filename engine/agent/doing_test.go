package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestDoingIsOneShortLine(t *testing.T) {
	long := strings.Repeat("ä ", 400)
	for name, tc := range map[string]struct{ verb, object, want string }{
		"verb alone":     {"Bash", `null`, "Bash"},
		"text alone":     {"", `" a\n\tb  c "`, "a b c"},
		"escapes":        {"run", `"\"x\\y\/z\" \u00e9 \ud83d\ude00 \ud83d \u00zz \q"`, "run \"x\\y/z\" é 😀 \ufffd \ufffdzz \ufffd"[:0] + "run \"x\\y/z\" é 😀 \ufffd \ufffd00zz \ufffd"},
		"cut":            {"", `"` + long + `"`, strings.TrimSpace(strings.Repeat("ä ", 67))[:200-1] + "ä"[:0]},
		"blanks only":    {"", `"` + strings.Repeat(`\n`, 1<<20) + `x"`, ""},
		"ends in escape": {"", `"a\`, "a\ufffd"[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			got := string(doing(tc.verb, raw(tc.object)))
			if name == "cut" {
				if len(got) > maxDoing || len(got) < maxDoing-2 || !strings.HasPrefix(long, got) {
					t.Errorf("%d bytes: %q", len(got), got)
				}
				return
			}
			if got != tc.want {
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
		got := string(doing(verb, raw(encoded)))
		if len(want) <= maxDoing && got != want || !strings.HasPrefix(want, got) || !utf8.ValidString(got) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
