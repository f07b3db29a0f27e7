package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// TestView shows an opened run that takes no orders.
func TestView(t *testing.T) {
	for name, keys := range map[string][]string{"foreign": nil, "foreign refuses": {"s"}, "foreign help": {"?"}} {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {40, 12}} {
			t.Run(fmt.Sprintf("%s_%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(size[0], size[1]).press("down", "enter").feed("theirs").press(keys...)
				lines := strings.Split(ansi.Strip(d.model.View()), "\n")
				for i, line := range lines {
					if w := ansi.StringWidth(line); w != size[0] {
						t.Errorf("line %d has %d cells: %q", i+1, w, line)
					}
					lines[i] = strings.TrimRight(line, " ")
				}
				if len(lines) != size[1] {
					t.Errorf("%d lines, want %d", len(lines), size[1])
				}
				golden.RequireEqual(t, []byte(strings.Join(lines, "\n")+"\n"))
			})
		}
	}
}
