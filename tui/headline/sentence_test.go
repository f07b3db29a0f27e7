package headline

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sample() Sentence {
	var s Sentence
	s.Add(ToneCalm, "2 working", "2 working")
	s.Add(ToneWarn, "1 parked until 14:32 (41:07)", "1 parked 41:07")
	s.Add(ToneCalm, "claude tripped until 16:00", "claude tripped")
	return s
}

func TestFit(t *testing.T) {
	cases := map[string]struct {
		width int
		want  string
	}{
		"all":            {69, "2 working · 1 parked until 14:32 (41:07) · claude tripped until 16:00"},
		"last brief":     {68, "2 working · 1 parked until 14:32 (41:07) · claude tripped"},
		"more brief":     {56, "2 working · 1 parked 41:07 · claude tripped"},
		"cut":            {42, "2 working · 1 parked 41:07 · claude tripp…"},
		"twenty":         {20, "2 working · 1 parke…"},
		"one":            {1, "…"},
		"none":           {0, ""},
		"less than none": {-3, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := sample().Fit(c.width, "·"); got != c.want {
				t.Errorf("Fit(%d) = %q, want %q", c.width, got, c.want)
			}
		})
	}
	if got := sample().Tone; got != ToneWarn {
		t.Errorf("tone is %d, want the gravest", got)
	}
}

func TestLines(t *testing.T) {
	cases := map[string]struct {
		width, height int
		want          []string
	}{
		"wrapped":   {19, 9, []string{"2 working · 1", "parked until 14:32", "(41:07) · claude", "tripped until 16:00"}},
		"brief":     {19, 3, []string{"2 working · 1", "parked 41:07 ·", "claude tripped"}},
		"cut":       {10, 2, []string{"2 working", "· 1 parked"}},
		"one line":  {12, 1, []string{"2 working ·…"}},
		"no room":   {0, 3, nil},
		"no height": {9, 0, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, sample().Lines(c.width, c.height, "·")); diff != "" {
				t.Errorf("lines differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFitFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Sentence
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			s.Add(ToneCalm, rapid.StringMatching(`[a-z日本 ]{0,20}`).Draw(t, "full"), rapid.StringMatching(`[a-z本]{0,9}`).Draw(t, "brief"))
		}
		w, h := rapid.IntRange(-1, 60).Draw(t, "w"), rapid.IntRange(-1, 5).Draw(t, "h")
		if got := ansi.StringWidth(s.Fit(w, "·")); got > max(0, w) {
			t.Errorf("%d cells of %d", got, w)
		}
		lines := s.Lines(w, h, "·")
		if len(lines) > max(0, h) {
			t.Errorf("%d lines of %d", len(lines), h)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got > max(0, w) {
				t.Errorf("%d cells of %d", got, w)
			}
		}
	})
}
