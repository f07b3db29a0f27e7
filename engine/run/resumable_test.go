package run

import (
	"testing"
	"time"
)

func TestResumable(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	stopped := func(after time.Duration) []*Lane {
		return []*Lane{{State: LaneDone, EndedAt: at.Add(time.Hour)}, {State: LaneStopped, EndedAt: at.Add(after)}}
	}
	two := Program{Iterations: 2}
	for name, tc := range map[string]struct {
		state State
		want  bool
	}{
		"never begun":               {State{}, false},
		"under way":                 {State{Phase: PhaseRunning}, true},
		"waiting":                   {State{Phase: PhaseWaiting}, true},
		"done":                      {State{Phase: PhaseEnded, Iteration: 2, Program: two}, false},
		"until said so":             {State{Phase: PhaseEnded, Iteration: 1, Program: two, UntilDone: true}, false},
		"limited":                   {State{Phase: PhaseEnded, Iteration: 2, Program: two, Queue: []Job{{}}}, true},
		"stopped before a task":     {State{Phase: PhaseEnded, Stop: StopSoft, StopAt: at, Queue: []Job{{}}}, true},
		"stopped in a task":         {State{Phase: PhaseEnded, Stop: StopHard, StopAt: at, Lanes: stopped(time.Second)}, true},
		"stopped at once":           {State{Phase: PhaseEnded, Stop: StopHard, StopAt: at, Lanes: stopped(0)}, true},
		"stopped after the last":    {State{Phase: PhaseEnded, Stop: StopSoft, StopAt: at, Iteration: 2, Program: two, Lanes: stopped(-time.Second)}, false},
		"stopped before an end":     {State{Phase: PhaseEnded, Stop: StopSoft, StopAt: at, Iteration: 1, Program: two}, true},
		"stopped when it was done":  {State{Phase: PhaseEnded, Stop: StopSoft, StopAt: at, Iteration: 1, Program: two, UntilDone: true}, false},
		"a lane was stopped alone":  {State{Phase: PhaseEnded, Iteration: 2, Program: two, Lanes: stopped(time.Second)}, false},
		"ended with more to repeat": {State{Phase: PhaseEnded, Iteration: 1, Program: two}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.state.Resumable(); got != tc.want {
				t.Errorf("resumable: %v, want %v", got, tc.want)
			}
		})
	}
}

// What a run that has ended says of its end is not true of it any more when it is
// taken up again; what it is made of stays.
func TestRunResumedForgetsTheEnd(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := &State{
		Seq: 7, ID: "x", Phase: PhaseEnded, Stop: StopHard, StopAt: at, EndedAt: at, Exit: 75, ExitWhy: "limited", ResetsAt: at,
		ProgressAt: at, Missing: []string{"codex"}, Queue: []Job{{Task: 1}}, Paused: true,
	}
	back := at.Add(time.Hour)
	if err := s.Apply(Fact{Seq: 8, At: back, Body: RunResumed{Missing: []string{"claude"}}}); err != nil {
		t.Fatal(err)
	}
	want := &State{
		Seq: 8, ID: "x", Phase: PhaseRunning, ProgressAt: back, LastAt: back, Missing: []string{"claude"}, Queue: []Job{{Task: 1}}, Paused: true,
	}
	if diff := differ(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAStopThatIsTakenBackHasNoInstant(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := &State{}
	for i, b := range []Body{StopRequested{Run: true}, StopCancelled{Run: true}} {
		if err := s.Apply(Fact{Seq: uint64(i + 1), At: at, Body: b}); err != nil {
			t.Fatal(err)
		}
	}
	if s.Stop != 0 || !s.StopAt.IsZero() {
		t.Errorf("stop %d at %s", s.Stop, s.StopAt)
	}
}
