package layout_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/tui/layout"
)

func TestColumns(t *testing.T) {
	row := []layout.Column{
		{Min: 1, Rank: 0},                       // glyph
		{Min: 7, Want: 8, Rank: 1},              // word
		{Min: 6, Want: 16, Rank: 2},             // name
		{Min: 10, Rank: 4, Grow: true},          // detail
		{Min: 5, Want: 8, Rank: 3, Grow: false}, // clock
	}
	cases := map[string]struct {
		width int
		want  []int
	}{
		"roomy":           {80, []int{1, 8, 16, 43, 8}},
		"all at least":    {33, []int{1, 7, 6, 10, 5}},
		"some extra":      {36, []int{1, 8, 8, 10, 5}},
		"detail goes":     {32, []int{1, 8, 15, 0, 5}},
		"clock goes":      {21, []int{1, 8, 10, 0, 0}},
		"name goes":       {15, []int{1, 8, 0, 0, 0}},
		"word goes":       {8, []int{1, 0, 0, 0, 0}},
		"nothing is left": {0, []int{0, 0, 0, 0, 0}},
		"negative":        {-4, []int{0, 0, 0, 0, 0}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, layout.Columns(c.width, 1, row)); diff != "" {
				t.Errorf("Columns(%d) differs (-want +got):\n%s", c.width, diff)
			}
		})
	}
	equal := []layout.Column{{Min: 3, Rank: 1}, {Min: 3, Rank: 1}, {Min: 3}}
	if diff := cmp.Diff([]int{3, 0, 3}, layout.Columns(8, 1, equal)); diff != "" {
		t.Errorf("of equal columns the wrong one goes (-want +got):\n%s", diff)
	}
	if got := layout.Columns(10, 1, nil); len(got) != 0 {
		t.Errorf("no columns have widths %v", got)
	}
}

func TestColumnsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, gap := rapid.IntRange(-1, 120).Draw(t, "width"), rapid.IntRange(0, 3).Draw(t, "gap")
		columns := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) layout.Column {
			return layout.Column{
				Min: rapid.IntRange(-1, 20).Draw(t, "min"), Want: rapid.IntRange(0, 40).Draw(t, "want"),
				Rank: rapid.IntRange(0, 3).Draw(t, "rank"), Grow: rapid.Bool().Draw(t, "grow"),
			}
		}), 0, 6).Draw(t, "columns")
		widths := layout.Columns(width, gap, columns)
		sum, shown, grows, worst, best := 0, 0, false, -1, 9
		for i, w := range widths {
			if w < 0 {
				t.Fatalf("negative width in %v", widths)
			}
			if w == 0 {
				best = min(best, columns[i].Rank)
				continue
			}
			sum, shown, grows, worst = sum+w, shown+1, grows || columns[i].Grow, max(worst, columns[i].Rank)
		}
		sum += gap * max(0, shown-1)
		if sum > max(0, width) || grows && sum != width {
			t.Errorf("%v take %d cells of %d", widths, sum, width)
		}
		if shown > 0 && best < worst {
			t.Errorf("%v: one of rank %d went before one of rank %d", widths, best, worst)
		}
	})
}
