package engine_test

import (
	"sync"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

func TestCommandsFromManyGoroutines(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		const callers, rounds = 40, 5
		verbs := []run.Verb{run.VerbPause, run.VerbUnpause, run.VerbWake, run.VerbSoftStop, run.VerbTakeBack, run.VerbClear}
		p := program(4, "claude", "codex")
		h := w.host(p, func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(time.Hour))
			}
			return succeeds(a, time.Minute)
		})
		var group sync.WaitGroup
		w.later(10*time.Second, func() {
			for i := range callers {
				group.Go(func() {
					for r := range rounds {
						h.Command(run.Command{Verb: verbs[(i+r)%len(verbs)], Lane: run.LaneID(i % 5), Family: "claude"})
					}
				})
			}
		})
		w.later(11*time.Second, func() {
			group.Go(func() {
				h.Command(run.Command{Verb: run.VerbTakeBack})
				h.Command(run.Command{Verb: run.VerbUnpause})
			})
		})
		w.later(2*time.Hour, func() { go h.Command(run.Command{Verb: run.VerbHardStop}) })
		res := h.Wait()
		group.Wait()
		w.replays(res)
		if n := w.count("control_received"); n < callers*rounds+2 {
			t.Errorf("%d of %d commands were taken", n, callers*rounds+2)
		}
	})
}

// A wake by the operator asks for the permit and probes at once.
func TestWakeProbes(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		h := w.host(program(1, "claude"), func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(5*time.Hour))
			}
			return succeeds(a, time.Minute)
		})
		w.later(time.Minute, func() { go h.Command(run.Command{Verb: run.VerbWake, Lane: 1}) })
		w.ends(h, 0)
		if at := w.times("start 2"); len(at) != 1 || at[0] != time.Minute {
			t.Errorf("started at %v", at)
		}
		w.in("control_received", "turn_woken", "permit_granted", "attempt_started", "probe_settled", "window_cleared")
	})
}
