package record

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSaid(t *testing.T) {
	key := strings.Repeat("Zm9vYmFy", 8)
	for name, tc := range map[string]struct{ text, want string }{
		"one line":             {"I look.", "I look."},
		"the last line":        {"I look.\n\n  Then   I\tmend it.  ", "Then I mend it."},
		"behind a fence":       {"So it is:\n```\n\n", "So it is:"},
		"in a fence":           {"So it is:\n```go\nx := 1\n}\n```", "x := 1"},
		"a backslash and an n": {`one\nof two`, `one\nof two`},
		"a path with such":     {"x\n" + `C:\new\\n`, `C:\new\\n`},
		"no letters":           {"...\n--", ""},
		"empty":                {"", ""},
		"a key alone":          {"The key:\n" + key + "\n", "The key:"},
		"a key in a sentence":  {"It is " + key, "It is " + key},
		"words without blanks": {"x\n" + strings.Repeat("漢字", 20), strings.Repeat("漢字", 20)},
		"a sign":               {"x\n✓", "✓"},
		"blank for long":       {"far away" + strings.Repeat("\n", maxBlank), ""},
		"blank for a while":    {"near" + strings.Repeat("\n", maxBlank-1), "near"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(Said(inRecord(t, tc.text)).Text()); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
	for _, other := range []string{"", "null", `{"a":"b"}`, `["a"]`} {
		if got := Said(Raw(other)); got.Set() {
			t.Errorf("%s is told as %q", other, got.Text())
		}
	}
}

// inRecord is a text as it stands in a record.
func inRecord(t interface{ Fatal(...any) }, text string) Raw {
	b, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A message that comes in parts shows the same as the whole of it, whatever the parts.
func TestSpeechAgreesWithTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Of the whole no more than maxBlank lines are looked at.
		parts := rapid.SliceOfN(rapid.StringMatching("[a b\n`é\\\\]{0,9}"), 1, 9).Filter(func(parts []string) bool {
			return strings.Count(strings.Join(parts, ""), "\n") < maxBlank
		}).Draw(t, "parts")
		var s Speech
		got, all := "", strings.Builder{}
		for _, part := range parts {
			all.WriteString(part)
			got = string(s.Add(inRecord(t, part)).Text())
		}
		if want := string(Said(inRecord(t, all.String())).Text()); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

func TestSpeechIsBounded(t *testing.T) {
	var s Speech
	for range 1000 {
		s.Add(Raw(`"some more words of a line, "`))
	}
	if len(s.line) > maxSpeech || len(s.next) > maxSpeech {
		t.Errorf("%d bytes are kept", len(s.line)+len(s.next))
	}
	s.Add(Raw(`" its end\n"`))
	if got := s.Add(Raw(`"next"`)).Text(); got != "next" {
		t.Errorf("%q after a long line", got)
	}
	s.End()
	if got := s.Add(Raw(`"anew"`)).Text(); got != "anew" {
		t.Errorf("%q in a new message", got)
	}
}

// The last line is found wherever its break is, in texts of any length.
func TestTheLastLineOfLongTexts(t *testing.T) {
	for n := range 2*breakWindow + 3 {
		for _, before := range []string{"", `first\n`, `first\n` + strings.Repeat("b", breakWindow), `no \\n break `} {
			last := strings.Repeat("w ", n/2+1) + strings.Repeat("x", n%2)
			text := Raw(`"` + before + `\n` + last + `"`)
			if got := string(Said(text).Object); got != last {
				t.Fatalf("behind %q: %q, want %q", before, got, last)
			}
		}
	}
}
