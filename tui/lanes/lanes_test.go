package lanes_test

import (
	"fmt"
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
	"example.com/layover/tui/lanes"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var claude = run.Target{Agent: "claude"}

// state has the lanes given, numbered and open unless they have ended.
func state(all ...*run.Lane) *run.State {
	s := &run.State{Phase: run.PhaseRunning, Program: run.Program{Tasks: []run.Task{{Name: "tests"}}}}
	for i, l := range all {
		l.ID, l.Target, l.StartedAt = run.LaneID(i+1), claude, now.Add(-9*time.Minute)
		s.Lanes = append(s.Lanes, l)
		if !l.State.Final() {
			s.Open = append(s.Open, l.ID)
		}
	}
	return s
}

func shown(s *run.State, w, h int) lanes.Model {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	m := lanes.New(styles.New(r, styles.Dark(), styles.Unicode()), s, nil).Now(now).Focus(true)
	for _, l := range s.Lanes {
		if l.State.Final() {
			m = m.Facts([]run.Fact{{Lane: l.ID, Body: run.LaneEnded{State: l.State}}})
		}
	}
	return m.SetSize(w, h)
}

// rows is what stands in the pane, without its frame.
func rows(m lanes.Model) []string {
	var got []string
	for i, line := range m.View() {
		if inner := strings.TrimSpace(strings.Trim(line, "│")); i > 0 && inner != "" && !strings.HasPrefix(line, "╰") {
			got = append(got, inner)
		}
	}
	return got
}

func working(a run.Attempt) *run.Lane {
	a.StartedAt = now.Add(-4 * time.Minute)
	return &run.Lane{State: run.LaneWorking, Attempts: []run.Attempt{a}}
}

func waits(st run.LaneState, w run.Wait) *run.Lane {
	w.Since = now.Add(-time.Minute)
	return &run.Lane{State: st, Wait: &w}
}

func TestRows(t *testing.T) {
	key := run.WindowKey{Family: "claude", Sort: run.SortLimit}
	until := now.Add(3 * time.Minute)
	window := func(permit *run.Permit, next time.Time, waiters ...run.LaneID) *run.Window {
		return &run.Window{WindowKey: key, Kind: run.KindUsage, Until: until, NextTry: next, How: run.HowText, Trip: true, Permit: permit, Waiters: waiters}
	}
	gated := waits(run.LaneParked, run.Wait{Window: key})
	login := run.WindowKey{Family: "claude", Sort: run.SortLogin}
	stopping := waits(run.LaneParked, run.Wait{WakeAt: until})
	stopping.StopAt = now.Add(time.Minute)
	ended := func(st run.LaneState, c run.Class) *run.Lane {
		return &run.Lane{State: st, EndedAt: now, Attempts: make([]run.Attempt, 2), Swaps: 1, Last: run.Verdict{Class: c, Message: "wh\x1b[2Jy"}}
	}
	broke := ended(run.LaneFailed, run.ClassRateLimited)
	broke.Why = "the budget of $20.00 is spent: $20.13 used"
	silent := ended(run.LaneStopped, run.ClassIncomplete)
	silent.Why = "nothing heard for 30 minutes"
	cases := map[string]struct {
		lane   *run.Lane
		window *run.Window
		want   string
	}{
		"your turn":  {&run.Lane{State: run.LaneOpen, Last: run.Verdict{Class: run.ClassSuccess}}, nil, "▌ · asking   tests claude      your turn"},
		"logged out": {&run.Lane{State: run.LaneOpen, Last: run.Verdict{Class: run.ClassAuth, Message: "run /login"}}, nil, "▌ · asking   tests claude      your turn · not logged in · run /login"},
		"opening":    {&run.Lane{State: run.LaneOpen}, nil, "▌ · opening  tests claude"},
		"no answer":  {working(run.Attempt{ID: 1}), nil, "▌ ● working  tests claude   4m no answer yet"},
		"served":     {working(run.Attempt{ID: 1, ServedAt: now}), nil, "▌ ● working  tests claude   4m"},
		"summary":    {working(run.Attempt{ID: 1, Summary: &run.Summary{}}), nil, "▌ ● working  tests claude   4m summarises for the handoff · no answer yet"},
		"suspected":  {working(run.Attempt{ID: 1, ServedAt: now, Suspected: true}), nil, "▌ ● working  tests claude   4m limit suspected"},
		"ending":     {working(run.Attempt{ID: 1, ServedAt: now, Ending: run.EndingDeadline}), nil, "▌ ● ending   tests claude   4m asked to end: out of time"},
		"probing":    {working(run.Attempt{ID: 1, Permits: []run.WindowKey{key}}), window(&run.Permit{Attempt: 1, Lane: 1}, now), "▌ ◇ probing  tests claude   4m asks claude again · no answer yet"},
		"inline":     {waits(run.LaneWaiting, run.Wait{Inline: true, WakeAt: until, Reason: run.ClassOverloaded}), nil, "▌ ◔ waiting  tests claude 03:00 ██░░░░░░ tries again · overloaded"},
		"backoff":    {waits(run.LaneParked, run.Wait{WakeAt: until, How: run.HowAssumed, Reason: run.ClassRateLimited}), nil, "▌ ◑ parked   tests claude 03:00 ██░░░░░░ until 12:03 · assumed · rate limited"},
		"gated":      {gated, window(nil, until), "▌ ◑ parked   tests claude 03:00 ██░░░░░░ until 12:03 · read from text · claude usage limit"},
		"second":     {gated, window(nil, until, 7, 1), "▌ ◑ parked   tests claude 03:00 ██░░░░░░ until 12:03 · read from text · claude usage limit · 1…"},
		"its turn":   {gated, window(nil, now), "▌ ◑ parked   tests claude 00:00 ████████ its turn is next · claude"},
		"behind one": {gated, window(&run.Permit{Lane: 7, Lapses: until}, now), "▌ ◑ parked   tests claude 03:00 ██░░░░░░ lane 7 asks claude again"},
		"login":      {waits(run.LaneParked, run.Wait{Window: login}), &run.Window{WindowKey: login, Kind: run.KindAuth}, "▌ ◑ parked   tests claude      until claude is mended · not logged in"},
		"held":       {waits(run.LaneParked, run.Wait{}), nil, "▌ ◑ parked   tests claude      held · no new agents while paused"},
		"released":   {waits(run.LaneParked, run.Wait{Released: true, WakeAt: until}), nil, "▌ ◑ parked   tests claude 03:00 ██░░░░░░ the window is open · starts in a moment"},
		"stopping":   {stopping, nil, "▌ ◑ stopping tests claude 01:00 ████░░░░ stops at 12:01:00 · s takes it back"},
		"done":       {ended(run.LaneDone, run.ClassSuccess), nil, "▌ ✓ done     tests claude   9m 2 attempts · 1 swap"},
		"failed":     {ended(run.LaneFailed, run.ClassFailed), nil, "▌ ✗ failed   tests claude   9m failed · why"},
		"broke":      {broke, nil, "▌ ✗ failed   tests claude   9m the budget of $20.00 is spent: $20.13 used · 2 attempts"},
		"stopped":    {ended(run.LaneStopped, run.ClassCancelled), nil, "▌ ■ stopped  tests claude   9m 2 attempts · 1 swap"},
		"silent":     {silent, nil, "▌ ■ silent   tests claude   9m nothing heard for 30 minutes · 2 attempts"},
		"blocked":    {ended(run.LaneBlocked, run.ClassAuth), nil, "▌ ⊘ blocked  tests claude   9m not logged in · back in the queue · why"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := state(c.lane)
			if c.window != nil {
				s.Windows = []*run.Window{c.window}
			}
			if diff := cmp.Diff([]string{c.want}, rows(shown(s, 97, 4))); diff != "" {
				t.Errorf("the row differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestObserve(t *testing.T) {
	see := func(attempt run.AttemptID, a run.Activity) run.Observation {
		return run.Observation{Lane: 1, Attempt: attempt, Body: a}
	}
	doing := run.Activity{Doing: "go\rBash \x1b[31mls", Usage: run.Usage{Input: 1500, CostUSD: 0.25}}
	retry := run.Activity{Retry: run.Retry{Attempt: 3, Max: 10, Status: 429}}
	cases := map[string]struct {
		seen []run.Observation
		want string
	}{
		"doing":              {[]run.Observation{see(2, doing)}, "▌ ● working  tests claude   4m Bash ls                                                            1.5k   $0.25"},
		"says":               {[]run.Observation{see(2, run.Activity{Message: "Now \x1b[1mthe\x1b[0m cart.\a"})}, "▌ ● working  tests claude   4m Now the cart."},
		"in a tool":          {[]run.Observation{see(2, run.Activity{Doing: "Bash ls", Message: "Now the cart."})}, "▌ ● working  tests claude   4m Bash ls"},
		"the newest":         {[]run.Observation{see(2, doing), see(2, retry)}, "▌ ● working  tests claude   4m retry 3/10, 429"},
		"without a price":    {[]run.Observation{see(2, run.Activity{Usage: run.Usage{Input: 1500, CostUSD: 0.25, Unpriced: 3}})}, "▌ ● working  tests claude   4m                                                                    1.5k  $0.25+"},
		"of an old attempt":  {[]run.Observation{see(1, doing)}, "▌ ● working  tests claude   4m"},
		"of no lane":         {[]run.Observation{{Lane: 9, Attempt: 2, Body: doing}}, "▌ ● working  tests claude   4m"},
		"a tick of its park": {[]run.Observation{see(2, doing), {Lane: 1, Attempt: 2, Body: run.ParkTick{}}}, "▌ ● working  tests claude   4m Bash ls                                                            1.5k   $0.25"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := shown(state(working(run.Attempt{ID: 2, ServedAt: now})), 112, 4)
			for _, o := range c.seen {
				m = m.Observe(o)
			}
			if diff := cmp.Diff([]string{c.want}, rows(m)); diff != "" {
				t.Errorf("the row differs (-want +got):\n%s", diff)
			}
		})
	}
}

// A session that waits for its user shows what it has asked.
func TestWhatASessionAsks(t *testing.T) {
	l := &run.Lane{State: run.LaneOpen, Last: run.Verdict{Class: run.ClassSuccess}, Attempts: []run.Attempt{{ID: 1}}}
	m := shown(state(l), 97, 4).Observe(run.Observation{Lane: 1, Attempt: 1, Body: run.Activity{Message: "Shall I delete it?"}})
	if diff := cmp.Diff([]string{"▌ · asking   tests claude      your turn · Shall I delete it?"}, rows(m)); diff != "" {
		t.Errorf("the row differs (-want +got):\n%s", diff)
	}
}

func TestOrderAndQueue(t *testing.T) {
	s := state(&run.Lane{State: run.LaneDone, EndedAt: now}, working(run.Attempt{ID: 1, ServedAt: now}), &run.Lane{State: run.LaneStopped, EndedAt: now})
	s.Queue = []run.Job{{Requeued: 2, NotBefore: now.Add(time.Minute)}, {Requeued: 1}, {}, {}, {}}
	want := []string{
		"▌ ● working  tests claude    4m",
		"· queued   tests        01:00 not before 12:01:00",
		"· queued   tests              came back once, waits for a free target",
		"· queued   tests",
		"■ stopped  tests claude    9m 0 attempts",
		"✓ done     tests claude    9m 0 attempts",
	}
	m := shown(s, 90, 9)
	if diff := cmp.Diff(want, rows(m)); diff != "" {
		t.Errorf("rows differ (-want +got):\n%s", diff)
	}
	if m.Want() != 8 {
		t.Errorf("Want = %d, want 8", m.Want())
	}
	for i, id := range []run.LaneID{2, 0, 0, 0, 3, 1, 1} {
		var got run.LaneID
		if l := m.Selected(); l != nil {
			got = l.ID
		}
		if got != id {
			t.Errorf("row %d is lane %d, want %d", i, got, id)
		}
		m, _ = m.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
}

func TestNoLane(t *testing.T) {
	m := shown(&run.State{}, 40, 4)
	if diff := cmp.Diff([]string{"no lane yet"}, rows(m)); diff != "" || m.Selected() != nil {
		t.Errorf("rows differ (-want +got):\n%s", diff)
	}
}

// BenchmarkView draws a pane of many lanes: it must not grow with their number.
func BenchmarkView(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := make([]*run.Lane, n)
			for i := range all {
				all[i] = &run.Lane{State: run.LaneDone, EndedAt: now}
			}
			m := shown(state(all...), 80, 12)
			for b.Loop() {
				m.View()
			}
		})
	}
}
