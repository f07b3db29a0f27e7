package bar_test

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"example.com/layover/styles"
	"example.com/layover/tui/bar"
)

// look is that of the dark theme, with or without colour.
func look(glyphs styles.Glyphs, profile termenv.Profile) styles.Bar {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	return styles.New(r, styles.Dark(), glyphs).Bar
}

func TestRender(t *testing.T) {
	unicode, ascii := styles.Unicode(), styles.ASCII()
	cases := map[string]struct {
		width  int
		done   float64
		glyphs styles.Glyphs
		want   string
	}{
		"nothing":          {4, 0, unicode, "░░░░"},
		"trace":            {4, 0.0001, unicode, "▏░░░"},
		"an eighth":        {1, 0.125, unicode, "▏"},
		"half a cell":      {4, 0.125, unicode, "▌░░░"},
		"half":             {4, 0.5, unicode, "██░░"},
		"half of five":     {5, 0.5, unicode, "██▌░░"},
		"almost all":       {4, 0.99999, unicode, "███▉"},
		"next to all":      {4, math.Nextafter(1, 0), unicode, "███▉"},
		"all":              {4, 1, unicode, "████"},
		"more than all":    {4, 7, unicode, "████"},
		"less than none":   {4, -1, unicode, "░░░░"},
		"no number":        {4, math.NaN(), unicode, "░░░░"},
		"infinite":         {4, math.Inf(1), unicode, "████"},
		"no width":         {0, 0.5, unicode, ""},
		"negative width":   {-2, 0.5, unicode, ""},
		"ascii nothing":    {4, 0, ascii, "----"},
		"ascii trace":      {4, 0.0001, ascii, "#---"},
		"ascii half":       {4, 0.6, ascii, "##--"},
		"ascii almost all": {4, 0.99999, ascii, "###-"},
		"ascii one cell":   {1, 0.5, ascii, "-"},
		"ascii all":        {4, 1, ascii, "####"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := bar.Render(c.width, c.done, look(c.glyphs, termenv.Ascii), c.glyphs.Bar)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRenderIsExactAndGrows(t *testing.T) {
	sets := map[string]styles.Glyphs{"unicode": styles.Unicode(), "ascii": styles.ASCII()}
	looks := map[string]styles.Bar{}
	for name, glyphs := range sets {
		looks[name] = look(glyphs, termenv.TrueColor)
	}
	// filled counts eighths, by the glyphs alone.
	filled := func(s string, glyphs styles.BarGlyphs) int {
		total := strings.Count(s, glyphs.Full) * 8
		for i, part := range glyphs.Parts {
			total += strings.Count(s, part) * (i + 1)
		}
		return total
	}
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.SampledFrom([]string{"unicode", "ascii"}).Draw(t, "set")
		width := rapid.IntRange(1, 60).Draw(t, "width")
		a, b := rapid.Float64Range(-0.2, 1.2).Draw(t, "a"), rapid.Float64Range(-0.2, 1.2).Draw(t, "b")
		less := bar.Render(width, min(a, b), looks[set], sets[set].Bar)
		more := bar.Render(width, max(a, b), looks[set], sets[set].Bar)
		for _, s := range []string{less, more} {
			if got := ansi.StringWidth(s); got != width {
				t.Errorf("%q has %d cells, want %d", s, got, width)
			}
		}
		less, more = ansi.Strip(less), ansi.Strip(more)
		if filled(less, sets[set].Bar) > filled(more, sets[set].Bar) {
			t.Errorf("%v gives %q, %v gives %q", min(a, b), less, max(a, b), more)
		}
		if full := filled(more, sets[set].Bar) == width*8; full != (max(a, b) >= 1) {
			t.Errorf("%v of %d cells gives %q", max(a, b), width, more)
		}
	})
}
