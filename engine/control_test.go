package engine_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// What another process asks for is obeyed within a second; what means nothing is
// told.
func TestWishesOfOtherProcessesAreObeyed(t *testing.T) {
	for name, tt := range map[string]struct {
		wish    journal.Control
		err     error
		exit    int
		noticed string
	}{
		"soft stop":   {journal.Control{Verb: run.VerbSoftStop}, nil, 3, ""},
		"hard stop":   {journal.Control{Verb: run.VerbHardStop, From: "stop"}, nil, 130, ""},
		"of a lane":   {journal.Control{Verb: run.VerbHardStop, Target: "1"}, nil, 3, ""},
		"gone lane":   {journal.Control{Verb: run.VerbWake, Target: "7"}, nil, 0, "there is no lane 7"},
		"no lane":     {journal.Control{Verb: run.VerbWake, Target: "x"}, nil, 0, `wake: "x" is not the number of a lane`},
		"no family":   {journal.Control{Verb: run.VerbClear}, nil, 0, "clear needs a family"},
		"of no lane":  {journal.Control{Verb: run.VerbPause, Target: "1"}, nil, 0, `pause is for the whole run, but names "1"`},
		"cannot read": {journal.Control{}, errors.New("control is torn"), 0, "control is torn"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				var left []journal.Control
				told := false
				w.ports.Controls = func() ([]journal.Control, error) {
					if w.now() < time.Minute || told {
						return nil, nil
					}
					told = true
					if tt.err != nil {
						return nil, tt.err
					}
					left = []journal.Control{tt.wish}
					return left, nil
				}
				p := program(1, "claude")
				p.Iterations = 2
				res := w.ends(w.host(p, func(a *actor) int { return succeeds(a, 10*time.Minute) }), tt.exit)
				if res.State.Notice != tt.noticed && tt.noticed != "" {
					t.Errorf("noticed %q, want %q", res.State.Notice, tt.noticed)
				}
			})
		})
	}
}

// Each file that is no wish is named, up to a number.
func TestEveryBadWishIsNamed(t *testing.T) {
	for name, tt := range map[string]struct{ files, notices int }{"a few": {3, 3}, "thousands": {5000, 21}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				var all []error
				for n := range tt.files {
					all = append(all, fmt.Errorf("control %d is torn", n))
				}
				told := false
				w.ports.Controls = func() ([]journal.Control, error) {
					if told {
						return nil, nil
					}
					told = true
					return nil, errors.Join(all...)
				}
				w.ends(w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, time.Minute) }), 0)
				if n := w.count("notice"); n != tt.notices {
					t.Errorf("%d notices, want %d", n, tt.notices)
				}
			})
		})
	}
}

// A wish is let go of when the facts about it are saved, not before: whoever comes next
// must find it.
func TestAWishIsKeptUntilItIsSaved(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		left := []journal.Control{{Verb: run.VerbPause}, {Verb: run.VerbUnpause}}
		var taken bool
		var obeyed time.Duration
		w.ports.Controls = func() ([]journal.Control, error) {
			if w.now() < time.Minute || taken {
				return nil, nil
			}
			taken = true
			return left, nil
		}
		w.ports.Obeyed = func() error {
			if taken && obeyed == 0 {
				obeyed = w.now()
				if w.count("program_unpaused") != 1 || w.store.behind() {
					t.Error("let go before it is saved")
				}
			}
			return nil
		}
		const room = 5 * time.Minute
		w.later(30*time.Second, func() { w.store.fill(errFull) })
		w.later(room, func() { w.store.fill(nil) })
		w.ends(w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, 8*time.Minute) }), 0)
		if obeyed < room || obeyed > room+2*time.Second {
			t.Errorf("let go at %s", obeyed)
		}
	})
}

// A wish that cannot be let go of is told once, and obeyed once.
func TestAWishThatCannotBeLetGoOfIsTold(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		taken := false
		w.ports.Controls = func() ([]journal.Control, error) {
			if taken {
				return nil, nil
			}
			taken = true
			return []journal.Control{{Verb: run.VerbPause}, {Verb: run.VerbUnpause}}, nil
		}
		w.ports.Obeyed = func() error { return errors.New("cannot remove") }
		w.ends(w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, time.Minute) }), 0)
		if n, m := w.count("notice"), w.count("control_received"); n != 1 || m != 2 {
			t.Errorf("told %d times, obeyed %d", n, m)
		}
	})
}
