package fleet_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

const lots = 10_000

// BenchmarkChange takes one message about one of many runs: that it did something, and that
// it began or ended.
func BenchmarkChange(b *testing.B) {
	for name, states := range map[string][2]run.Standing{
		"sign of life": {run.StandingWorking, run.StandingWorking}, "moves": {run.StandingWorking, run.StandingDone},
	} {
		b.Run(name, func(b *testing.B) {
			m := shown(fleetOptions(), 120, 36, many(lots))
			w := many(lots).Runs[5000]
			n := 0
			for b.Loop() {
				n++
				w.State, w.At = states[n%2], start.Add(time.Duration(n)*time.Second)
				m, _ = m.Update(tui.ChangesMsg{Changes: run.Changes{Runs: []run.Watched{w}}})
			}
		})
	}
}

// BenchmarkView draws the screen of many runs.
func BenchmarkView(b *testing.B) {
	m := shown(fleetOptions(), 120, 36, many(lots))
	for b.Loop() {
		m.View()
	}
}

// BenchmarkTick lets the clock go on, in which no run changes, and in which some do.
func BenchmarkTick(b *testing.B) {
	for name, step := range map[string]time.Duration{"nothing turns": 0, "each tick some turn": time.Millisecond} {
		b.Run(name, func(b *testing.B) {
			m := shown(fleetOptions(), 120, 36, many(lots))
			now := start.Add(run.SilentWork - time.Second)
			if step == 0 {
				now = start
			}
			n := 0
			for b.Loop() {
				n++
				now = now.Add(step)
				m, _ = m.Update(tui.TickMsg{Now: now, Tag: n})
			}
		})
	}
}

// BenchmarkFirst takes all runs at once.
func BenchmarkFirst(b *testing.B) {
	all := many(lots)
	for b.Loop() {
		shown(fleetOptions(), 120, 36, all)
	}
}
