package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"example.com/layover/styles"
	"example.com/layover/tui"
)

// scene is a story and the keys pressed since.
type scene struct {
	story func() *story
	keys  []string
}

func scenes() map[string]scene {
	return map[string]scene{
		"running": {running, nil}, "parked": {parked, nil}, "tripped": {tripped, nil},
		"stopping": {stopping, nil}, "finished": {finished, nil}, "exhausted": {exhausted, nil},
		"waiting": {waiting, nil}, "trouble": {troubled, nil}, "families": {parked, []string{"tab"}},
		"quit": {parked, []string{"q"}}, "clear": {parked, []string{"c"}},
		"help": {running, []string{"?"}}, "refusal": {running, []string{"w"}},
	}
}

var sizes = [][2]int{{80, 24}, {120, 36}, {40, 12}, {20, 5}}

func (s scene) at(w, h int) tui.Model { return s.with(tui.Options{}, w, h) }

func (s scene) with(o tui.Options, w, h int) tui.Model {
	m := s.story().shown(o, w, h)
	for _, k := range s.keys {
		m, _ = update(m, press(k))
	}
	return m
}

func TestView(t *testing.T) {
	for name, s := range scenes() {
		for _, size := range sizes {
			w, h := size[0], size[1]
			t.Run(fmt.Sprintf("%s_%dx%d", name, w, h), func(t *testing.T) {
				view := s.at(w, h).View()
				lines := strings.Split(view, "\n")
				if len(lines) != h {
					t.Errorf("%d lines, want %d", len(lines), h)
				}
				for i, line := range lines {
					if got := ansi.StringWidth(line); got != w {
						t.Errorf("line %d has %d cells, want %d: %q", i+1, got, w, line)
					}
				}
				golden.RequireEqual(t, []byte(trimmed(ansi.Strip(view))))
			})
		}
	}
}

// TestViewInASCII shows every scene to a terminal that has no other characters: none
// is left but what an agent wrote, and no width changes.
func TestViewInASCII(t *testing.T) {
	foreign := strings.NewReplacer("∙", "", "key ·", "")
	for name, s := range scenes() {
		for _, size := range sizes {
			view := s.with(tui.Options{Styles: look(styles.ASCII())}, size[0], size[1]).View()
			for line := range strings.SplitSeq(view, "\n") {
				if strings.ContainsFunc(foreign.Replace(line), func(r rune) bool { return r > '~' }) || ansi.StringWidth(line) != size[0] {
					t.Errorf("%s at %v: %q", name, size, line)
				}
			}
		}
	}
}

// trimmed leaves out the spaces at the ends of lines.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
