package engine_test

import (
	"sync"
	"testing"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/run"
)

// stepper is a clock that can be set, and that tells so once.
type stepper struct {
	mu    sync.Mutex
	off   time.Duration
	fresh time.Duration
}

var (
	_ engine.Clock   = (*stepper)(nil)
	_ engine.Stepper = (*stepper)(nil)
)

func (s *stepper) step(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off += by
	s.fresh += by
}

func (s *stepper) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Round(0).Add(s.off)
}

func (s *stepper) After(at time.Time) (<-chan time.Time, func()) {
	t := time.NewTimer(max(at.Sub(s.Now()), 0))
	return t.C, func() { t.Stop() }
}

func (s *stepper) Jump(time.Time) bool { return false }

func (s *stepper) Stepped() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := s.fresh
	s.fresh = 0
	return by
}

// A step of the clock moves what nobody stated by the clock, and so not in time;
// what was stated keeps its instant by the clock.
func TestClockStepMovesBackoffsOnly(t *testing.T) {
	for name, by := range map[string]time.Duration{"ahead": time.Hour, "back": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				clock := &stepper{}
				w.ports.Clock = clock
				p := program(2, "claude")
				p.Breaker.On, p.Retry.MaxRetries = false, 0
				resets := 5 * time.Hour
				p.Patience = run.Off
				h := w.host(p, func(a *actor) int {
					switch {
					case a.n > 2:
						return succeeds(a, time.Second)
					case a.task() == "do 1":
						a.say(hello(a), throttled)
						return 1
					}
					return hitsLimit(a, w.start.Add(resets))
				})
				const steps = 10*time.Second + time.Millisecond
				w.later(steps, func() { clock.step(by) })
				// Something that happens right after it does not put off its being noticed.
				w.later(steps+100*time.Millisecond, func() { go h.Command(run.Command{Verb: run.VerbUnpause}) })
				w.ends(h, 0)
				stepped, at := bodies[run.ClockStepped](w)
				if len(stepped) != 1 || stepped[0].ByMs.D() != by || at[0] > steps+time.Second {
					t.Fatalf("stepped at %v: %+v", at, stepped)
				}
				parks, _ := bodies[run.TurnParked](w)
				woken, wokenAt := bodies[run.TurnWoken](w)
				if len(parks) != 2 || len(woken) != 2 {
					t.Fatalf("%d parks, %d woken\n%s", len(parks), len(woken), w.tale())
				}
				backoff, stated := parks[0], parks[1]
				if backoff.How != run.HowAssumed || stated.How != run.HowStated {
					t.Fatalf("parked %+v and %+v", backoff, stated)
				}
				if want := backoff.WakeAt.Sub(w.start); wokenAt[0] != want || woken[0].WaitedMs != backoff.PlannedMs {
					t.Errorf("the backoff ends after %s and %d ms of waiting, want %s", wokenAt[0], woken[0].WaitedMs, want)
				}
				if want := stated.WakeAt.Sub(w.start) - by; wokenAt[1] != want {
					t.Errorf("the stated wait ends after %s, want %s", wokenAt[1], want)
				}
			})
		})
	}
}

// A machine that slept makes no agent silent, and a clock that is set back leaves
// neither the silent unnoticed nor parks without ticks.
func TestClockStepIsNoSilence(t *testing.T) {
	for name, by := range map[string]time.Duration{"ahead": 8 * time.Hour, "back": -8 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				clock := &stepper{}
				w.ports.Clock = clock
				h := w.host(program(2, "claude"), func(a *actor) int {
					switch {
					case a.n == 1:
						a.say(text("msg_1"))
						a.work(24 * time.Hour)
					case a.n == 2:
						return hitsLimit(a, w.start.Add(11*time.Hour))
					}
					return succeeds(a, time.Second)
				})
				w.later(5*time.Minute, func() { clock.step(by) })
				w.later(time.Hour, func() { go h.Command(run.Command{Verb: run.VerbHardStop}) })
				w.ends(h, 130)
				at := w.times("end 1")
				if len(at) == 0 || at[0] < 10*time.Minute || at[0] > 15*time.Minute+2*time.Second {
					t.Errorf("the silent agent is ended at %v", at)
				}
				last := time.Duration(0)
				for _, s := range w.shown() {
					if s.name() == "park_tick" && s.obs.Lane == 2 {
						last = s.at
					}
				}
				if last < time.Hour-time.Minute {
					t.Errorf("the last tick of the park is at %s", last)
				}
			})
		})
	}
}

// jumper is a clock that jumps on, but never while an agent works.
type jumper struct {
	stepper
	w *world
}

func (j *jumper) Jump(at time.Time) bool {
	for _, a := range j.w.actors { // the owner itself starts them, and jumps
		select {
		case <-a.done:
		default:
			j.w.t.Errorf("a jump while agent %d works", a.n)
		}
	}
	if by := at.Sub(j.Now()); by > 0 {
		j.step(by)
		j.Stepped() // a jump is no step
	}
	return true
}

// A clock that jumps takes no time to wait, and shows the waiting all the same.
func TestJumpsOverWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.ports.Clock = &jumper{w: w}
		w.script = func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(5*time.Hour+2*time.Second))
			}
			return succeeds(a, 9*time.Minute)
		}
		p := program(1, "claude")
		w.ends(engine.Start(t.Context(), engine.Launch{ID: "test", Program: p, Seed: 1, Epoch: w.start}, w.ports), 0)
		if took := w.now(); took != 9*time.Minute+2*time.Second {
			t.Errorf("it took %s", took)
		}
		if n := w.count("park_tick"); n != 600 {
			t.Errorf("%d ticks in 600 chunks", n)
		}
	})
}
