package families_test

import (
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/families"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func state(windows ...*run.Window) *run.State {
	return &run.State{
		Phase: run.PhaseRunning, Windows: windows, Missing: []string{"gemini"},
		Program: run.Program{
			Tasks:  []run.Task{{Name: "tests"}},
			Agents: map[string]run.Agent{"claude": {Family: "work"}, "gemini": {}},
		},
		Lanes:    []*run.Lane{{ID: 1}},
		Families: []*run.Family{{Name: "work", Refused: 3}, {Name: "codex", Failures: 2, Usage: run.Usage{Input: 1500, CostUSD: 0.25}}, {Name: "gemini"}},
	}
}

func shown(s *run.State, w, h int) families.Model {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	return families.New(styles.New(r, styles.Dark(), styles.Unicode()), s, nil).Now(now).Focus(true).SetSize(w, h)
}

func rows(m families.Model) []string {
	var got []string
	for i, line := range m.View() {
		if inner := strings.TrimRight(strings.Trim(line, "│"), " "); i > 0 && inner != "" && !strings.HasPrefix(line, "╰") {
			got = append(got, inner)
		}
	}
	return got
}

func window(family, model string, sort run.Sort, kind run.Kind, until time.Duration) *run.Window {
	w := &run.Window{WindowKey: run.WindowKey{Family: family, Model: model, Sort: sort}, Kind: kind, How: run.HowStated, Trip: true}
	if until != 0 {
		w.Until, w.NextTry = now.Add(until), now.Add(until)
	}
	return w
}

func TestRows(t *testing.T) {
	limit := window("work", "", run.SortLimit, run.KindUsage, 87*time.Minute+32*time.Second)
	limit.Reason, limit.How = "resets\x1b[2J 4pm", run.HowText
	probed := *limit
	probed.Permit = &run.Permit{Lane: 1, Lapses: now.Add(time.Minute)}
	busy := window("codex", "", run.SortLimit, run.KindThrottle, 15*time.Minute)
	busy.Trip, busy.How, busy.NextTry = false, run.HowAssumed, now.Add(20*time.Second)
	free := []string{"▌ ○ free    work", "    3 spawns refused", "  ○ free    codex", "    2 exhausted turns in a row", "    1.5k tokens, $0.25", "  ⊘ missing gemini", "    not installed"}
	suspected := state()
	suspected.Suspicions = []run.Suspicion{{Family: "codex", Why: "429 twice", Until: now.Add(time.Minute)}}
	several := state()
	several.Suspicions = []run.Suspicion{
		{Family: "work", Model: "sonnet", Why: "spent", Until: now.Add(20 * time.Minute)},
		{Family: "work", Model: "opus", Why: "spent", Until: now.Add(30 * time.Minute)},
		{Family: "codex", Model: "mini", Why: "spent", Until: now.Add(time.Hour)},
		{Family: "codex", Why: "busy", Until: now.Add(5 * time.Minute)},
	}
	cases := map[string]struct {
		state *run.State
		w, h  int
		want  []string
	}{
		"free":      {state(), 60, 20, free},
		"no room":   {state(), 60, 5, []string{"▌ ○ free    work   3 spawns refused", "  ○ free    codex  2 exhausted turns in a row", "  ⊘ missing gemini not installed"}},
		"suspected": {suspected, 60, 20, []string{"▌ ○ free      work", free[1], "  △ suspected codex  until 12:01:00 01:00", "    429 twice", free[4], "  ⊘ missing   gemini", free[6]}},
		"suspected in rows": {suspected, 78, 5, []string{
			"▌ ○ free      work                        3 spawns refused", "  △ suspected codex  until 12:01:00 01:00 429 twice", "  ⊘ missing   gemini                      not installed",
		}},
		"suspicions": {several, 60, 8, []string{
			"▌ △ suspected work   until 12:30 30:00", "    3 spawns refused · opus: spent", "  △ suspected codex  until 12:05 05:00", "    busy", "  ⊘ missing   gemini", free[6],
		}},
		"tripped": {state(limit), 70, 20, []string{
			"▌ ▲ tripped work   until 13:28 1:27:32", "    usage limit · read from text", "    resets 4pm", "    3 spawns refused", free[2], free[3], free[4], free[5], free[6],
		}},
		"tripped in a line each": {state(limit), 70, 8, []string{
			"▌ ▲ tripped work   until 13:28 1:27:32 read from text", "    3 spawns refused · resets 4pm", "  ○ free    codex", "    2 exhausted turns in a row", free[5], free[6],
		}},
		"tripped in rows": {state(limit), 90, 5, []string{
			"▌ ▲ tripped work   until 13:28 1:27:32 read from text 3 spawns refused · resets 4pm", "  ○ free    codex                                     2 exhausted turns in a row", "  ⊘ missing gemini                                    not installed",
		}},
		"busy": {state(busy), 60, 20, []string{
			"▌ ○ free    work", free[1], "  ▲ busy    codex  until 12:15 15:00", "    no capacity · assumed", "    next try 12:00:20 (00:20)", free[4], free[5], free[6],
		}},
		"probed": {state(&probed), 60, 20, []string{
			"▌ ◇ probing work   until 13:28 1:27:32", "    usage limit · read from text", "    resets 4pm", "    probed by tests", free[1], free[2], free[3], free[4], free[5], free[6],
		}},
		"one of its models": {state(window("work", "opus", run.SortLimit, run.KindUsage, time.Hour)), 60, 9, []string{
			"▌ ○ free    work", free[1], "  ▲ tripped work:opus until 13:00 1:00:00 stated", "  ○ free    codex", free[3], "  ⊘ missing gemini", free[6],
		}},
		"the gravest first": {state(window("work", "", run.SortHealth, run.KindHealth, time.Minute), window("work", "", run.SortLogin, run.KindBilling, 0)), 70, 7, []string{
			"▌ ⊘ unpaid  work   until mended                3 spawns refused",
			"  ▲ resting work   until 12:01:00 01:00 stated",
			"  ○ free    codex                              2 exhausted turns in…",
			"  ⊘ missing gemini                             not installed",
		}},
		"due": {state(window("work", "", run.SortLimit, run.KindUsage, -time.Hour), window("else", "", run.SortLogin, run.KindAuth, 0)), 60, 9, []string{
			"▌ △ due     work   since 11:00  stated", free[1], "  ○ free    codex", free[3], "  ⊘ missing gemini", free[6], "  ⊘ login   else   until mended",
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, rows(shown(c.state, c.w, c.h))); diff != "" {
				t.Errorf("rows differ (-want +got):\n%s", diff)
			}
		})
	}
}

// Gauges are told of their family while they can be true, by the newest that were told.
func TestGauges(t *testing.T) {
	reading := func(limit string, used float64, window, resets, told time.Duration) run.Reading {
		r := run.Reading{Gauge: run.Gauge{Limit: limit, Used: used, Window: window}, At: now.Add(told)}
		if resets != 0 {
			r.Resets = now.Add(resets)
		}
		return r
	}
	five := reading("five_hour", .83, 5*time.Hour, 130*time.Minute, -2)
	week := reading("seven_day", .41, 168*time.Hour, 0, -2)
	limit := window("work", "", run.SortLimit, run.KindUsage, 130*time.Minute)
	limit.Reason = "resets 2:10pm"
	cases := map[string]struct {
		state *run.State
		h     int
		seen  []run.Gauges
		want  []string
	}{
		"both": {state(), 20, []run.Gauges{{Family: "work", Readings: []run.Reading{five, week}}}, []string{
			"▌ ○ free    work", "    5h 83% · resets 14:10", "    week 41%", "    3 spawns refused",
		}},
		"of two lanes": {state(), 20, []run.Gauges{
			{Family: "work", Readings: []run.Reading{five}}, {Family: "work", Readings: []run.Reading{reading("five_hour", .9, 5*time.Hour, 130*time.Minute, -1)}}, {Family: "work", Readings: []run.Reading{five}},
		}, []string{"▌ ○ free    work", "    5h 90% · resets 14:10", "    3 spawns refused"}},
		"that are over": {state(), 20, []run.Gauges{{Family: "work", Readings: []run.Reading{
			reading("five_hour", .83, 5*time.Hour, -1, -2), reading("seven_day", .41, 168*time.Hour, 0, -169*time.Hour),
		}}}, []string{"▌ ○ free    work", "    3 spawns refused"}},
		"of no family": {state(), 20, []run.Gauges{{Family: "else", Readings: []run.Reading{five}}}, []string{"▌ ○ free    work", "    3 spawns refused"}},
		"tripped": {state(limit), 20, []run.Gauges{{Family: "work", Readings: []run.Reading{five}}}, []string{
			"▌ ▲ tripped work   until 14:10 2:10:00", "    usage limit · stated", "    resets 2:10pm", "    5h 83% · resets 14:10", "    3 spawns refused",
		}},
		"in a line": {state(), 8, []run.Gauges{{Family: "work", Readings: []run.Reading{five, week}}}, []string{
			"▌ ○ free    work", "    3 spawns refused · 5h 83% · week 41%",
		}},
		"in a row": {state(), 5, []run.Gauges{{Family: "work", Readings: []run.Reading{five, week}}}, []string{
			"▌ ○ free    work   3 spawns refused · 5h 83% · week 41%",
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := shown(c.state, 70, c.h)
			for _, seen := range c.seen {
				m = m.Observe(run.Observation{At: now, Lane: 1, Body: seen})
			}
			if diff := cmp.Diff(c.want, rows(m)[:len(c.want)]); diff != "" {
				t.Errorf("rows differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelected(t *testing.T) {
	m := shown(state(window("work", "opus", run.SortLimit, run.KindUsage, time.Hour)), 60, 12)
	for i, want := range []string{"work", "work", "codex", "gemini", "gemini"} {
		if got := m.Selected(); got != want {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
		m, _ = m.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
	none := shown(&run.State{}, 40, 4)
	if none.Selected() != "" || cmp.Diff([]string{" no family yet"}, rows(none)) != "" {
		t.Errorf("without families %q is selected: %q", none.Selected(), rows(none))
	}
}
