package board_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
	"example.com/layover/tui/board"
	"example.com/layover/tui/fleet"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const deaf = "team-harness takes no orders from Layover"

func machine() run.Changes {
	return run.Changes{Runs: []run.Watched{
		{Key: "mine", Origin: run.OriginLayover, Name: "night", Family: "claude", State: run.StandingWorking, Began: start, At: start, Lanes: run.LaneCounts{Working: 1}},
		{Key: "theirs", Origin: run.OriginHarness, Name: "refactor", Family: "codex", State: run.StandingWorking, Began: start.Add(-time.Hour), At: start, Unheard: deaf},
	}}
}

// facts are those of a run with a lane at work.
func facts() []run.Fact {
	p := run.Defaults()
	p.Name = "refactor"
	p.Order = []run.Target{{Agent: "codex"}}
	p.Agents = map[string]run.Agent{"codex": {Preset: "codex", Family: "codex"}}
	p.Tasks = []run.Task{{Name: "parser", Prompt: "do it"}}
	s := &run.State{}
	var all []run.Fact
	var happen func(run.Happening)
	happen = func(h run.Happening) {
		facts, effects := plan.Decide(s, h, start)
		all = append(all, facts...)
		for _, e := range effects {
			if e, ok := e.(run.Spawn); ok {
				happen(run.Spawned{Lane: e.Lane, Attempt: e.Attempt, Worker: "w", PID: 7})
				happen(run.Served{Lane: e.Lane, Attempt: e.Attempt, Sign: "text"})
			}
		}
	}
	happen(run.Begin{RunID: "r", Program: p, Seed: 1, Epoch: start, Speed: 1})
	return all
}

// desk is a screen whose wishes are written down. Commands run when they are asked to.
type desk struct {
	model board.Model
	cmds  []tea.Cmd
	asked []string
	deaf  error // what opening fails with
	quit  bool
}

func newDesk(w, h int) *desk {
	d := &desk{}
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.Ascii)
	d.model = board.New(board.Options{
		Options: fleet.Options{
			Styles: styles.New(renderer, styles.Dark(), styles.Unicode()), Zone: time.FixedZone("CET", 3600), Now: func() time.Time { return start },
			Tick: time.Nanosecond,
			Send: func(key string, c run.Command) error {
				d.asked = append(d.asked, c.Verb.String()+" "+key)
				return nil
			},
		},
		Open:  func(key string, _ run.Origin) error { d.asked = append(d.asked, "open "+key); return d.deaf },
		Leave: func(key string) { d.asked = append(d.asked, "leave "+key) },
	})
	d.take(tea.WindowSizeMsg{Width: w, Height: h})
	d.take(tui.TickMsg{Now: start})
	d.cmds = nil
	d.take(tui.ChangesMsg{Changes: machine()})
	return d
}

func (d *desk) take(msg tea.Msg) *desk {
	switch msg := msg.(type) {
	case nil:
	case tea.QuitMsg:
		d.quit = true
	case tea.BatchMsg:
		d.cmds = append(d.cmds, msg...)
	default:
		next, cmd := d.model.Update(msg)
		d.model = next.(board.Model)
		if cmd != nil {
			d.cmds = append(d.cmds, cmd)
		}
	}
	return d
}

// run runs the commands that wait, and those that follow, but for the next ticks.
func (d *desk) run() *desk {
	for range 6 {
		cmds := d.cmds
		d.cmds = nil
		for _, cmd := range cmds {
			if cmd != nil {
				d.take(cmd())
			}
		}
	}
	return d
}

func (d *desk) press(keys ...string) *desk {
	named := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "backspace": tea.KeyBackspace, "down": tea.KeyDown, "ctrl+c": tea.KeyCtrlC}
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if t, ok := named[k]; ok {
			msg = tea.KeyMsg{Type: t}
		}
		d.take(msg)
		d.run()
	}
	return d
}

// feed sends the facts of a run as they come when it is opened.
func (d *desk) feed(key string) *desk {
	d.take(tui.RunMsg{Key: key, Msg: tui.RestartMsg{}})
	return d.take(tui.RunMsg{Key: key, Msg: tui.FactsMsg{Facts: facts()}})
}

func (d *desk) sees(t *testing.T, what string) {
	t.Helper()
	if view := ansi.Strip(d.model.View()); !strings.Contains(view, what) {
		t.Errorf("%q is not on the screen:\n%s", what, view)
	}
}

func TestARunIsOpenedAndLeft(t *testing.T) {
	for _, key := range []string{"esc", "q", "backspace"} {
		t.Run(key, func(t *testing.T) {
			d := newDesk(80, 24).press("enter").feed("mine")
			d.sees(t, "parser")
			d.sees(t, "esc/q back to all runs")
			if d.model.Opened() != "mine" {
				t.Errorf("opened is %q", d.model.Opened())
			}
			d.press(key)
			d.sees(t, "Runs")
			if diff := cmp.Diff([]string{"open mine", "leave mine"}, d.asked); diff != "" || d.quit || d.model.Opened() != "" {
				t.Errorf("quit %v, asked (-want +got):\n%s", d.quit, diff)
			}
		})
	}
}

// Until its facts come, an open run has its name and says what is going on.
func TestAnOpenRunIsNamedAtOnce(t *testing.T) {
	d := newDesk(80, 24).press("enter")
	d.sees(t, " night ")
	d.sees(t, "› reading what it has done")
}

// What lies over the screen of a run is closed before the screen is.
func TestEscClosesWhatIsOnTopFirst(t *testing.T) {
	for _, over := range []string{"?", "S"} {
		d := newDesk(80, 24).press("enter").feed("mine").press(over, "esc")
		if d.model.Opened() != "mine" {
			t.Errorf("esc after %s closes the run", over)
		}
		if d.press("esc"); d.model.Opened() != "" {
			t.Errorf("the next esc after %s does not", over)
		}
	}
}

func TestOrdersOfAnOpenRun(t *testing.T) {
	cases := map[string]struct {
		keys  []string
		asked []string
		says  string
	}{
		"soft":    {[]string{"enter", "s"}, []string{"open mine", "soft-stop mine"}, ""},
		"hard":    {[]string{"enter", "S", "y"}, []string{"open mine", "hard-stop mine"}, ""},
		"foreign": {[]string{"down", "enter", "s", "S", "w", "c"}, []string{"open theirs"}, deaf},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newDesk(80, 24)
			for _, k := range c.keys {
				if d.press(k); k == "enter" {
					d.feed(d.model.Opened())
				}
			}
			if diff := cmp.Diff(c.asked, d.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			d.sees(t, c.says)
		})
	}
}

func TestMessagesReachWhomTheyAreFor(t *testing.T) {
	d := newDesk(80, 24).press("enter").feed("theirs") // of a run that was looked at before
	if view := ansi.Strip(d.model.View()); strings.Contains(view, "parser") {
		t.Errorf("the facts of another run are shown:\n%s", view)
	}
	d.feed("mine").sees(t, "parser")
	c := machine()
	c.Runs[1].State = run.StandingOrphaned
	d.take(tui.ChangesMsg{Changes: c}) // while a run is open
	d.sees(t, "parser")
	d.press("esc").sees(t, "1 orphaned")
	d.feed("mine") // too late
	d.sees(t, "Runs")
}

// The facts of a run that begins anew take the place of the old ones.
func TestARunThatBeginsAnew(t *testing.T) {
	d := newDesk(80, 24).press("down", "enter").feed("theirs")
	d.take(tui.RunMsg{Key: "theirs", Msg: tui.HostEndedMsg{}})
	d.take(tui.RunMsg{Key: "theirs", Msg: tui.RestartMsg{}})
	if view := ansi.Strip(d.model.View()); strings.Contains(view, "parser") || !strings.Contains(view, "not heard here") {
		t.Errorf("the screen has not begun anew:\n%s", view)
	}
	d.feed("theirs").sees(t, "parser")
}

func TestQuitting(t *testing.T) {
	for name, keys := range map[string][]string{"list": {"q"}, "list, ctrl+c": {"ctrl+c"}, "run": {"enter", "ctrl+c"}, "back": {"enter", "q", "q"}} {
		d := newDesk(80, 24)
		before := d.model.Outcome()
		if d.press(keys...); !d.quit || d.model.Outcome() != tui.OutcomeLeft || before != 0 {
			t.Errorf("%s: quit %v, outcome %q, before %q", name, d.quit, d.model.Outcome(), before)
		}
	}
}

// However fast one opens and leaves, the program is asked one thing at a time, a run is
// left before the next is opened, and in the end it feeds what is shown.
func TestOneThingIsAskedAtATime(t *testing.T) {
	enter, esc, down := tea.KeyMsg{Type: tea.KeyEnter}, tea.KeyMsg{Type: tea.KeyEsc}, tea.KeyMsg{Type: tea.KeyDown}
	d := newDesk(80, 24)
	d.take(enter)
	slow := d.cmds // to open the first takes its time
	d.cmds = nil
	d.take(esc)
	d.run() // back in the list
	d.take(down).take(enter)
	d.run()
	if d.model.Opened() != "theirs" || len(d.asked) != 0 {
		t.Fatalf("opened %q, asked %v", d.model.Opened(), d.asked)
	}
	d.cmds = slow
	d.run()
	if diff := cmp.Diff([]string{"open mine", "leave mine", "open theirs"}, d.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// A run that is opened a second time is fed from its beginning.
func TestTheSameRunAgain(t *testing.T) {
	d := newDesk(80, 24)
	d.take(tea.KeyMsg{Type: tea.KeyEnter})
	slow := d.cmds
	d.cmds = nil
	d.take(tea.KeyMsg{Type: tea.KeyEsc})
	d.run()
	d.take(tea.KeyMsg{Type: tea.KeyEnter})
	d.cmds = append(d.cmds, slow...)
	d.run()
	if diff := cmp.Diff([]string{"open mine", "leave mine", "open mine"}, d.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// A key that was pressed twice closes one screen, not the next one too.
func TestWhatAScreenStillSaysConcernsNoOther(t *testing.T) {
	d := newDesk(80, 24).press("enter")
	esc := tea.KeyMsg{Type: tea.KeyEsc}
	d.take(esc)
	d.take(esc)
	second := d.cmds[len(d.cmds)-1]
	d.cmds = d.cmds[:len(d.cmds)-1]
	if d.run(); d.model.Opened() != "" {
		t.Fatal("esc does not close the run")
	}
	d.press("enter")
	d.cmds = append(d.cmds, second)
	if d.run(); d.model.Opened() != "mine" {
		t.Error("the screen that was opened next has closed")
	}
}

// Whoever comes back finds the cursor on the run that was open.
func TestTheCursorStaysOnTheRunThatWasOpen(t *testing.T) {
	d := newDesk(80, 24).press("enter")
	d.take(tui.ChangesMsg{Changes: run.Changes{Runs: []run.Watched{{Key: "new", State: run.StandingWorking, Began: start.Add(time.Hour), At: start}}}})
	if d.press("esc", "enter"); d.model.Opened() != "mine" {
		t.Errorf("the cursor is on %q", d.model.Opened())
	}
}

func TestWhatCannotBeOpenedIsSaid(t *testing.T) {
	d := newDesk(80, 24)
	d.deaf = errors.New("it is gone")
	d.press("enter").sees(t, "› not opened: it is gone")
	if diff := cmp.Diff([]string{"open mine"}, d.asked); diff != "" || d.model.Opened() != "" {
		t.Errorf("opened %q, asked (-want +got):\n%s", d.model.Opened(), diff)
	}
}
