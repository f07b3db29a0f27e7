package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

func TestLine(t *testing.T) {
	cases := map[string]struct {
		in   run.Untrusted
		max  int
		want string
	}{
		"plain":                      {"hello", 10, "hello"},
		"empty":                      {"", 10, ""},
		"no room":                    {"hello", 0, ""},
		"negative room":              {"hello", -3, ""},
		"exact":                      {"hello", 5, "hello"},
		"cut":                        {"hello", 4, "hel…"},
		"cut to one":                 {"hello", 1, "…"},
		"wide cut before the half":   {"日本語", 4, "日…"},
		"wide exact":                 {"日本語", 6, "日本語"},
		"wide in one cell":           {"日", 1, "…"},
		"last carriage return":       {"10%\r20%\rdone", 20, "done"},
		"crlf":                       {"done\r\n", 20, "done"},
		"many ends":                  {"done\r\r\n\n", 20, "done"},
		"return within each line":    {"a\rb\nc\rd", 20, "b↵d"},
		"empty lines":                {"a\n\nb", 20, "a↵↵b"},
		"line separators":            {"a\u2028b\u2029c", 20, "a↵b↵c"},
		"tab":                        {"a\tb", 20, "a b"},
		"other spaces":               {"a\u00a0b\u3000c", 20, "a b c"},
		"colour":                     {"\x1b[31mred\x1b[0m", 20, "red"},
		"clipboard":                  {"a\x1b]52;c;aGk=\x07b", 20, "ab"},
		"link":                       {"\x1b]8;;http://x\x1b\\go\x1b]8;;\x1b\\", 20, "go"},
		"unended sequence":           {"a\x1b]0;title\nb", 20, "a↵b"},
		"eight-bit sequence start":   {"a\u009b31mb", 20, "a31mb"},
		"stray eight-bit byte":       {"a\x9db", 20, "a\uFFFDb"},
		"control":                    {"a\x00\a\b\x7fb", 20, "ab"},
		"invalid":                    {"a\xff\xfe\xfdb", 20, "a\uFFFDb"},
		"half a character":           {"a\xe6\x97", 20, "a\uFFFD"},
		"override":                   {"evil\u202egnp.exe", 20, "evil\uFFFDgnp.exe"},
		"isolate":                    {"a\u2066b\u2069c", 20, "a\uFFFDb\uFFFDc"},
		"implicit mark":              {"a\u200fb", 20, "ab"},
		"zero width":                 {"a\u200bb\u200dc\ufeffd\u00ade", 20, "abcde"},
		"tags":                       {"a\U000e0041\U000e0042b", 20, "a\uFFFDb"},
		"private use":                {"a\ue0b0b", 20, "a\uFFFDb"},
		"unassigned":                 {"a\u0378b", 20, "a\uFFFDb"},
		"emoji look":                 {"\u26a0\ufe0f!", 20, "\u26a0!"},
		"joined emoji":               {"👩\u200d🚀", 20, "👩🚀"},
		"skin tone":                  {"👍🏽", 20, "👍"},
		"flag":                       {"🇩🇪", 20, "DE"},
		"accent":                     {"e\u0301", 20, "e\u0301"},
		"accent without letter":      {"\u0301e", 20, "e"},
		"heap of accents":            {run.Untrusted("a" + strings.Repeat("\u0301", 50) + "b"), 20, "a" + strings.Repeat("\u0301", 4) + "b"},
		"letter without look":        {"a\u3164b\u115fc", 20, "abc"},
		"endless":                    {run.Untrusted(strings.Repeat("x", 1<<20)), 5, "xxxx…"},
		"endless sequences are cut":  {run.Untrusted(strings.Repeat("\x1b[m", 1<<20)), 5, "…"},
		"endless line, short update": {run.Untrusted(strings.Repeat("x", 1<<20) + "\rok"), 5, "ok"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := text.Line(c.in, c.max); got != c.want {
				t.Errorf("Line(%.40q, %d) = %q, want %q", string(c.in), c.max, got, c.want)
			}
		})
	}
}

func TestName(t *testing.T) {
	cases := map[string]struct {
		in   run.Untrusted
		max  int
		want string
	}{
		"plain":         {"src/main.go", 20, "src/main.go"},
		"space":         {"a b", 20, "a b"},
		"newline":       {"a\nb", 20, `a\nb`},
		"return":        {"a\rb", 20, `a\rb`},
		"escape":        {"a\x1b[31mb", 20, `a\x1b[31mb`},
		"not utf-8":     {"caf\xe9", 20, `caf\xe9`},
		"override":      {"a\u202eb", 20, `a\u202eb`},
		"zero width":    {"a\u200bb", 20, `a\u200bb`},
		"hard space":    {"a\u00a0b", 20, `a\u00a0b`},
		"lone accent":   {"\u0301a", 20, `\u0301a`},
		"letters":       {"日本é", 20, "日本é"},
		"cut":           {"a\nbcdef", 5, `a\nb…`},
		"cut in escape": {"a\x1bb", 4, `a\x…`},
		"no room":       {"a", 0, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := text.Name(c.in, c.max); got != c.want {
				t.Errorf("Name(%q, %d) = %q, want %q", string(c.in), c.max, got, c.want)
			}
		})
	}
}

// harmless fails the test if s may not reach a screen.
func harmless(t *testing.T, s string, width int) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q is not valid UTF-8", s)
	}
	for _, r := range s {
		if r == ' ' || unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) {
			continue
		}
		t.Errorf("%q contains %U", s, r)
	}
	if got := ansi.StringWidth(s); got > max(0, width) {
		t.Errorf("%q has %d cells, allowed are %d", s, got, width)
	}
	if first, _ := utf8.DecodeRuneInString(s); unicode.Is(unicode.M, first) {
		t.Errorf("%q begins with a mark, which joins what is in front", s)
	}
}

// seeds are inputs from which the fuzzers start.
var seeds = []string{
	"plain", "a\rb\nc", "\x1b]52;c;aGk=\x07", "\u009b31m", "a\xff\xe6\x97", "👩\u200d🚀🇩🇪👍🏽",
	"\u202eevil\u2066", "1\ufe0f\u20e3", "a\u0301\u0301", "각", "नमस्ते", "ᄀᄀᄀ각ᆨᆨ", "\u0600x", "\u2028",
}

func FuzzLine(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit %= 300
		got := text.Line(run.Untrusted(s), limit)
		harmless(t, got, limit)
		if again := text.Line(run.Untrusted(got), limit); again != got {
			t.Errorf("Line(%q, %d) = %q, and of that %q", s, limit, got, again)
		}
	})
}

func FuzzName(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit %= 300
		got := text.Name(run.Untrusted(s), limit)
		harmless(t, got, limit)
		if again := text.Name(run.Untrusted(got), limit); again != got {
			t.Errorf("Name(%q, %d) = %q, and of that %q", s, limit, got, again)
		}
		if s != "" && limit > 0 && got == "" {
			t.Errorf("Name(%q, %d) is empty", s, limit)
		}
	})
}

// alike are those that differ in nothing that counts here: ideographs, syllables and
// private ones. Some of them stand for all.
func alike(r rune) bool {
	return r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0xe000 && r <= 0xf8ff || r >= 0x20000 && r < 0xe0000 || r >= 0xe0200
}

// No character is wider than it is counted, behind whatever stands before it.
func TestEveryCharacterIsCountedInFull(t *testing.T) {
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		if alike(r) && r%61 != 0 {
			continue
		}
		for _, before := range []string{"a", "\u1e1a", "日", "1"} {
			limit := ansi.StringWidth(before) + 1
			for _, got := range []string{text.Line(run.Untrusted(before+string(r)), limit), text.Name(run.Untrusted(before+string(r)), limit)} {
				if w := ansi.StringWidth(got); w > limit {
					t.Fatalf("%q behind %q takes %d cells of %d: %q", r, before, w, limit, got)
				}
			}
		}
	}
}
