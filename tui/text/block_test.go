package text_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

func TestBlock(t *testing.T) {
	cases := map[string]struct {
		in          run.Untrusted
		width, most int
		want        []string
	}{
		"empty":              {"", 10, 3, nil},
		"only ends":          {"\n\r\n\n", 10, 3, nil},
		"only spaces":        {"  \n  ", 10, 3, nil},
		"no width":           {"a", 0, 3, nil},
		"no lines":           {"a", 10, 0, nil},
		"one line":           {"hello", 10, 3, []string{"hello"}},
		"words":              {"the quick brown fox", 10, 3, []string{"the quick", "brown fox"}},
		"long word":          {"abcdefghij", 4, 3, []string{"abcd", "efgh", "ij"}},
		"lines":              {"a\r\nb\n\nc", 10, 9, []string{"a", "b", "", "c"}},
		"cut lines":          {"a\nb\nc", 10, 2, []string{"a", "b…"}},
		"cut at full width":  {"aaaa\nb", 4, 1, []string{"aaa…"}},
		"cut words":          {"the quick brown fox", 10, 1, []string{"the quick…"}},
		"exactly as many":    {"a\nb", 10, 2, []string{"a", "b"}},
		"control":            {"\x1b[31mred\a\nx\ry", 10, 3, []string{"red", "y"}},
		"wide, narrow":       {"日", 1, 1, []string{"…"}},
		"mark after a break": {"aaa\u0301 \u0301bbb", 3, 3, []string{"aaa\u0301", "bbb"}},
		"endless":            {run.Untrusted(strings.Repeat("x", 1<<20)), 3, 2, []string{"xxx", "xx…"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, text.Block(c.in, c.width, c.most)); diff != "" {
				t.Errorf("Block(%.40q, %d, %d) differs (-want +got):\n%s", string(c.in), c.width, c.most, diff)
			}
		})
	}
}

func FuzzBlock(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 7, 3)
	}
	f.Fuzz(func(t *testing.T, s string, width, most int) {
		width, most = width%200, most%50
		got := text.Block(run.Untrusted(s), width, most)
		if len(got) > max(0, most) {
			t.Errorf("Block(%q, %d, %d) has %d lines", s, width, most, len(got))
		}
		for _, line := range got {
			harmless(t, line, width)
		}
	})
}
