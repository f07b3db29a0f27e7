package tui_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// told is what a screen shows.
func told(m tui.Model) string { return ansi.Strip(m.View()) }

func observe(m tui.Model, message string) tui.Model {
	m, _ = update(m, tui.ObservationsMsg{Observations: []run.Observation{{At: start, Body: run.Trouble{Message: message}}}})
	return m
}

func TestTroubleIsSeenAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {80, 15}, {80, 14}, {40, 12}, {20, 5}, {20, 3}, {20, 2}, {20, 1}, {19, 9}, {13, 1}} {
		m := observe(running().screen(size[0], size[1]), "disk full")
		if got := told(m); !strings.Contains(got, "cannot save") {
			t.Errorf("not told at %v:\n%s", size, got)
		}
	}
}

// TestTroubleEnds shows that nothing of the banner stays, and that the end is told.
func TestTroubleEnds(t *testing.T) {
	for _, size := range sizes {
		before := running().screen(size[0], size[1])
		m := observe(observe(before, "disk full"), "")
		got, _, _ := strings.Cut(told(m), "Lanes")
		want, _, _ := strings.Cut(told(before), "Lanes")
		if got != want {
			t.Errorf("at %v the header is\n%s\nwant\n%s", size, got, want)
		}
	}
	m := observe(observe(observe(running().screen(120, 36), "disk full"), "disk full"), "")
	if got := told(m); strings.Count(got, "cannot save: disk full") != 1 || strings.Count(got, "all works again") != 1 {
		t.Errorf("the events do not tell it once:\n%s", got)
	}
	if got := told(observe(running().screen(120, 36), "")); strings.Contains(got, "saving works") {
		t.Errorf("the end of no trouble is told:\n%s", got)
	}
}

// TestTroubleAfterTheEnd leaves the last word to the end of the run, and claims
// nothing of agents that are gone.
func TestTroubleAfterTheEnd(t *testing.T) {
	for _, size := range sizes {
		got := told(observe(finished().screen(size[0], size[1]), "disk full"))
		if !strings.Contains(got, "finished") || strings.Contains(got, "nothing new") {
			t.Errorf("at %v:\n%s", size, got)
		}
	}
	if got := told(observe(finished().screen(80, 24), "disk full")); !strings.Contains(got, "▲ cannot save: disk full") {
		t.Errorf("not told:\n%s", got)
	}
}

// A trouble of run.json alone does not say that nothing new is started.
func TestTroubleOfTheExportAlone(t *testing.T) {
	for alone, want := range map[bool]bool{false: true, true: false} {
		m := running().screen(120, 36)
		m, _ = update(m, tui.ObservationsMsg{Observations: []run.Observation{{At: start, Body: run.Trouble{Message: "no space left", ExportOnly: alone}}}})
		if said := strings.Contains(m.View(), "nothing new is started"); said != want {
			t.Errorf("export only %t: %t", alone, said)
		}
	}
}
