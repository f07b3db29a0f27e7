package run_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// A session that is silent for long has nobody at work; a run that somebody keeps says
// itself when it ends.
func TestAsOf(t *testing.T) {
	at := time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		origin run.Origin
		state  run.Standing
		after  time.Duration
		want   run.Standing
		lanes  int
	}{
		"just written":           {run.OriginSession, run.StandingWorking, time.Minute, run.StandingWorking, 1},
		"silent":                 {run.OriginSession, run.StandingWorking, run.SilentWork, run.StandingSilent, 0},
		"a silent stream":        {run.OriginStream, run.StandingIdle, run.SilentWork, run.StandingSilent, 0},
		"its turn is over":       {run.OriginSession, run.StandingAsking, run.SilentWork, run.StandingAsking, 1},
		"its turn was over":      {run.OriginSession, run.StandingAsking, run.SilentTurn, run.StandingDone, 0},
		"a clock that was wrong": {run.OriginSession, run.StandingWorking, -time.Hour, run.StandingWorking, 1},
		"at a limit":             {run.OriginSession, run.StandingFailed, time.Minute, run.StandingFailed, 0},
		"of a harness":           {run.OriginHarness, run.StandingWorking, 9 * time.Hour, run.StandingWorking, 1},
		"of Layover":             {run.OriginLayover, run.StandingWorking, 9 * time.Hour, run.StandingWorking, 1},
	} {
		w := run.Watched{Origin: c.origin, State: c.state, At: at, Lanes: run.LaneCounts{Working: 1}}
		if got := w.AsOf(at.Add(c.after)); got.State != c.want || got.Lanes.Working != c.lanes {
			t.Errorf("%s: %s, %d at work; want %s, %d", name, got.State, got.Lanes.Working, c.want, c.lanes)
		}
	}
}
