package headline

import (
	"errors"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// going is a state with lanes that wait or work, in the order given.
func going(lanes ...*run.Lane) *run.State {
	s := &run.State{Phase: run.PhaseRunning, Program: run.Program{Tasks: []run.Task{{Name: "tests"}}}}
	for i, l := range lanes {
		l.ID = run.LaneID(i + 1)
		s.Lanes, s.Open = append(s.Lanes, l), append(s.Open, l.ID)
	}
	return s
}

func lane(st run.LaneState, wake time.Duration) *run.Lane {
	l := &run.Lane{State: st}
	if st == run.LaneParked || st == run.LaneWaiting {
		l.Wait = &run.Wait{Since: now, WakeAt: now.Add(wake)}
	}
	return l
}

func with(s *run.State, w ...*run.Window) *run.State {
	s.Windows = w
	return s
}

func window(family string, kind run.Kind, until time.Duration) *run.Window {
	w := &run.Window{WindowKey: run.WindowKey{Family: family, Sort: run.SortLimit}, Kind: kind, Trip: true}
	switch kind {
	case run.KindAuth, run.KindBilling:
		w.Sort, w.Trip = run.SortLogin, false
		return w
	case run.KindHealth:
		w.Sort, w.Trip = run.SortHealth, false
	}
	w.Until, w.NextTry = now.Add(until), now.Add(until)
	return w
}

func TestOf(t *testing.T) {
	hour := time.Hour
	probed := window("claude", run.KindUsage, hour)
	probed.Permit = &run.Permit{Lane: 1, Lapses: now.Add(time.Minute)}
	busy := window("claude", run.KindThrottle, hour)
	busy.Trip = false
	stopping := lane(run.LaneParked, hour)
	stopping.StopAt = now.Add(21 * time.Second)
	stopped := func(s *run.State, how run.Stop) *run.State { s.Stop = how; return s }
	ended := func(exit int, c run.Counts, queue int, resets time.Time) *run.State {
		return &run.State{Phase: run.PhaseEnded, Exit: exit, ExitWhy: "no target", Counts: c, Queue: make([]run.Job, queue), ResetsAt: resets}
	}
	waiting := &run.State{Phase: run.PhaseWaiting, WaitsFor: now.Add(hour), Queue: make([]run.Job, 2)}
	paused := going(lane(run.LaneWorking, 0))
	paused.Paused = true
	suspected := going(lane(run.LaneWorking, 0))
	suspected.Suspicions = []run.Suspicion{{Family: "claude", Until: now.Add(time.Minute)}}

	login := ended(75, run.Counts{}, 1, time.Time{})
	login.Windows = []*run.Window{{WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLogin}}}
	broke := ended(1, run.Counts{Done: 1}, 2, time.Time{})
	broke.Spent, broke.ExitWhy = &run.BudgetSpent{}, "the budget of $20.00 is spent: $20.13 used"
	cases := map[string]struct {
		state *run.State
		tone  Tone
		want  string
	}{
		"not begun":  {&run.State{}, ToneCalm, "starting"},
		"working":    {going(lane(run.LaneWorking, 0), lane(run.LaneWorking, 0)), ToneCalm, "2 working"},
		"unseen":     {ended(run.ExitUnseen, run.Counts{Failed: 1}, 0, time.Time{}), ToneBad, "ended · 1 task failed · no target"},
		"silent":     {ended(run.ExitUnseen, run.Counts{Stopped: 1}, 0, time.Time{}), ToneWarn, "no target"},
		"logged out": {going(&run.Lane{State: run.LaneOpen, Last: run.Verdict{Class: run.ClassAuth}}), ToneWarn, "your turn"},
		"asking":     {going(&run.Lane{State: run.LaneOpen, Last: run.Verdict{Class: run.ClassSuccess}}), ToneWarn, "your turn"},
		"retrying":   {going(lane(run.LaneWaiting, 4*time.Second)), ToneCalm, "1 retrying in 00:04"},
		"parked": {
			with(going(lane(run.LaneWorking, 0), lane(run.LaneParked, 41*time.Minute+7*time.Second)), window("claude", run.KindUsage, 4*hour)),
			ToneWarn, "1 working · 1 parked until 12:42 (41:07) · claude tripped until 16:00",
		},
		"several parked": {going(lane(run.LaneParked, 2*hour), lane(run.LaneParked, hour)), ToneWarn, "2 parked, the first until 13:00 (1:00:00)"},
		"parked is due":  {going(lane(run.LaneParked, 0)), ToneWarn, "1 parked, trying now"},
		"held":           {going(&run.Lane{State: run.LaneParked, Wait: &run.Wait{}}), ToneWarn, "1 parked"},
		"probed":         {with(going(lane(run.LaneWorking, 0)), probed), ToneWarn, "1 working · claude probed"},
		"busy":           {with(going(), busy), ToneWarn, "claude busy until 13:00"},
		"due":            {with(going(), window("claude", run.KindUsage, -time.Minute)), ToneWarn, "claude due for a try"},
		"resting":        {with(going(), window("claude", run.KindHealth, time.Hour)), ToneWarn, "claude resting until 13:00"},
		"a login":        {with(going(lane(run.LaneWorking, 0)), window("codex", run.KindAuth, 0)), ToneBad, "codex needs a login · 1 working"},
		"a bill":         {with(going(), window("codex", run.KindBilling, 0)), ToneBad, "codex must be paid for"},
		"many windows": {
			with(going(), window("a", run.KindUsage, hour), window("b", run.KindUsage, hour), window("c", run.KindUsage, hour), window("d", run.KindUsage, hour)),
			ToneWarn, "a tripped until 13:00 · b tripped until 13:00 · 2 more windows",
		},
		"suspected":         {suspected, ToneWarn, "1 working · claude suspected"},
		"paused":            {paused, ToneWarn, "paused · 1 working"},
		"waiting, gives up": {waiting, ToneWarn, "waiting, 2 tasks queued, gives up at 13:00 (1:00:00)"},
		"waiting, tries": {
			with(&run.State{Phase: run.PhaseWaiting, WaitsFor: now.Add(hour), Queue: make([]run.Job, 1)}, window("claude", run.KindUsage, hour)),
			ToneWarn, "waiting, 1 task queued, next try at 13:00 (1:00:00) · claude tripped until 13:00",
		},
		"between":    {going(), ToneCalm, "0 tasks queued"},
		"soft stop":  {stopped(going(lane(run.LaneWorking, 0), stopping), run.StopSoft), ToneWarn, "stopping softly · 1 finishing · 1 parked ends by 12:00:21 (00:21)"},
		"hard stop":  {stopped(going(lane(run.LaneWorking, 0)), run.StopHard), ToneWarn, "stopping now: 1 agent still to end"},
		"done":       {ended(0, run.Counts{Done: 3}, 0, time.Time{}), ToneCalm, "finished · 3 tasks done"},
		"failures":   {ended(1, run.Counts{Done: 1, Failed: 2}, 0, time.Time{}), ToneBad, "finished with failures · 1 task done, 2 tasks failed"},
		"broke":      {broke, ToneBad, "finished with failures · 1 task done, 2 tasks left · the budget of $20.00 is spent: $20.13 used"},
		"stopped":    {ended(3, run.Counts{Stopped: 1}, 2, time.Time{}), ToneWarn, "stopped · 1 task stopped, 2 tasks left"},
		"limited":    {ended(75, run.Counts{}, 1, now.Add(hour)), ToneBad, "still limited · 1 task left · resets 13:00 (1:00:00) · no target"},
		"login":      {login, ToneBad, "blocked · 1 task left · no target"},
		"killed":     {ended(130, run.Counts{}, 0, time.Time{}), ToneWarn, "stopped hard"},
		"terminated": {ended(143, run.Counts{}, 0, time.Time{}), ToneWarn, "terminated"},
		"unknown":    {ended(9, run.Counts{}, 0, time.Time{}), ToneBad, "ended"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := Of(c.state, now, time.UTC)
			if got.String() != c.want || got.Tone != c.tone {
				t.Errorf("%q, tone %d; want %q, tone %d", got, got.Tone, c.want, c.tone)
			}
		})
	}
}

func TestForeignWordsAreHarmless(t *testing.T) {
	s := with(going(), window("cl\x1b[2Jaude", run.KindUsage, time.Hour))
	if got, want := Of(s, now, time.UTC).String(), `cl\x1b[2Jaude tripped until 13:00`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Lost(errors.New("a\x1b[2Jb")).String(), "the run goes on, but this screen lost it: ab"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
