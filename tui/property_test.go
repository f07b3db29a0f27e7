package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// TestAnyRunCanBeShown plays random runs, sizes and keys: the screen never panics,
// has as many lines as the terminal, and none is wider.
func TestAnyRunCanBeShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := program(rapid.IntRange(1, 4).Draw(t, "parallel"), "tests", "docs", "日本語の長い名前のタスク", "x")
		p.Iterations = rapid.IntRange(1, 2).Draw(t, "iterations")
		p.Breaker.On = rapid.Bool().Draw(t, "breaker")
		s := begin(p)
		s.quiet = rapid.Bool().Draw(t, "quiet")
		m := s.screen(80, 24)
		shown := len(s.facts)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			perturb(t, s)
			m, _ = update(m, tui.FactsMsg{Facts: s.facts[shown:]})
			shown = len(s.facts)
			m, _ = update(m, tui.ObservationsMsg{Observations: s.seen})
			m = disturb(t, m)
			check(t, m)
		}
	})
}

var keys = []string{"s", "S", "w", "c", "?", "q", "tab", "up", "down", "j", "k", "pgup", "home", "end", "esc", "enter", "y", "ctrl+c", "shift+tab"}

// perturb lets something happen to the run.
func perturb(t *rapid.T, s *story) {
	s.deny = rapid.Bool().Draw(t, "deny")
	switch rapid.IntRange(0, 5).Draw(t, "what") {
	case 0:
		s.now = s.now.Add(time.Duration(rapid.IntRange(0, 7200).Draw(t, "seconds")) * time.Second)
		s.happen(run.Tick{})
	case 1, 2:
		for _, id := range slices.Clone(s.state.Open) {
			if l := s.state.Lane(id); l.State == run.LaneWorking && rapid.Bool().Draw(t, "ends") {
				s.ends(id, verdict(t, s.now))
				return
			}
		}
	case 3:
		s.happen(run.Command{
			Verb: run.Verb(rapid.IntRange(1, 8).Draw(t, "verb")), Lane: run.LaneID(rapid.IntRange(0, 3).Draw(t, "lane")),
			Family: rapid.SampledFrom([]string{"claude", "codex", ""}).Draw(t, "family"),
		})
	case 5:
		s.trouble(rapid.String().Draw(t, "trouble"))
	case 4:
		for _, id := range slices.Clone(s.state.Open) {
			if l := s.state.Lane(id); l.State == run.LaneWorking {
				s.happen(run.Suspected{Lane: id, Attempt: l.Attempts[len(l.Attempts)-1].ID, Why: rapid.String().Draw(t, "why")})
				s.uses(rapid.SampledFrom([]string{"claude", "codex", "x"}).Draw(t, "gauged"), run.Gauge{Limit: rapid.String().Draw(t, "limit"), Used: rapid.Float64().Draw(t, "used"), Resets: s.now.Add(time.Hour)})
				s.does(id, run.Activity{Doing: run.Untrusted(rapid.String().Draw(t, "doing")), Message: run.Untrusted(rapid.String().Draw(t, "message")), Retry: run.Retry{Attempt: rapid.IntRange(0, 3).Draw(t, "retry")}})
			}
		}
	}
}

func verdict(t *rapid.T, now time.Time) run.Verdict {
	v := run.Verdict{
		Class: rapid.SampledFrom(run.Classes()).Draw(t, "class"),
		Kind:  rapid.SampledFrom([]run.Kind{0, run.KindUsage, run.KindThrottle}).Draw(t, "kind"),
		Scope: rapid.SampledFrom([]run.Scope{run.ScopeFamily, run.ScopeModel}).Draw(t, "scope"),
		Usage: run.Usage{Input: rapid.Int64Range(0, 1e9).Draw(t, "tokens")}, Message: run.Untrusted(rapid.String().Draw(t, "message")),
	}
	if rapid.Bool().Draw(t, "stated") {
		v.Reset, v.How = now.Add(time.Duration(rapid.IntRange(1, 1e6).Draw(t, "reset"))*time.Second), run.HowStated
	}
	return v
}

// disturb sends the screen a key, a size or a tick.
func disturb(t *rapid.T, m tui.Model) tui.Model {
	switch rapid.IntRange(0, 2).Draw(t, "message") {
	case 0:
		m, _ = update(m, press(rapid.SampledFrom(keys).Draw(t, "key")))
	case 1:
		size := tea.WindowSizeMsg{Width: rapid.IntRange(-1, 220).Draw(t, "w"), Height: rapid.IntRange(-1, 60).Draw(t, "h")}
		m, _ = update(m, size)
		if got := m.View(); size.Width > 0 && size.Height > 0 && strings.Count(got, "\n") != size.Height-1 {
			t.Fatalf("%d lines at %v", strings.Count(got, "\n")+1, size)
		}
	}
	return m
}

func check(t *rapid.T, m tui.Model) {
	view := m.View()
	width := -1
	for line := range strings.SplitSeq(view, "\n") {
		if w := ansi.StringWidth(line); width < 0 {
			width = w
		} else if w != width {
			t.Fatalf("lines of %d and %d cells:\n%s", width, w, view)
		}
	}
}

// TestAnyFactsCanBeShown tells a screen facts that no decision would make: whatever
// its state accepts can be drawn.
func TestAnyFactsCanBeShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := parked()
		m := s.screen(rapid.IntRange(1, 220).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h"))
		key := run.WindowKey{Family: "claude", Sort: run.SortLimit}
		bodies := append(run.Bodies(),
			run.LaneEnded{State: run.LaneBlocked}, run.LaneEnded{State: run.LaneDone}, run.WindowCleared{Key: key},
			run.PermitGranted{Key: key, Attempt: 1}, run.PermitReleased{Key: key, Attempt: 1}, run.StopRequested{Run: true},
			run.StopRequested{Boundary: s.now}, run.ParkMoved{Released: true}, run.ParkMoved{Window: key}, run.TaskRequeued{Job: run.Job{Task: 9}},
			run.AttemptEnded{Attempt: 1}, run.SpawnRefused{Family: "else"}, run.RunEnded{Exit: 75},
		)
		for range rapid.IntRange(1, 30).Draw(t, "facts") {
			f := run.Fact{
				Seq: s.state.Seq + 1, At: s.now, Lane: run.LaneID(rapid.IntRange(0, 5).Draw(t, "lane")),
				Body: rapid.SampledFrom(bodies).Draw(t, "body"),
			}
			if s.state.Apply(f) != nil {
				continue // the screen would say that it is lost
			}
			m, _ = update(m, tui.FactsMsg{Facts: []run.Fact{f}})
			m, _ = update(m, press(rapid.SampledFrom(keys).Draw(t, "key")))
			check(t, m)
		}
	})
}
