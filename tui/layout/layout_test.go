package layout_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/tui/layout"
)

// usual is what the screen of a run with four lanes and three families wants.
var usual = layout.Wants{Header: 3, Lanes: 6, Families: 5, Events: 40, Footer: 1}

func TestCompute(t *testing.T) {
	cases := map[string]struct {
		w, h  int
		wants layout.Wants
		want  layout.Layout
	}{
		"usual terminal": {80, 24, usual, layout.Layout{
			Header: layout.Rect{W: 80, H: 3}, Lanes: layout.Rect{Y: 3, W: 80, H: 6},
			Families: layout.Rect{Y: 9, W: 80, H: 5}, Events: layout.Rect{Y: 14, W: 80, H: 9},
			Footer: layout.Rect{Y: 23, W: 80, H: 1},
		}},
		"wide": {120, 36, usual, layout.Layout{
			Header: layout.Rect{W: 120, H: 3}, Lanes: layout.Rect{Y: 3, W: 72, H: 6},
			Families: layout.Rect{X: 72, Y: 3, W: 48, H: 32}, Events: layout.Rect{Y: 9, W: 72, H: 26},
			Footer: layout.Rect{Y: 35, W: 120, H: 1}, Wide: true,
		}},
		"many lanes leave events a quarter": {80, 24, layout.Wants{Header: 2, Lanes: 90, Families: 9, Events: 9, Footer: 1}, layout.Layout{
			Header: layout.Rect{W: 80, H: 2}, Lanes: layout.Rect{Y: 2, W: 80, H: 9},
			Families: layout.Rect{Y: 11, W: 80, H: 7}, Events: layout.Rect{Y: 18, W: 80, H: 5},
			Footer: layout.Rect{Y: 23, W: 80, H: 1},
		}},
		"not as wide as is wanted": {120, 36, layout.Wants{Header: 3, Lanes: 90, Families: 5, Footer: 1, Wide: 121}, layout.Layout{
			Header: layout.Rect{W: 120, H: 3}, Lanes: layout.Rect{Y: 3, W: 120, H: 27},
			Families: layout.Rect{Y: 30, W: 120, H: 5}, Footer: layout.Rect{Y: 35, W: 120, H: 1},
		}},
		"low": {40, 12, usual, layout.Layout{
			Header: layout.Rect{W: 40, H: 1}, Lanes: layout.Rect{Y: 1, W: 40, H: 4},
			Families: layout.Rect{Y: 5, W: 40, H: 3}, Events: layout.Rect{Y: 8, W: 40, H: 3},
			Footer: layout.Rect{Y: 11, W: 40, H: 1},
		}},
		"no room for events": {40, 10, usual, layout.Layout{
			Header: layout.Rect{W: 40, H: 1}, Lanes: layout.Rect{Y: 1, W: 40, H: 5},
			Families: layout.Rect{Y: 6, W: 40, H: 3}, Footer: layout.Rect{Y: 9, W: 40, H: 1},
		}},
		"no room for families": {40, 7, usual, layout.Layout{
			Header: layout.Rect{W: 40, H: 1}, Lanes: layout.Rect{Y: 1, W: 40, H: 5},
			Footer: layout.Rect{Y: 6, W: 40, H: 1},
		}},
		"smallest with all but two panes": {20, 5, usual, layout.Layout{
			Header: layout.Rect{W: 20, H: 1}, Lanes: layout.Rect{Y: 1, W: 20, H: 3},
			Footer: layout.Rect{Y: 4, W: 20, H: 1},
		}},
		"no room for the footer": {20, 4, usual, layout.Layout{
			Header: layout.Rect{W: 20, H: 1}, Lanes: layout.Rect{Y: 1, W: 20, H: 3},
		}},
		"sentence and keys": {20, 3, usual, layout.Layout{
			Header: layout.Rect{W: 20, H: 2}, Footer: layout.Rect{Y: 2, W: 20, H: 1},
		}},
		"sentence":   {20, 1, usual, layout.Layout{Header: layout.Rect{W: 20, H: 1}}},
		"too narrow": {19, 9, usual, layout.Layout{Header: layout.Rect{W: 19, H: 9}}},
		"no panes wanted": {80, 24, layout.Wants{Header: 1, Footer: 1}, layout.Layout{
			Header: layout.Rect{W: 80, H: 23}, Footer: layout.Rect{Y: 23, W: 80, H: 1},
		}},
		"wide without families": {120, 20, layout.Wants{Lanes: 4, Events: 1}, layout.Layout{
			Header: layout.Rect{W: 120, H: 1}, Lanes: layout.Rect{Y: 1, W: 120, H: 4},
			Events: layout.Rect{Y: 5, W: 120, H: 15},
		}},
		"no events": {80, 20, layout.Wants{Lanes: 4, Families: 4}, layout.Layout{
			Header: layout.Rect{W: 80, H: 1}, Lanes: layout.Rect{Y: 1, W: 80, H: 15},
			Families: layout.Rect{Y: 16, W: 80, H: 4},
		}},
		"nothing":  {0, 0, usual, layout.Layout{}},
		"no rows":  {80, 0, usual, layout.Layout{}},
		"negative": {-1, -1, usual, layout.Layout{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, layout.Compute(c.w, c.h, c.wants)); diff != "" {
				t.Errorf("Compute(%d, %d, %+v) differs (-want +got):\n%s", c.w, c.h, c.wants, diff)
			}
		})
	}
}

// covers reports an error unless the rectangles cover a screen exactly, each cell once.
func covers(w, h int, l layout.Layout) error {
	w, h = max(0, w), max(0, h)
	owner := make([]string, w*h)
	cells := 0
	for name, r := range map[string]layout.Rect{
		"header": l.Header, "lanes": l.Lanes, "families": l.Families, "events": l.Events, "footer": l.Footer,
	} {
		if r.X < 0 || r.Y < 0 || r.W < 0 || r.H < 0 || r.X+r.W > w || r.Y+r.H > h {
			return fmt.Errorf("%s exceeds the screen: %+v", name, r)
		}
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if other := owner[y*w+x]; other != "" {
					return fmt.Errorf("%s and %s overlap at %d, %d", name, other, x, y)
				}
				owner[y*w+x] = name
				cells++
			}
		}
	}
	if cells != w*h {
		return fmt.Errorf("%d of %d cells are covered", cells, w*h)
	}
	return nil
}

func TestComputeCoversTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.OneOf(rapid.IntRange(-1, 30), rapid.IntRange(100, 220)).Draw(t, "w")
		h := rapid.IntRange(-1, 70).Draw(t, "h")
		rows := rapid.IntRange(-1, 60)
		wants := layout.Wants{
			Header: rows.Draw(t, "header"), Lanes: rows.Draw(t, "lanes"), Families: rows.Draw(t, "families"),
			Events: rows.Draw(t, "events"), Footer: rows.Draw(t, "footer"),
		}
		l := layout.Compute(w, h, wants)
		if err := covers(w, h, l); err != nil {
			t.Errorf("%v: %+v", err, l)
		}
		if w > 0 && h > 0 && l.Header.Empty() {
			t.Errorf("the sentence has no room: %+v", l)
		}
		for name, pane := range map[string]layout.Rect{"lanes": l.Lanes, "families": l.Families, "events": l.Events} {
			if !pane.Empty() && pane.H < layout.PaneMin {
				t.Errorf("%s has %d rows: %+v", name, pane.H, l)
			}
		}
	})
}

// TestPanesGoInOrder shrinks the screen row by row: a pane that has gone does not
// come back, and a more important one is never gone before it.
func TestPanesGoInOrder(t *testing.T) {
	for _, w := range []int{20, 80, 120} {
		for h := 60; h >= 0; h-- {
			l := layout.Compute(w, h, usual)
			for _, pair := range [][2]layout.Rect{{l.Header, l.Lanes}, {l.Lanes, l.Families}, {l.Families, l.Events}} {
				if pair[0].Empty() && !pair[1].Empty() {
					t.Errorf("at %d×%d a pane is gone before a lesser one: %+v", w, h, l)
				}
			}
		}
	}
}

func TestInner(t *testing.T) {
	got := layout.Rect{X: 2, Y: 3, W: 10, H: 1}.Inner(4, 2)
	if want := (layout.Rect{X: 4, Y: 4, W: 6, H: 0}); got != want {
		t.Errorf("Inner = %+v, want %+v", got, want)
	}
}
