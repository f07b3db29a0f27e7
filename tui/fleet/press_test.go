package fleet_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
	"example.com/layover/tui/fleet"
)

// desk is a screen whose wishes are written down.
type desk struct {
	model fleet.Model
	sent  []string
	deaf  error // what sending fails with
	quit  bool
}

func newDesk(c run.Changes) *desk {
	d := &desk{}
	o := fleetOptions()
	o.Send = func(key string, c run.Command) error {
		d.sent = append(d.sent, c.Verb.String()+" "+key+" from "+c.From)
		return d.deaf
	}
	d.model = shown(o, 80, 24, c)
	return d
}

func (d *desk) press(keys ...string) *desk {
	for _, k := range keys {
		d.take(press(k))
	}
	return d
}

func (d *desk) take(msg tea.Msg) {
	var cmd tea.Cmd
	d.model, cmd = d.model.Update(msg)
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		d.quit = true
	default:
		d.model, _ = d.model.Update(msg)
	}
}

func (d *desk) footer() string {
	lines := strings.Split(ansi.Strip(d.model.View()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func TestKeys(t *testing.T) {
	const (
		usual    = "q quit · ? help · enter open · tab other pane · s soft stop · S hard stop"
		foreign  = "q quit · ? help · enter open · tab other pane · s S w c not heard here"
		ended    = "q quit · ? help · enter open · tab other pane"
		families = "q quit · ? help · tab other pane"
		first    = "› choose a run first: tab"
		soft     = "soft-stop /s/runs/night from screen"
		hard     = "hard-stop /s/runs/night from screen"
	)
	cases := map[string]struct {
		keys []string
		sent []string
		says string
	}{
		"at first":               {nil, nil, usual},
		"soft stop":              {[]string{"s", "y"}, []string{soft}, "› soft stop asked of night"},
		"soft stop by enter":     {[]string{"s", "up", "enter"}, []string{soft}, "› soft stop asked of night"},
		"hard stop":              {[]string{"S", "y"}, []string{hard}, "› hard stop asked of night"},
		"hard stop, cancel":      {[]string{"S", "enter"}, nil, usual},
		"hard stop, esc":         {[]string{"S", "esc"}, nil, usual},
		"wake":                   {[]string{"w"}, nil, "› open the run with enter first"},
		"clear":                  {[]string{"c"}, nil, "› open the run with enter first"},
		"foreign":                {[]string{"down"}, nil, foreign},
		"foreign, soft stop":     {[]string{"down", "s"}, nil, "› team-harness takes no orders from Layover"},
		"foreign, hard stop":     {[]string{"down", "S", "y"}, nil, foreign},
		"foreign, wake":          {[]string{"down", "w"}, nil, "› team-harness takes no orders from Layover"},
		"foreign, clear":         {[]string{"j", "c"}, nil, "› team-harness takes no orders from Layover"},
		"ended":                  {[]string{"end", "up"}, nil, ended},
		"ended, stop":            {[]string{"end", "up", "s", "y"}, nil, ended},
		"ended, stop says":       {[]string{"end", "up", "s"}, nil, "› nothing to do: yesterday is done"},
		"the other pane has it":  {[]string{"tab", "s", "y"}, nil, families},
		"the other pane, stop":   {[]string{"tab", "down", "s"}, nil, first},
		"the other pane, hard":   {[]string{"tab", "S"}, nil, first},
		"the other pane, wake":   {[]string{"tab", "w"}, nil, first},
		"the other pane, clear":  {[]string{"tab", "c"}, nil, first},
		"the other pane, enter":  {[]string{"tab", "enter"}, nil, first},
		"back from it":           {[]string{"tab", "tab", "s", "y"}, []string{soft}, "› soft stop asked of night"},
		"help takes a key":       {[]string{"?", "s"}, nil, usual},
		"q in a question":        {[]string{"s", "q"}, nil, usual},
		"home and page":          {[]string{"pgdown", "home", "S", "y"}, []string{hard}, "› hard stop asked of night"},
		"a key takes the notice": {[]string{"w", "x"}, nil, usual},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newDesk(busy()).press(c.keys...)
			if diff := cmp.Diff(c.sent, d.sent); diff != "" {
				t.Errorf("commands differ (-want +got):\n%s", diff)
			}
			if got := d.footer(); got != c.says || d.quit {
				t.Errorf("footer is %q, want %q; quit %v", got, c.says, d.quit)
			}
		})
	}
}

func TestQuit(t *testing.T) {
	for _, keys := range [][]string{{"q"}, {"ctrl+c"}, {"s", "ctrl+c"}, {"?", "ctrl+c"}} {
		if d := newDesk(busy()).press(keys...); !d.quit || !d.model.Left() || d.sent != nil {
			t.Errorf("%v: quit %v, left %v, sent %v", keys, d.quit, d.model.Left(), d.sent)
		}
	}
	if d := newDesk(busy()).press("?", "q"); d.quit || d.model.Left() {
		t.Error("q closes more than the help")
	}
}

func TestWhatIsNotHeardIsSaid(t *testing.T) {
	d := newDesk(busy())
	d.deaf = errors.New("nobody is there")
	if got, want := d.press("s", "y").footer(), "› not asked: nobody is there"; got != want {
		t.Errorf("footer is %q, want %q", got, want)
	}
	for range 32 {
		d.model, _ = d.model.Update(tui.TickMsg{Now: start, Tag: 1}) // of another time
	}
	if got, want := d.footer(), "› not asked: nobody is there"; got != want {
		t.Errorf("after ticks that nobody waits for the footer is %q, want %q", got, want)
	}
	for tag := range 40 {
		d.model, _ = d.model.Update(tui.TickMsg{Now: start, Tag: tag})
	}
	if got := d.footer(); strings.Contains(got, "nobody") {
		t.Errorf("after ten seconds the footer is %q", got)
	}
}

func TestARunThatEndsWhileItIsAskedAbout(t *testing.T) {
	for name, c := range map[string]run.Changes{
		"gone":  {Gone: []string{"/s/runs/night"}},
		"ended": {Runs: []run.Watched{{Key: "/s/runs/night", Origin: run.OriginLayover, State: run.StandingDone}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(busy()).press("S")
			d.take(tui.ChangesMsg{Changes: c})
			if got, want := d.press("y").footer(), "› not asked: it has ended meanwhile"; got != want || d.sent != nil {
				t.Errorf("footer is %q, want %q; sent %v", got, want, d.sent)
			}
		})
	}
}

func TestChosen(t *testing.T) {
	cases := map[string]struct {
		told run.Changes
		keys []string
		want string
	}{
		"the first":       {busy(), nil, "/s/runs/night"},
		"moved":           {busy(), []string{"down", "down"}, "/l/runs/a"},
		"in the families": {busy(), []string{"tab"}, ""},
		"in the help":     {busy(), []string{"?"}, ""},
		"in a question":   {busy(), []string{"s"}, ""},
		"without a run":   {run.Changes{}, nil, ""},
		"of a long list":  {many(500), []string{"end"}, "/c/00499"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newDesk(c.told).press(c.keys...)
			w, ok := d.model.Chosen(press("enter"))
			if w.Key != c.want || ok != (c.want != "") {
				t.Errorf("chosen is %q, %v, want %q", w.Key, ok, c.want)
			}
			if w, ok := d.model.Chosen(press("x")); ok {
				t.Errorf("x opens %q", w.Key)
			}
		})
	}
}

// A soft stop that is under way is told, and s takes it back without asking.
func TestAStopIsSeenAndTakenBack(t *testing.T) {
	asked := func(s run.Stop, at run.Standing) tui.ChangesMsg {
		w := busy().Runs[0]
		w.Stop, w.State = s, at
		return tui.ChangesMsg{Changes: run.Changes{Runs: []run.Watched{w}}}
	}
	d := newDesk(busy())
	d.take(asked(run.StopSoft, run.StandingWorking))
	if view := ansi.Strip(d.model.View()); !strings.Contains(view, "stopping softly · ") {
		t.Errorf("the stop is not told:\n%s", view)
	}
	if got, want := d.footer(), "q quit · ? help · enter open · tab other pane · s take the stop back …"; got != want {
		t.Errorf("footer is %q, want %q", got, want)
	}
	if got, want := d.press("s").footer(), "› night is asked to go on"; got != want {
		t.Errorf("footer is %q, want %q", got, want)
	}
	d.press("S", "y")
	want := []string{"take-back /s/runs/night from screen", "hard-stop /s/runs/night from screen"}
	if diff := cmp.Diff(want, d.sent); diff != "" {
		t.Errorf("commands differ (-want +got):\n%s", diff)
	}
	d.take(asked(run.StopHard, run.StandingWorking))
	if view := ansi.Strip(d.model.View()); !strings.Contains(view, "stopping now · ") {
		t.Errorf("the stop is not told:\n%s", view)
	}
	if got, want := d.press("s").footer(), "› a hard stop of night is under way"; got != want || len(d.sent) != 2 {
		t.Errorf("footer is %q, want %q; sent %v", got, want, d.sent)
	}
	d.take(asked(0, run.StandingWorking))
	if view := ansi.Strip(d.model.View()); strings.Contains(view, "stopping") {
		t.Errorf("a stop that was taken back is told:\n%s", view)
	}
}

// Two runs can have one name: who is asked about one is told its id.
func TestAQuestionTellsTheID(t *testing.T) {
	const id = "20261130_110000_7f44a784"
	own := run.Watched{Key: "/s/runs/" + id, Origin: run.OriginLayover, ID: id, Name: "night", State: run.StandingWorking}
	for _, k := range []string{"s", "S"} {
		view := ansi.Strip(newDesk(run.Changes{Runs: []run.Watched{own}}).press(k).model.View())
		if strings.Count(view, id) != 2 { // there, and on the lower edge
			t.Errorf("%s does not name the run:\n%s", k, view)
		}
	}
}

// The first read is told of only when it lasts.
func TestTheFirstReadIsShownWhenItLasts(t *testing.T) {
	m := shown(fleetOptions(), 80, 24)
	reads := func(done int64) tui.ChangesMsg {
		return tui.ChangesMsg{Changes: run.Changes{Reading: run.Progress{Done: done, Total: 200}}}
	}
	m, _ = m.Update(reads(20))
	for i, c := range []struct {
		after time.Duration
		done  int64
		want  string
	}{{250 * time.Millisecond, 40, ""}, {499 * time.Millisecond, 60, ""}, {500 * time.Millisecond, 90, " 45%"}, {time.Second, 199, " 99%"}, {time.Minute, 200, ""}} {
		m, _ = m.Update(reads(c.done))
		m, _ = m.Update(tui.TickMsg{Now: start.Add(c.after), Tag: i + 1})
		view := ansi.Strip(m.View())
		if strings.Contains(view, "%") != (c.want != "") || !strings.Contains(view, c.want) {
			t.Errorf("after %v, with %d of 200 read, the screen is\n%s", c.after, c.done, view)
		}
	}
}
