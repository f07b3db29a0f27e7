package engine_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine"
	"example.com/layover/engine/run"
)

var errFull = errors.New("no space left on device")

// The disk is full for an hour. One agent ends with success and one with a limit
// whose window comes due meanwhile; a third task waits for its turn all along.
func TestNothingNewIsStartedWhileSavingFails(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(4, "claude")
		p.Parallel, p.Limits.StallTimeout = 3, 0
		const full, room = time.Minute, time.Hour
		w.later(full, func() { w.store.fill(errFull) })
		w.later(room, func() { w.store.fill(nil) })
		h := w.host(p, func(a *actor) int {
			switch a.n {
			case 1:
				return succeeds(a, 10*time.Minute)
			case 2:
				a.work(20 * time.Minute)
				a.say(rejected(w.start.Add(30*time.Minute)), refused)
				return 1
			case 3:
				return succeeds(a, 3*time.Hour)
			}
			return succeeds(a, time.Minute)
		})
		res := w.ends(h, 0)
		for _, s := range w.shown() {
			if s.at > full && s.at < room && s.name() != "trouble" && s.name() != "activity" {
				t.Errorf("%s is shown at %s, before it is saved", s.name(), s.at)
			}
		}
		troubles, at := seeings[run.Trouble](w)
		if diff := cmp.Diff([]run.Trouble{{Message: errFull.Error()}, {}}, troubles); diff != "" {
			t.Fatalf("troubles (-want +got):\n%s", diff)
		}
		if at[0] != 10*time.Minute || at[1] < room || at[1] > room+time.Second {
			t.Errorf("the trouble lasts from %s to %s", at[0], at[1])
		}
		for what, want := range map[string]int{"merge claude": 1, "permit claude": 1, "release claude": 1, "start 4": 1, "start 5": 1, "start 6": 0, "end 3": 0} {
			all := w.times(what)
			if len(all) != want || (want > 0 && all[0] != at[1] && what != "release claude") {
				t.Errorf("%s at %v, want %d at %s", what, all, want, at[1])
			}
		}
		if res.State.Counts.Done != 4 || res.State.Counts.Spawned != 5 {
			t.Errorf("counts = %+v", res.State.Counts)
		}
	})
}

// A run whose first facts cannot be saved starts nothing until they can.
func TestSavingFailsFromTheBeginning(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.store.fill(errFull)
		w.later(time.Minute, func() { w.store.fill(nil) })
		w.ends(w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, time.Minute) }), 0)
		if at := w.times("start 1"); len(at) != 1 || at[0] < time.Minute || at[0] > time.Minute+time.Second {
			t.Errorf("started at %v", at)
		}
		w.in("trouble", "run_started", "attempt_started", "trouble", "agent_spawned")
	})
}

// An export that fails is shown, once, and holds nothing up: the facts are saved.
func TestExportThatFailsHoldsNothingUp(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(2, "claude")
		p.Parallel = 1
		w.store.fullRun = errFull
		w.later(10*time.Minute, func() {
			w.store.mu.Lock()
			defer w.store.mu.Unlock()
			w.store.fullRun = nil
		})
		w.ends(w.host(p, func(a *actor) int { return succeeds(a, 6*time.Minute) }), 0)
		if at := w.times("start 2"); len(at) != 1 || at[0] != 6*time.Minute {
			t.Errorf("the second agent starts at %v", at)
		}
		troubles, at := seeings[run.Trouble](w)
		if diff := cmp.Diff([]run.Trouble{{Message: errFull.Error(), ExportOnly: true}, {}}, troubles); diff != "" || at[0] != 0 || at[1] < 10*time.Minute {
			t.Errorf("troubles at %v (-want +got):\n%s", at, diff)
		}
	})
}

// badly are the ways in which a store fails.
var badly = map[string]func(*store, error){"kept": (*store).fill, "refused": (*store).refuse}

// A store may fail for other causes than a full disk, and may even refuse facts without
// keeping them: nothing is taken for saved that is not.
func TestFactsThatTheStoreRefusesAreSavedLater(t *testing.T) {
	for name, fail := range badly {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				p := program(3, "claude")
				p.Parallel, p.Limits.StallTimeout = 1, 0
				w.later(time.Minute, func() { fail(w.store, errors.New("read-only file system")) })
				w.later(time.Hour, func() { fail(w.store, nil) })
				w.ends(w.host(p, func(a *actor) int { return succeeds(a, 10*time.Minute) }), 0)
				troubles, at := seeings[run.Trouble](w)
				if len(troubles) != 2 || at[0] != 10*time.Minute || at[1] < time.Hour {
					t.Errorf("troubles %+v at %v", troubles, at)
				}
			})
		})
	}
}

// A run that ends, or is left, before all its facts are saved says so, and how to go on:
// it never says that all works again, and is no success.
func TestAnEndThatIsNotSavedIsTold(t *testing.T) {
	for name, fail := range badly {
		for how, end := range map[string]func(*engine.Host){
			"hard stop": func(h *engine.Host) { _ = h.Command(run.Command{Verb: run.VerbHardStop}) },
			"left":      (*engine.Host).Leave,
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				inBubble(t, func(t *testing.T, w *world) {
					w.free = true
					p := program(3, "claude")
					p.Parallel, p.Limits.StallTimeout = 2, 0
					h := w.host(p, func(a *actor) int { return succeeds(a, time.Duration(a.n*a.n)*20*time.Minute) })
					w.later(10*time.Minute, func() { w.store.fillWorkers(errFull) }) // the third agent is held back
					w.later(30*time.Minute, func() { fail(w.store, errors.New("read-only file system")) })
					w.later(3*time.Hour, func() { go end(h) })
					res := h.Wait()
					unsaved, ok := errors.AsType[*engine.UnsavedError](res.Err)
					if !ok || unsaved.Facts < 2 || !strings.Contains(res.Err.Error(), "facts of the end could not be saved: read-only file system") ||
						!strings.Contains(unsaved.Hint(), "layover resume test") {
						t.Fatalf("exit %d with %v", res.Exit, res.Err)
					}
					troubles, _ := seeings[run.Trouble](w)
					if last := troubles[len(troubles)-1]; last.Message == "" {
						t.Errorf("all works again: %+v", troubles)
					}
				})
			})
		}
	}
}

// A run that has ended, but for what could not be saved of it, is left by a hard stop.
func TestAHardStopLeavesAnEndThatCannotBeSaved(t *testing.T) {
	for name, fail := range badly {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.free = true
				h := w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, 10*time.Minute) })
				w.later(time.Minute, func() { fail(w.store, errors.New("was removed while the run goes on")) })
				w.later(time.Hour, func() { go func() { _ = h.Command(run.Command{Verb: run.VerbHardStop}) }() })
				w.later(2*time.Hour, func() { h.Leave() })
				if res := h.Wait(); res.Left || res.Err == nil || w.now() > time.Hour+time.Minute {
					t.Errorf("left %v with %v after %s", res.Left, res.Err, w.now())
				}
			})
		})
	}
}
