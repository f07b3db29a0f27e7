package text_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"example.com/layover/tui/text"
)

func TestFit(t *testing.T) {
	cases := map[string]struct {
		fit   func(string, int) string
		in    string
		width int
		want  string
	}{
		"pad":                {text.Fit, "ab", 4, "ab  "},
		"exact":              {text.Fit, "abcd", 4, "abcd"},
		"cut":                {text.Fit, "abcdef", 4, "abc…"},
		"cut wide, then pad": {text.Fit, "日本語", 4, "日… "},
		"one":                {text.Fit, "ab", 1, "…"},
		"none":               {text.Fit, "ab", 0, ""},
		"styled":             {text.Fit, "\x1b[1mab\x1b[0m", 3, "\x1b[1mab\x1b[0m "},
		"styled cut":         {text.Fit, "\x1b[1mabcd\x1b[0m", 3, "\x1b[1mab…\x1b[0m"},
		"right pad":          {text.FitRight, "ab", 4, "  ab"},
		"right cut":          {text.FitRight, "abcdef", 4, "abc…"},
		"end pad":            {text.FitEnd, "ab", 4, "ab  "},
		"end cut":            {text.FitEnd, "engine/run", 6, "…e/run"},
		"end cut wide":       {text.FitEnd, "日本語", 4, "…語 "},
		"end one":            {text.FitEnd, "ab", 1, "…"},
		"end none":           {text.FitEnd, "ab", -1, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.fit(c.in, c.width); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	cases := map[string]struct {
		widths []int
		gap    int
		cells  []string
		want   string
	}{
		"two":          {[]int{3, 3}, 2, []string{"ab", "cdef"}, "ab   cd…"},
		"hidden":       {[]int{3, 0, 2}, 1, []string{"ab", "xx", "cd"}, "ab  cd"},
		"hidden first": {[]int{0, 2}, 1, []string{"ab", "cd"}, "cd"},
		"missing cell": {[]int{2, 2}, 1, []string{"ab"}, "ab   "},
		"extra cell":   {[]int{2}, 1, []string{"ab", "cd"}, "ab"},
		"none":         {nil, 1, []string{"ab"}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := text.Join(c.widths, c.gap, c.cells...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SampledFrom([]string{"a", " ", "日", "e\u0301", "👍", "\x1b[31m", "\x1b[0m", "각"})
		s := strings.Join(rapid.SliceOfN(parts, 0, 30).Draw(t, "parts"), "")
		width := rapid.IntRange(-1, 40).Draw(t, "width")
		for name, fit := range map[string]func(string, int) string{
			"Fit": text.Fit, "FitRight": text.FitRight, "FitEnd": text.FitEnd,
		} {
			if got := fit(s, width); ansi.StringWidth(got) != max(0, width) {
				t.Errorf("%s(%q, %d) = %q has %d cells", name, s, width, got, ansi.StringWidth(got))
			}
		}
	})
}
