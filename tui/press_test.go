package tui_test

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// desk is a screen whose wishes are written down.
type desk struct {
	model tui.Model
	sent  []run.Command
	deaf  error // what sending fails with
	left  int
	quit  bool
}

func (s *story) desk() *desk {
	d := &desk{}
	d.model = s.shown(tui.Options{
		Send:  func(c run.Command) error { d.sent = append(d.sent, c); return d.deaf },
		Leave: func() { d.left++ },
	}, 80, 24)
	return d
}

func (d *desk) press(keys ...string) *desk {
	for _, k := range keys {
		d.take(press(k))
	}
	return d
}

func (d *desk) take(msg tea.Msg) {
	m, cmd := update(d.model, msg)
	d.model = m
	d.run(cmd)
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		d.quit = true
	default:
		d.model, _ = update(d.model, msg)
	}
}

func (d *desk) footer() string {
	lines := strings.Split(ansi.Strip(d.model.View()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func TestWhatIsNotHeardIsSaid(t *testing.T) {
	d := running().desk()
	d.deaf = errors.New("nobody is there")
	if got, want := d.press("s").footer(), "› not asked: nobody is there"; got != want || len(d.sent) != 1 {
		t.Errorf("footer is %q, want %q; sent %v", got, want, d.sent)
	}
}

func TestKeysSend(t *testing.T) {
	soft := run.Command{Verb: run.VerbSoftStop, From: "screen"}
	hard := run.Command{Verb: run.VerbHardStop, From: "screen"}
	back := run.Command{Verb: run.VerbTakeBack, From: "screen"}
	wake := run.Command{Verb: run.VerbWake, Lane: 1, From: "screen"}
	cases := map[string]struct {
		story func() *story
		keys  []string
		want  []run.Command
	}{
		"soft stop":                {parked, []string{"s"}, []run.Command{soft}},
		"taken back":               {stopping, []string{"s"}, []run.Command{back}},
		"hard stop":                {parked, []string{"S", "y"}, []run.Command{hard}},
		"hard stop by enter":       {parked, []string{"S", "up", "enter"}, []run.Command{hard}},
		"hard stop cancelled":      {parked, []string{"S", "esc"}, nil},
		"hard stop cancelled, n":   {parked, []string{"S", "n"}, nil},
		"hard stop, cancel chosen": {parked, []string{"S", "enter"}, nil},
		"wake":                     {parked, []string{"w"}, []run.Command{wake}},
		"wake after moving":        {parked, []string{"j", "k", "w"}, []run.Command{wake}},
		"wake of one at work":      {parked, []string{"j", "w"}, nil},
		"wake while stopping":      {stopping, []string{"down", "w"}, nil},
		"clear":                    {parked, []string{"c", "y"}, []run.Command{{Verb: run.VerbClear, Family: "claude", From: "screen"}}},
		"clear the second":         {parked, []string{"tab", "down", "c", "up", "enter"}, []run.Command{{Verb: run.VerbClear, Family: "codex", From: "screen"}}},
		"clear cancelled":          {parked, []string{"c", "esc"}, nil},
		"clear of a free one":      {tripped, []string{"tab", "j", "c", "y"}, nil},
		"quit softly":              {parked, []string{"q", "s"}, []run.Command{soft}},
		"quit softly by enter":     {parked, []string{"q", "enter"}, []run.Command{soft}},
		"quit hard":                {parked, []string{"q", "h"}, []run.Command{hard}},
		"quit cancelled":           {parked, []string{"q", "esc"}, nil},
		"quit while stopping":      {stopping, []string{"q", "s"}, nil},
		"interrupt":                {parked, []string{"ctrl+c"}, []run.Command{soft}},
		"interrupt twice":          {parked, []string{"ctrl+c", "ctrl+c"}, []run.Command{soft, hard}},
		"interrupt in a question":  {parked, []string{"q", "ctrl+c"}, []run.Command{soft}},
		"interrupt in the help":    {parked, []string{"?", "ctrl+c"}, []run.Command{soft}},
		"interrupt of a stop":      {stopping, []string{"ctrl+c", "ctrl+c"}, []run.Command{soft, hard}},
		"help takes the next key":  {parked, []string{"?", "s"}, nil},
		"nothing after the end":    {finished, []string{"s", "S", "w", "c", "y"}, nil},
		"movements":                {parked, []string{"tab", "shift+tab", "up", "down", "pgup", "home", "end", "x"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := c.story().desk().press(c.keys...)
			if diff := cmp.Diff(c.want, d.sent); diff != "" {
				t.Errorf("commands differ (-want +got):\n%s", diff)
			}
			if d.quit {
				t.Error("the screen has closed")
			}
		})
	}
}

func TestRefusalsSayWhy(t *testing.T) {
	cases := map[string]struct {
		story func() *story
		keys  []string
		want  string
	}{
		"wake at work":    {running, []string{"w"}, "› nothing to wake: tests is working"},
		"wake of no lane": {waiting, []string{"w"}, "› no lane to wake: select one that waits"},
		"wake stopping":   {stopping, []string{"j", "w"}, "› not while the run stops; s takes the stop back"},
		"clear free":      {running, []string{"c"}, "› nothing to clear: claude is not limited"},
		"stop at the end": {finished, []string{"s"}, "› nothing to do: no run is under way"},
		"next key clears": {running, []string{"w", "j"}, "q quit · ? help · s soft stop · S hard stop · tab next pane"},
		"first ctrl+c":    {running, []string{"ctrl+c"}, "› soft stop: ctrl+c again ends the agents now"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.story().desk().press(c.keys...).footer(); got != c.want {
				t.Errorf("footer is %q, want %q", got, c.want)
			}
		})
	}
}

func TestClosing(t *testing.T) {
	over := tui.HostEndedMsg{Exit: 3}
	cases := map[string]struct {
		story   func() *story
		msgs    []tea.Msg
		quit    bool
		left    int
		outcome tui.Outcome
	}{
		"q asks":                     {running, []tea.Msg{press("q")}, false, 0, 0},
		"leave":                      {running, []tea.Msg{press("q"), press("l")}, true, 1, tui.OutcomeLeft},
		"q after the end":            {finished, []tea.Msg{press("q")}, true, 0, tui.OutcomeFinished},
		"enter after the end":        {finished, []tea.Msg{press("enter")}, true, 0, tui.OutcomeFinished},
		"ctrl+c after the end":       {finished, []tea.Msg{press("ctrl+c")}, true, 0, tui.OutcomeFinished},
		"enter before the end":       {running, []tea.Msg{press("enter")}, false, 0, 0},
		"the end is looked at":       {running, []tea.Msg{over}, false, 0, 0},
		"q after the engine":         {running, []tea.Msg{over, press("q")}, true, 0, tui.OutcomeFinished},
		"soft stop waits":            {running, []tea.Msg{press("q"), press("s")}, false, 0, 0},
		"then closes by itself":      {running, []tea.Msg{press("q"), press("s"), over}, true, 0, tui.OutcomeFinished},
		"hard stop closes by itself": {running, []tea.Msg{press("q"), press("h"), over}, true, 0, tui.OutcomeFinished},
		"ctrl+c closes by itself":    {running, []tea.Msg{press("ctrl+c"), over}, true, 0, tui.OutcomeFinished},
		"s alone does not":           {running, []tea.Msg{press("s"), over}, false, 0, 0},
		"taken back does not":        {stopping, []tea.Msg{press("ctrl+c"), press("s"), over}, false, 0, 0},
		"a failure is shown":         {running, []tea.Msg{press("ctrl+c"), tui.HostEndedMsg{Err: tea.ErrInterrupted}}, false, 0, 0},
		"before the start":           {func() *story { return &story{} }, []tea.Msg{press("q")}, true, 1, tui.OutcomeLeft},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := c.story().desk()
			for _, msg := range c.msgs {
				d.take(msg)
			}
			if d.quit != c.quit || d.left != c.left || d.model.Outcome() != c.outcome {
				t.Errorf("quit %v, left %d, outcome %q; want %v, %d, %q", d.quit, d.left, d.model.Outcome(), c.quit, c.left, c.outcome)
			}
		})
	}
}

func TestTheEndClosesAQuestion(t *testing.T) {
	s := parked()
	d := s.desk().press("q")
	before := len(s.facts)
	s.happen(run.Command{Verb: run.VerbHardStop})
	d.take(tui.FactsMsg{Facts: s.facts[before:]})
	d.press("s")
	if len(d.sent) != 0 {
		t.Errorf("a question that is gone was answered: %v", d.sent)
	}
	if view := ansi.Strip(d.model.View()); strings.Contains(view, "Quit?") || !strings.Contains(view, "stopped hard") {
		t.Errorf("the end is not shown:\n%s", view)
	}
}

// Suspending changes nothing on the screen, so it comes back as it was.
func TestSuspend(t *testing.T) {
	for name, keys := range map[string][]string{"alone": nil, "in the help": {"?"}, "in a question": {"q"}, "after a notice": {"j", "w"}} {
		t.Run(name, func(t *testing.T) {
			d := parked().desk().press(keys...)
			m, cmd := update(d.model, press("ctrl+z"))
			if cmd == nil {
				t.Fatal("ctrl+z does nothing")
			}
			if _, suspend := cmd().(tea.SuspendMsg); !suspend {
				t.Error("ctrl+z does not suspend")
			}
			if diff := cmp.Diff(d.model.View(), m.View()); diff != "" {
				t.Errorf("the screen has changed (-before +after):\n%s", diff)
			}
		})
	}
}
