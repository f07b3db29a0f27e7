package tui_test

import (
	"io"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
)

// start is shown as 13:00, an hour before what the zone below shows as 14:00.
var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var zone = time.FixedZone("CET", 3600)

// story plays a run by real decisions, in made-up time.
type story struct {
	state *run.State
	now   time.Time
	facts []run.Fact
	seen  []run.Observation
	// deny is set while another process holds every permit.
	deny bool
	// quiet is set while attempts are not served by themselves.
	quiet bool
}

func program(parallel int, tasks ...string) run.Program {
	p := run.Defaults()
	p.Name = "night"
	p.Order = []run.Target{{Agent: "claude", Model: "opus"}, {Agent: "codex"}}
	p.Agents = map[string]run.Agent{
		"claude": {Preset: "claude", Family: "claude"},
		"codex":  {Preset: "codex", Family: "codex"},
	}
	p.Deadline = run.Duration(8 * time.Hour)
	p.Parallel = parallel
	p.Limits.MaxCostUSD = 20
	for _, name := range tasks {
		p.Tasks = append(p.Tasks, run.Task{Name: name, Prompt: "do it", Wait: run.WaitPark})
	}
	return p
}

func begin(p run.Program) *story {
	s := &story{state: &run.State{}, now: start}
	s.happen(run.Begin{RunID: "test", Program: p, Seed: 1, Epoch: start, Speed: 1})
	return s
}

func (s *story) happen(h run.Happening) {
	facts, effects := plan.Decide(s.state, h, s.now)
	s.facts = append(s.facts, facts...)
	for _, e := range effects {
		switch e := e.(type) {
		case run.Spawn:
			s.happen(run.Spawned{Lane: e.Lane, Attempt: e.Attempt, Worker: "w", PID: 100 + int(e.Attempt)})
			if !s.quiet {
				s.happen(run.Served{Lane: e.Lane, Attempt: e.Attempt, Sign: "text"})
			}
		case run.AskPermit:
			s.happen(run.PermitAnswered{Lane: e.Lane, Target: e.Target, Keys: e.Keys, Granted: !s.deny, Why: e.Why, Holder: "another run"})
		case run.End:
			s.happen(run.Ended{Lane: e.Lane, Attempt: e.Attempt, Exit: run.Exit{Code: -1, Signal: "terminated"}, Verdict: run.Verdict{Class: run.ClassIncomplete}})
		}
	}
}

// to lets time go on to an instant after the start, second by second.
func (s *story) to(after time.Duration) {
	for at := start.Add(after); s.now.Before(at); {
		s.now = s.now.Add(time.Second)
		s.happen(run.Tick{})
	}
}

// ends ends what a lane has under way.
func (s *story) ends(lane run.LaneID, v run.Verdict) {
	l := s.state.Lane(lane)
	s.happen(run.Ended{Lane: lane, Attempt: l.Attempts[len(l.Attempts)-1].ID, Verdict: v})
}

// does observes what the agent of a lane does.
func (s *story) does(lane run.LaneID, a run.Activity) {
	l := s.state.Lane(lane)
	s.seen = append(s.seen, run.Observation{At: s.now, Lane: lane, Attempt: l.Attempts[len(l.Attempts)-1].ID, Body: a})
}

// uses observes how full the usage windows of a family are.
func (s *story) uses(family string, gauges ...run.Gauge) {
	b := run.Gauges{Family: family}
	for _, g := range gauges {
		b.Readings = append(b.Readings, run.Reading{Gauge: g, At: s.now})
	}
	s.seen = append(s.seen, run.Observation{At: s.now, Lane: 1, Body: b})
}

// trouble observes what is wrong with saving; nothing if it works.
func (s *story) trouble(message string) {
	s.seen = append(s.seen, run.Observation{At: s.now, Body: run.Trouble{Message: message}})
}

func limited(reset time.Time, how run.How, said string) run.Verdict {
	return run.Verdict{
		Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily, Reset: reset, How: how,
		Message: run.Untrusted(said), Usage: run.Usage{Input: 1200, Output: 300},
	}
}

func bare() run.Verdict {
	return run.Verdict{
		Class: run.ClassRateLimited, Kind: run.KindThrottle, Scope: run.ScopeFamily,
		Message: "429 Too Many Requests",
	}
}

func done() run.Verdict {
	return run.Verdict{Class: run.ClassSuccess, Usage: run.Usage{Input: 150_000, Output: 12_000, CostUSD: 1.42}}
}

// screen is a screen that has been shown the story, at a size, without colour.
func (s *story) screen(w, h int) tui.Model { return s.shown(tui.Options{}, w, h) }

// shown is the same with options; the glyphs are Unicode where they have no styles.
func (s *story) shown(o tui.Options, w, h int) tui.Model {
	if o.Styles == nil {
		o.Styles = look(styles.Unicode())
	}
	o.Zone = zone
	m := tui.New(o)
	m, _ = update(m, tea.WindowSizeMsg{Width: w, Height: h})
	m, _ = update(m, tui.FactsMsg{Facts: s.facts})
	m, _ = update(m, tui.ObservationsMsg{Observations: s.seen})
	m, _ = update(m, tui.TickMsg{Now: s.now})
	return m
}

// look is without colour.
func look(glyphs styles.Glyphs) *styles.Styles {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.Ascii)
	return styles.New(renderer, styles.Dark(), glyphs)
}

func update(m tui.Model, msg tea.Msg) (tui.Model, tea.Cmd) {
	next, cmd := m.Update(msg)
	return next.(tui.Model), cmd
}

// press makes the message of a key: a letter, or a name that bubbletea knows.
func press(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
		"up": tea.KeyUp, "down": tea.KeyDown, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	if k, ok := named[name]; ok {
		return tea.KeyMsg{Type: k}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	m.Run()
}
