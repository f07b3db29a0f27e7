package fleet_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
	"example.com/layover/tui/bar"
)

// Changes that tell only of a run leave the other runs and the families as they were. What
// was used and the notes are all there are.
func TestWhatIsNotToldStays(t *testing.T) {
	c := busy()
	c.Reading = run.Progress{Done: 1, Total: 2}
	m := shown(fleetOptions(), 120, 36, c)
	m, _ = m.Update(tui.TickMsg{Now: start.Add(time.Second), Tag: 1})
	m, _ = m.Update(tui.ChangesMsg{Changes: run.Changes{Reading: c.Reading, Runs: []run.Watched{{Key: "new", Name: "newest", State: run.StandingWorking, At: start}}}})
	view := ansi.Strip(m.View())
	for _, stays := range []string{"claude:opus", "reading ", " 50%", "newest", "polish"} {
		if !strings.Contains(view, stays) {
			t.Errorf("%q is gone:\n%s", stays, view)
		}
	}
	for _, gone := range []string{"network disk", "48.2M tokens"} {
		if strings.Contains(view, gone) {
			t.Errorf("%q stays, though it is told no more:\n%s", gone, view)
		}
	}
}

// What is known of a family does not outlive its time.
func TestWhatIsOverIsNotTold(t *testing.T) {
	for name, c := range map[string]struct {
		after time.Duration
		told  []string
		over  []string
	}{
		"at first":                    {0, []string{"codex suspected", "a session was refused", "5h 83%", "tripped", "weekly limit", "week 41%"}, nil},
		"the suspicion of codex":      {8 * time.Minute, []string{"5h 83%", "tripped", "weekly limit"}, []string{"codex suspected", "a session was refused"}},
		"its window":                  {time.Hour, []string{"week 41%", "tripped until 16:00"}, []string{"5h 83%"}},
		"the window of claude is due": {3 * time.Hour, []string{"claude due for a try", "since 16:00"}, []string{"tripped", "5h 100%"}},
		"everything":                  {50 * time.Hour, nil, []string{"weekly limit", "week 41%"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := shown(fleetOptions(), 160, 50, busy())
			m, _ = m.Update(tui.TickMsg{Now: start.Add(c.after), Tag: 1})
			view := ansi.Strip(m.View())
			for _, said := range c.told {
				if !strings.Contains(view, said) {
					t.Errorf("%q is not told:\n%s", said, view)
				}
			}
			for _, said := range c.over {
				if strings.Contains(view, said) {
					t.Errorf("%q is still told:\n%s", said, view)
				}
			}
		})
	}
}

// A gauge that is nearly full is warm, others are calm.
func TestAGaugeThatIsNearlyFullIsWarm(t *testing.T) {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.TrueColor)
	o := fleetOptions()
	o.Styles = styles.New(renderer, styles.Dark(), styles.Unicode())
	view := shown(o, 160, 50, busy()).View()
	for used, look := range map[float64]styles.Bar{0.41: o.Styles.Bar, 0.83: o.Styles.BarWarn} {
		if !strings.Contains(view, bar.Render(10, used, look, o.Styles.Glyph.Bar)) {
			t.Errorf("the bar of %v looks otherwise", used)
		}
	}
}

// The cursor stays on its run from the first key on, whatever it does.
func TestTheFirstKeyKeepsTheCursorOnItsRun(t *testing.T) {
	for _, keys := range [][]string{{"?", "?"}, {"tab", "tab"}, {"x"}, {"up"}, {"s", "esc"}} {
		m := shown(fleetOptions(), 80, 24, busy())
		for i, k := range keys {
			m, _ = m.Update(press(k))
			m, _ = m.Update(tui.ChangesMsg{Changes: run.Changes{Runs: []run.Watched{{
				Key: k, State: run.StandingWorking, Began: start.Add(time.Duration(i+1) * time.Hour), At: start,
			}}}})
		}
		if w, ok := m.Chosen(press("enter")); !ok || w.Key != "/s/runs/night" {
			t.Errorf("after %v enter opens %q", keys, w.Key)
		}
	}
}

// The cursor stays on top until a key is pressed; then it stays on its run.
func TestTheCursorFollowsItsRunOnceItIsMoved(t *testing.T) {
	newer := func(key string, hours int) tui.ChangesMsg {
		return tui.ChangesMsg{Changes: run.Changes{Runs: []run.Watched{{Key: key, State: run.StandingWorking, Began: start.Add(time.Duration(hours) * time.Hour), At: start}}}}
	}
	m := shown(fleetOptions(), 80, 24, busy())
	m, _ = m.Update(newer("first", 1))
	if row, _ := m.Selected(); row.Key != "first" {
		t.Errorf("an untouched cursor is on %q", row.Key)
	}
	m, _ = m.Update(press("down"))
	m, _ = m.Update(newer("second", 2))
	m, _ = m.Update(newer("third", 3))
	if row, _ := m.Selected(); row.Key != "/s/runs/night" {
		t.Errorf("a moved cursor is on %q", row.Key)
	}
	m, _ = m.Update(tui.ChangesMsg{Changes: run.Changes{Gone: []string{"/s/runs/night"}}})
	if row, _ := m.Selected(); row.Key != "/h/runs/a" {
		t.Errorf("after its run is gone the cursor is on %q", row.Key)
	}
}

// The run that is selected is named as the commands want it: by its id, or its path.
func TestTheSelectedRunIsNamed(t *testing.T) {
	own := run.Watched{Key: "/s/runs/20261130_110000_7f44a784", Origin: run.OriginLayover, Name: "night", State: run.StandingWorking, Began: start}
	other := run.Watched{Key: "/c/" + strings.Repeat("p/", 100) + "1f.jsonl", Origin: run.OriginSession, Name: "web", State: run.StandingAsking, At: start}
	m := shown(fleetOptions(), 80, 24, run.Changes{Runs: []run.Watched{own, other}})
	if view := ansi.Strip(m.View()); !strings.Contains(view, "╰─ 20261130_110000_7f44a784 ──") {
		t.Errorf("the id is not told:\n%s", view)
	}
	m, _ = m.Update(press("down"))
	if view := ansi.Strip(m.View()); !strings.Contains(view, "p/p/1f.jsonl ─╯") || strings.Contains(view, "7f44a784") {
		t.Errorf("the path is not told:\n%s", view)
	}
}
