package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestFiveHourPark(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		const parked = 2 * time.Second
		resets := parked + 5*time.Hour
		h := w.host(program(1, "claude"), func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(resets))
			}
			if !strings.Contains(a.argued(), "--resume session-1") {
				t.Errorf("the agent is started as %s", a.argued())
			}
			return succeeds(a, time.Minute)
		})
		w.ends(h, 0)
		w.in("turn_parked", "park_tick", "turn_woken", "permit_granted", "attempt_started", "probe_settled", "run_ended")
		park, at := bodies[run.TurnParked](w)
		woken, wokenAt := bodies[run.TurnWoken](w)
		if len(park) != 1 || len(woken) != 1 || at[0] != parked || wokenAt[0] != resets {
			t.Fatalf("parked at %v, woken at %v", at, wokenAt)
		}
		if woken[0] != (run.TurnWoken{Reason: run.WokenDue, WaitedMs: run.MillisOf(5 * time.Hour)}) {
			t.Errorf("woken = %+v", woken[0])
		}
		ticks, tickAt := seeings[run.ParkTick](w)
		if len(ticks) != 600 {
			t.Fatalf("%d ticks in 600 chunks", len(ticks))
		}
		for i, tick := range ticks {
			chunks := time.Duration(i+1) * 30 * time.Second
			want := run.ParkTick{
				WaitedMs: run.MillisOf(chunks), PlannedMs: run.MillisOf(5 * time.Hour),
				WakeAt: w.start.Add(resets).UTC(), How: run.HowStated, Streak: 1,
			}
			if diff := cmp.Diff(want, tick); diff != "" || tickAt[i] != parked+chunks {
				t.Fatalf("tick %d at %s (-want +got):\n%s", i, tickAt[i], diff)
			}
		}
		names := w.names()
		for i, n := range names {
			if n == "turn_woken" {
				names = names[i:]
				break
			}
		}
		for _, n := range names {
			if n == "park_tick" {
				t.Fatal("a tick after the end of the park")
			}
		}
	})
}

// A soft stop takes hold at the next boundary of a chunk: no sooner, no later.
func TestSoftStopEndsAParkAtTheBoundary(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		const parked = 2 * time.Second
		h := w.host(program(1, "claude"), func(a *actor) int { return hitsLimit(a, w.start.Add(5*time.Hour)) })
		w.later(parked+47*time.Second, func() { go h.Command(run.Command{Verb: run.VerbSoftStop}) })
		w.ends(h, 3)
		woken, at := bodies[run.TurnWoken](w)
		if len(woken) != 1 || at[0] != parked+time.Minute || woken[0] != (run.TurnWoken{Reason: run.WokenStop, WaitedMs: 60_000}) {
			t.Errorf("woken at %v: %+v", at, woken)
		}
		if n := w.count("retries_exhausted") + w.count("health_failed") + w.count("provider_fallback"); n != 0 {
			t.Errorf("the stop counts as a fault\n%s", w.tale())
		}
	})
}

// A permit that another process holds is asked for again after the time in which
// a probe must have shown a sign.
func TestRefusedPermitIsAskedForAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.refuse = 2
		h := w.host(program(1, "claude"), func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(time.Hour))
			}
			return succeeds(a, time.Minute)
		})
		w.ends(h, 0)
		want := []time.Duration{time.Hour, time.Hour + 90*time.Second, time.Hour + 180*time.Second}
		if diff := cmp.Diff(want, w.times("permit claude")); diff != "" {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want[2:], w.times("start 2")); diff != "" {
			t.Errorf("started (-want +got):\n%s", diff)
		}
		if n := w.count("turn_parked"); n != 1 {
			t.Errorf("%d parks, want the lane to stay in its one", n)
		}
	})
}

// The first sign of a probe frees the others, though its agent works for an hour.
func TestServedFreesOthersWhileTheProbeWorks(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		resets := w.start.Add(time.Hour)
		p := program(3, "claude")
		p.Limits.StallTimeout = 0
		h := w.host(p, func(a *actor) int {
			if a.n <= 3 {
				return hitsLimit(a, resets)
			}
			a.work(5 * time.Second)
			return succeeds(a, time.Hour)
		})
		w.ends(h, 0)
		_, served := bodies[run.AttemptServed](w)
		if len(served) != 3 || served[0] != time.Hour+5*time.Second {
			t.Fatalf("served at %v\n%s", served, w.tale())
		}
		for i, what := range []string{"start 5", "start 6"} {
			want := []time.Duration{served[0] + time.Duration(i+1)*250*time.Millisecond}
			if diff := cmp.Diff(want, w.times(what)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
		}
		if n := len(w.times("permit claude")); n != 1 {
			t.Errorf("%d permits", n)
		}
	})
}

// Only parks that somebody sees tick, from when they are seen.
func TestOnlyParksThatAreShownTick(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(3, "claude")
		p.Parallel = 3
		w.ports.Shown = func() []run.LaneID {
			if w.now() < 10*time.Minute {
				return nil
			}
			return []run.LaneID{2, 7}
		}
		resets := w.start.Add(20*time.Minute + 2*time.Second)
		w.ends(w.host(p, func(a *actor) int {
			if w.now() < 20*time.Minute {
				return hitsLimit(a, resets)
			}
			return succeeds(a, time.Minute)
		}), 0)
		ticks := map[run.LaneID]int{}
		first := time.Duration(0)
		for _, s := range w.shown() {
			if s.name() != "park_tick" {
				continue
			}
			if ticks[s.obs.Lane]++; first == 0 {
				first = s.at
			}
		}
		if diff := cmp.Diff(map[run.LaneID]int{2: 21}, ticks); diff != "" || first > 10*time.Minute+2*time.Second {
			t.Errorf("the first at %s (-want +got):\n%s", first, diff)
		}
	})
}
