package tui_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

func TestWithoutASizeNothingIsDrawn(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {0, 24}, {80, 0}, {-1, -1}} {
		if got := parked().screen(size[0], size[1]).View(); got != "" {
			t.Errorf("at %v the screen is %q", size, got)
		}
	}
}

func TestViewIsPure(t *testing.T) {
	m := parked().screen(80, 24)
	first := m.View()
	if second := m.View(); first != second {
		t.Error("the same model draws two screens")
	}
}

func TestOnlyTheAwaitedTickCounts(t *testing.T) {
	m := parked().screen(80, 24)
	next, cmd := update(m, tui.TickMsg{Now: start, Tag: 0})
	if cmd != nil || next.View() != m.View() {
		t.Error("a tick that came twice has counted twice")
	}
	next, cmd = update(m, tui.TickMsg{Now: start.Add(51 * time.Minute), Tag: 1})
	if cmd == nil || !strings.Contains(next.View(), "41:00") {
		t.Errorf("the next tick does not count:\n%s", next.View())
	}
}

func TestInitLooksAtTheClock(t *testing.T) {
	s := parked()
	m := s.shown(tui.Options{Now: func() time.Time { return start }}, 80, 24)
	msg, ok := m.Init()().(tui.TickMsg)
	if !ok || !msg.Now.Equal(start) {
		t.Errorf("Init gives %v", msg)
	}
}

func TestFactsThatOverlapArePassedOver(t *testing.T) {
	s := parked()
	m := s.screen(80, 24)
	again, _ := update(m, tui.FactsMsg{Facts: s.facts[len(s.facts)/2:]})
	if again.View() != m.View() {
		t.Errorf("facts counted twice:\n%s", again.View())
	}
}

func TestAFactThatIsMissingIsSaid(t *testing.T) {
	s := parked()
	m := (&story{}).screen(80, 24)
	m, _ = update(m, tui.FactsMsg{Facts: s.facts[:3]})
	m, _ = update(m, tui.FactsMsg{Facts: s.facts[4:]})
	if !strings.Contains(m.View(), "screen lost: follow the run: fact 5 does not follow 3") {
		t.Errorf("nothing is said:\n%s", m.View())
	}
}

func TestNoticeGoesByTicks(t *testing.T) {
	m := running().shown(tui.Options{Tick: 4 * time.Second}, 80, 24)
	m, _ = update(m, press("w"))
	seen := 0
	for tag := 1; strings.Contains(m.View(), "nothing to wake") && tag < 10; tag++ {
		m, _ = update(m, tui.TickMsg{Now: start, Tag: tag})
		seen++
	}
	if seen != 3 {
		t.Errorf("the notice stays for %d ticks, want 3", seen)
	}
}

func TestNoticesOfTheEngineAreShown(t *testing.T) {
	s := running()
	d := s.desk()
	before := len(s.facts)
	s.happen(run.Command{Verb: run.VerbTakeBack})
	d.take(tui.FactsMsg{Facts: s.facts[before:]})
	if got, want := d.footer(), "› nothing to take back: no soft stop is under way"; got != want {
		t.Errorf("footer is %q, want %q", got, want)
	}
}

func TestWhatTheLastOwnerWasToldIsOver(t *testing.T) {
	s := running()
	s.happen(run.Leaving{})
	if m := s.screen(80, 24); !strings.Contains(m.View(), "› left; ") {
		t.Errorf("no notice:\n%s", m.View())
	}
	s.happen(run.Resume{})
	if m := s.screen(80, 24); strings.Contains(m.View(), "› left; ") || s.state.Notice != "" {
		t.Errorf("the notice stays:\n%s", m.View())
	}
}

// unowned is the error of a watched run whose owner is gone.
type unowned struct{}

func (unowned) Error() string { return "nobody" }
func (unowned) Unowned()      {}

func TestHostEnded(t *testing.T) {
	cases := map[string]struct {
		msg  tui.HostEndedMsg
		want string
	}{
		"failed":     {tui.HostEndedMsg{Exit: 1, Err: errors.New("write events:\x1b[2J disk full")}, "▲ the engine failed: write events: disk full · layover resume takes the run up again"},
		"left":       {tui.HostEndedMsg{Exit: 3}, "△ left · layover resume takes the run up again"},
		"no owner":   {tui.HostEndedMsg{Exit: 1, Err: unowned{}}, "▲ nobody owns the run any more · layover resume takes the run up again"},
		"terminated": {tui.HostEndedMsg{Exit: 143}, "△ terminated · layover resume takes the run up again"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m, _ := update(running().screen(120, 24), c.msg)
			if !strings.Contains(m.View(), c.want) {
				t.Errorf("not %q:\n%s", c.want, m.View())
			}
			if got, ended := m.Host(); got != c.msg || !ended {
				t.Errorf("Host = %v, %v", got, ended)
			}
		})
	}
}

// TestHostileTextIsHarmless shows what agents print in every place that has it.
func TestHostileTextIsHarmless(t *testing.T) {
	bad := run.Untrusted("a\x1b[2J\x1b]52;c;eA==\x07b\r\nc\u202edcba\u009b31m\x00\tz日本")
	s := begin(program(2, "te\x1b[31msts", "docs\u202e"))
	s.to(time.Minute)
	s.does(2, run.Activity{Doing: bad})
	s.ends(1, run.Verdict{Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily, Message: bad})
	for _, size := range sizes {
		for _, r := range ansi.Strip(s.screen(size[0], size[1]).View()) {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
				t.Errorf("%q reaches the screen", r)
			}
		}
	}
}

func TestFocusSkipsPanesThatAreNotSeen(t *testing.T) {
	m := parked().screen(40, 6)
	before := m.View()
	m, _ = update(m, press("tab"))
	if m.View() != before {
		t.Errorf("the focus went where nothing is seen:\n%s", m.View())
	}
}

func TestCursorStaysWithItsLane(t *testing.T) {
	s := parked()
	d := s.desk().press("down", "down")
	before := len(s.facts)
	s.ends(2, done())
	d.take(tui.FactsMsg{Facts: s.facts[before:]})
	if !strings.Contains(ansi.Strip(d.model.View()), "▌ ● working  refactor") {
		t.Errorf("the cursor has moved to another lane:\n%s", d.model.View())
	}
}

var _ tea.Model = tui.Model{}
