package engine_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

var errKilled = errors.New("killed")

// dies hosts a run whose owner is gone at an instant, without a last word.
func (w *world) dies(p run.Program, at time.Duration, script func(a *actor) int) {
	w.t.Helper()
	w.script = script
	ctx, kill := context.WithCancelCause(w.t.Context())
	h := engine.Start(ctx, engine.Launch{ID: "test", Program: p, Seed: 1, Epoch: w.start, Speed: 1}, w.ports)
	w.later(at, func() { kill(errKilled) })
	if res := h.Wait(); !errors.Is(res.Err, errKilled) {
		w.t.Fatalf("it ended with %v", res.Err)
	}
}

// patient is a program whose agents may be silent for hours.
func patient(agents ...string) run.Program {
	p := program(1, agents...)
	p.Limits.StallTimeout = 0
	return p
}

// resumes takes the run up after a time.
func (w *world) resumes(at time.Duration) *engine.Host {
	w.t.Helper()
	time.Sleep(at - w.now())
	w.permits = nil // those of the last owner went with it
	return engine.Start(w.t.Context(), engine.Launch{State: w.replayed()}, w.ports)
}

// adopt finds an actor that an earlier owner started.
func (w *world) adopt(s proc.AdoptSpec) (engine.Process, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.actors {
		if a.spec.Lock != s.Lock {
			continue
		}
		if diff := cmp.Diff(proc.AdoptSpec{Lock: s.Lock, Exit: a.spec.Exit, Stdout: a.spec.Stdout, Grace: a.spec.Grace}, s); diff != "" && a.spec.Stdout != "" {
			w.t.Errorf("agent %d is looked for elsewhere (-want +got):\n%s", a.n, diff)
		}
		return a, a.works(), nil
	}
	return nil, false, proc.ErrNoTrace
}

func TestALiveAgentIsAdopted(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int { return succeeds(a, 2*time.Hour) })
		res := w.ends(w.resumes(time.Hour), 0)
		w.in("agent_spawned", "run_resumed", "agent_adopted", "attempt_ended", "run_ended")
		a := res.State.Lanes[0].Attempts[0]
		if len(w.actors) != 1 || a.EndedAt.Sub(w.start) != 2*time.Hour || res.State.Usage.Output == 0 {
			t.Errorf("%d agents, ended after %s, %+v", len(w.actors), a.EndedAt.Sub(w.start), res.State.Usage)
		}
		if n := w.count("attempt_served"); n != 1 {
			t.Errorf("what was heard before is told %d times", n)
		}
	})
}

// The end of an agent that nobody saw is judged from its files, by its own time.
func TestAnAgentThatEndedMeanwhileIsJudged(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Second, func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(5*time.Hour))
			}
			return succeeds(a, time.Minute)
		})
		res := w.ends(w.resumes(time.Hour), 0)
		w.in("agent_spawned", "run_resumed", "attempt_ended", "window_opened", "turn_parked", "turn_woken", "run_ended")
		ended, _ := bodies[run.AttemptEnded](w)
		if got := ended[0].At.Sub(w.start); got != 2*time.Second || ended[0].DurationMs != 2000 || w.count("agent_adopted") != 0 {
			t.Errorf("ended at %s after %d ms\n%s", got, ended[0].DurationMs, w.tale())
		}
		if a := res.State.Lanes[0].Attempts[1]; a.StartedAt.Sub(w.start) < 5*time.Hour || a.Resume != "session-1" {
			t.Errorf("tried again at %s with %q", a.StartedAt.Sub(w.start), a.Resume)
		}
	})
}

func TestAParkKeepsItsInstantThroughADeath(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		reset := w.start.Add(5 * time.Hour)
		w.dies(patient("claude"), time.Minute, func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, reset)
			}
			return succeeds(a, time.Minute)
		})
		before := w.replayed()
		h := w.resumes(3 * time.Hour)
		w.ends(h, 0)
		if n := len(w.times("merge claude")); n != 2 {
			t.Errorf("the window is shared %d times, not once by each owner", n)
		}
		_, woken := bodies[run.TurnWoken](w)
		if at := before.WakeAt(before.Lane(1)); len(woken) != 1 || !w.start.Add(woken[0]).Equal(at) {
			t.Errorf("woken at %v, planned for %s", woken, at.Sub(w.start))
		}
	})
}

// A lock without an exit file means that the guard is lost: its agent is tried again.
func TestALostGuardIsAnIncompleteAttempt(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int {
			if a.n == 1 {
				a.say(hello(a), text("msg_1"))
				a.work(time.Hour)
			}
			return succeeds(a, time.Minute)
		})
		w.actors[0].kill()
		<-w.actors[0].done
		w.actors[0].exit = proc.Exit{Code: -1, Lost: true}
		w.ends(w.resumes(time.Hour), 0)
		ended, _ := bodies[run.AttemptEnded](w)
		v := ended[0].Verdict
		if v.Class != run.ClassIncomplete || len(v.Evidence) == 0 || v.Evidence[0].Rule != "guard_lost" || len(w.actors) != 2 {
			t.Errorf("verdict %+v, %d agents", v, len(w.actors))
		}
	})
}

// What was decided and never done is done once, whether or not it was begun.
func TestAnUnheardSpawnIsDoneOnce(t *testing.T) {
	for name, tc := range map[string]struct{ begun, adopted int }{"never begun": {0, 0}, "begun": {1, 1}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				start := w.ports.Start
				w.ports.Start = func(s proc.GuardSpec) (engine.Process, error) {
					if tc.begun > 0 {
						_, _ = start(s)
					}
					panic("killed") // before anybody hears of it
				}
				w.script = func(a *actor) int { return succeeds(a, 2*time.Hour) }
				h := engine.Start(t.Context(), engine.Launch{ID: "test", Program: patient("claude"), Seed: 1, Epoch: w.start, Speed: 1}, w.ports)
				if res := h.Wait(); res.Err == nil || w.count("agent_spawned") != 0 {
					t.Fatalf("error %v\n%s", res.Err, w.tale())
				}
				w.ports.Start = start
				w.ends(w.resumes(time.Hour), 0)
				got := []int{len(w.actors), w.count("attempt_started"), w.count("agent_spawned"), w.count("agent_adopted")}
				if diff := cmp.Diff([]int{1, 1, 1, tc.adopted}, got); diff != "" {
					t.Errorf("%s\n%s", diff, w.tale())
				}
			})
		})
	}
}

// An agent whose directory cannot be asked is not started a second time.
func TestAnAgentThatCannotBeAskedIsNotStartedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		start := w.ports.Start
		w.ports.Start = func(proc.GuardSpec) (engine.Process, error) { panic("killed") }
		h := engine.Start(t.Context(), engine.Launch{ID: "test", Program: patient("claude"), Seed: 1, Epoch: w.start, Speed: 1}, w.ports)
		h.Wait()
		w.ports.Start = start
		w.script = func(a *actor) int { return succeeds(a, time.Minute) }
		var whole atomic.Bool
		w.ports.Adopt = func(proc.AdoptSpec) (engine.Process, bool, error) {
			if !whole.Load() {
				return nil, false, errFull
			}
			return nil, false, proc.ErrNoTrace
		}
		w.later(time.Hour+time.Minute, func() { whole.Store(true) })
		w.ends(w.resumes(time.Hour), 0)
		if at := w.times("start 1"); len(at) != 1 || at[0] < time.Hour+time.Minute {
			t.Errorf("started at %v", at)
		}
	})
}

// What an earlier owner has heard is not heard again, whether or not the agent has
// ended meanwhile: a suspicion that was over stays over, one that was not goes on.
func TestAnAdoptedStreamIsNotHeardTwice(t *testing.T) {
	for name, tc := range map[string]struct {
		after   []string // the suspicion
		takes   time.Duration
		measure bool // the file can tell how long it is
		pieces  bool // it is read byte by byte
		served  int
	}{
		"over":            {[]string{text("msg_2")}, 2 * time.Hour, false, false, 2},
		"over, measured":  {[]string{text("msg_2")}, 2 * time.Hour, true, false, 2},
		"over, in pieces": {[]string{text("msg_2")}, 2 * time.Hour, false, true, 2},
		"over, ended":     {[]string{text("msg_2")}, 30 * time.Minute, false, false, 2},
		"under way":       {nil, 2 * time.Hour, false, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				if tc.measure {
					w.ports.Open = func(path string) (io.ReadCloser, error) {
						return seeker{strings.NewReader(w.file(path).text())}, nil
					}
				}
				if tc.pieces {
					w.ports.Follower = pieces{w.ports.Follower}
				}
				p := patient("claude", "codex")
				p.Patience = run.Off
				w.dies(p, time.Minute, func(a *actor) int {
					a.say(hello(a), text("msg_1"), rejected(w.start.Add(5*time.Hour)))
					a.say(tc.after...)
					return succeeds(a, tc.takes)
				})
				w.ends(w.resumes(time.Hour), 0)
				if n, served := w.count("family_suspected"), w.count("attempt_served"); n != 1 || served != tc.served {
					t.Errorf("suspected %d times, served %d\n%s", n, served, w.tale())
				}
			})
		})
	}
}

// pieces follows byte by byte.
type pieces struct{ engine.Follower }

// sink is what takes a file that is followed.
type sink interface {
	Bytes(p []byte)
	Restart()
}

type pieceSink struct{ sink }

func (s pieceSink) Bytes(p []byte) {
	for _, b := range p {
		s.sink.Bytes([]byte{b})
	}
}

func (f pieces) Follow(ctx context.Context, path string, to interface {
	Bytes(p []byte)
	Restart()
},
) error {
	return f.Follower.Follow(ctx, path, pieceSink{to})
}

// seeker is a file that tells how long it is.
type seeker struct{ *strings.Reader }

func (seeker) Close() error { return nil }

// The permit of a probe is taken again, before anything else is asked for.
func TestAProbeKeepsItsPermit(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := patient("claude")
		w.dies(p, time.Hour+20*time.Second, func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(time.Hour))
			}
			a.work(70 * time.Minute) // silent: it is not served yet
			return succeeds(a, time.Minute)
		})
		asked := len(w.times("permit claude"))
		w.ends(w.resumes(time.Hour+30*time.Second), 0)
		if n := len(w.times("permit claude")) - asked; n != 1 {
			t.Errorf("asked %d times for the permit", n)
		}
	})
}
