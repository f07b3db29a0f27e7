package fleet_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
	"example.com/layover/tui/fleet"
)

// scene is what is told, how long ago, and the keys pressed since.
type scene struct {
	told []run.Changes
	// later is how much time has passed since.
	later time.Duration
	keys  []string
}

func scenes() map[string]scene {
	reading := busy()
	reading.Reading = run.Progress{Done: 450, Total: 1000}
	down := strings.Split(strings.Repeat("pgdown ", 3)+"down", " ")
	return map[string]scene{
		"nothing told": {}, "empty": {told: []run.Changes{{}}},
		"first read": {told: []run.Changes{{Reading: run.Progress{Done: 1, Total: 3}}}, later: time.Second},
		"reading":    {told: []run.Changes{reading}, later: time.Second},
		"busy":       {told: []run.Changes{busy()}}, "families": {told: []run.Changes{busy()}, keys: []string{"tab", "down"}},
		"many": {told: []run.Changes{many(200)}, keys: down}, "help": {told: []run.Changes{busy()}, keys: []string{"?"}},
		"foreign help": {told: []run.Changes{busy()}, keys: []string{"down", "?"}},
		"question":     {told: []run.Changes{busy()}, keys: []string{"S"}},
		"unheard":      {told: []run.Changes{busy()}, keys: []string{"down", "s"}},
		"hostile":      {told: []run.Changes{hostile()}},
	}
}

var sizes = [][2]int{{80, 24}, {120, 36}, {40, 12}}

func (s scene) at(glyphs styles.Glyphs, w, h int) fleet.Model {
	o := fleet.Options{Styles: look(glyphs), Roots: []string{"~/.claude/projects", "~/.codex/sessions", "~/.team-harness/runs"}}
	m := shown(o, w, h, s.told...)
	if s.later > 0 {
		m, _ = m.Update(tui.TickMsg{Now: start.Add(s.later), Tag: 1})
	}
	for _, k := range s.keys {
		m, _ = m.Update(press(k))
	}
	return m
}

func TestView(t *testing.T) {
	for name, s := range scenes() {
		for _, size := range sizes {
			w, h := size[0], size[1]
			t.Run(fmt.Sprintf("%s_%dx%d", name, w, h), func(t *testing.T) {
				view := s.at(styles.Unicode(), w, h).View()
				checkSize(t, view, w, h)
				golden.RequireEqual(t, []byte(trimmed(ansi.Strip(view))))
			})
		}
	}
}

// TestViewInASCII shows every scene to a terminal that has no other characters: none is
// left but what others wrote, and no width changes.
func TestViewInASCII(t *testing.T) {
	for name, s := range scenes() {
		if name == "hostile" {
			continue
		}
		for _, size := range sizes {
			view := s.at(styles.ASCII(), size[0], size[1]).View()
			checkSize(t, view, size[0], size[1])
			for line := range strings.SplitSeq(view, "\n") {
				if strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
					t.Errorf("%s at %v: %q", name, size, line)
				}
			}
		}
	}
}

type failer interface {
	Errorf(format string, args ...any)
}

// checkSize fails unless a screen has exactly the lines and cells of its terminal.
func checkSize(t failer, view string, w, h int) {
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		t.Errorf("%d lines, want %d", len(lines), h)
	}
	for i, line := range lines {
		if got := ansi.StringWidth(line); got != w {
			t.Errorf("line %d has %d cells, want %d: %q", i+1, got, w, line)
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
