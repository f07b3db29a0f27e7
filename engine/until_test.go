package engine_test

import (
	"context"
	"testing"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// questions lets the until command be played by scripts, one after the other; the
// last is played again and again. It gives where those that were started are listed.
func (w *world) questions(scripts ...func(a *actor) int) *[]*actor {
	asked := &[]*actor{}
	start := w.ports.Start
	w.ports.Start = func(s proc.GuardSpec) (engine.Process, error) {
		if s.Argv[0] != untilCommand {
			return start(s)
		}
		a := &actor{w: w, spec: s, ended: make(chan struct{}), done: make(chan struct{})}
		script := scripts[min(len(*asked), len(scripts)-1)]
		*asked = append(*asked, a)
		w.mu.Lock()
		w.actors = append(w.actors, a)
		w.mu.Unlock()
		go func() {
			defer close(a.done)
			a.exit = proc.Exit{Code: -1, Signal: "terminated"}
			a.exit = proc.Exit{Code: script(a)}
		}()
		return a, nil
	}
	return asked
}

// asking is a program with an until command.
func asking() run.Program {
	p := patient("claude")
	p.Iterations, p.Until = 3, []string{untilCommand}
	return p
}

// answers is an until command that takes its time.
func answers(d time.Duration, code int) func(a *actor) int {
	return func(a *actor) int {
		a.work(d)
		return code
	}
}

// An answer that the last owner was waiting for is taken up, not asked for again,
// whether it has come by then or not.
func TestUntilIsAnsweredOnce(t *testing.T) {
	for name, back := range map[string]time.Duration{"came": 2 * time.Hour, "is to come": 45 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				asked := w.questions(answers(time.Hour, 0))
				w.dies(asking(), 30*time.Minute, func(a *actor) int { return succeeds(a, time.Minute) })
				res := w.ends(w.resumes(back), 0)
				if len(*asked) != 1 || !res.State.UntilDone || res.State.Iteration != 1 {
					t.Errorf("asked %d times, done %v in iteration %d", len(*asked), res.State.UntilDone, res.State.Iteration)
				}
			})
		})
	}
}

// An answer that was lost, or kept from being given, is asked for again.
func TestUntilIsAskedAgain(t *testing.T) {
	for name, tc := range map[string]struct {
		exit  proc.Exit
		cause string
	}{
		"lost":     {proc.Exit{Code: -1, Lost: true}, ""},
		"kept":     {proc.Exit{Code: -1, Signal: "terminated"}, proc.CauseOwnerDied},
		"deadline": {proc.Exit{}, proc.CauseDeadline},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				asked := w.questions(answers(24*time.Hour, 0), answers(time.Minute, 0))
				w.dies(asking(), 30*time.Minute, func(a *actor) int { return succeeds(a, time.Minute) })
				first := (*asked)[0]
				first.kill()
				<-first.done
				first.exit, first.cause = tc.exit, tc.cause
				res := w.ends(w.resumes(time.Hour), 0)
				if len(*asked) != 2 || !res.State.UntilDone || (*asked)[1].spec.Lock != first.spec.Lock {
					t.Errorf("asked %d times, done %v", len(*asked), res.State.UntilDone)
				}
			})
		})
	}
}

// Each iteration asks anew; an answer of an earlier one is not taken for its own.
func TestUntilIsAskedAfterEachIteration(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		asked := w.questions(answers(time.Hour, 1), answers(time.Minute, 0))
		w.dies(asking(), 30*time.Minute, func(a *actor) int { return succeeds(a, time.Minute) })
		res := w.ends(w.resumes(45*time.Minute), 0)
		if len(*asked) != 2 || res.State.Iteration != 2 || (*asked)[0].spec.Lock == (*asked)[1].spec.Lock {
			t.Errorf("asked %d times in %d iterations", len(*asked), res.State.Iteration)
		}
		if n := w.count("notice"); n != 0 {
			t.Errorf("%d notices\n%s", n, w.tale())
		}
	})
}

// A question that was put is not put again, wherever the facts were cut off.
func TestUntilIsAskedOnceWhereverFactsAreCutOff(t *testing.T) {
	for nth, n := 0, 1; nth < n; nth++ {
		inBubble(t, func(t *testing.T, w *world) {
			asked := w.questions(answers(time.Hour, 1), answers(time.Minute, 0))
			w.dies(asking(), 30*time.Minute, func(a *actor) int { return succeeds(a, time.Minute) })
			at := w.decisions()
			n = len(at)
			w.cut(at[nth])
			res := w.ends(w.resumes(45*time.Minute), 0)
			if len(*asked) != 2 || res.State.Iteration != 2 || res.State.Attempts != 2 || len(w.times("start 1")) != 1 {
				t.Errorf("cut after %d facts: asked %d times in %d iterations\n%s", at[nth], len(*asked), res.State.Iteration, w.tale())
			}
		})
	}
}

// Who leaves a run leaves its until command, as it leaves agents; one of a run that
// has ended is ended.
func TestUntilIsEndedWithItsRunOnly(t *testing.T) {
	for name, tc := range map[string]struct {
		end   func(h *engine.Host, cancel func())
		left  bool
		ended int
	}{
		"left":      {func(h *engine.Host, _ func()) { h.Leave() }, true, 0},
		"cancelled": {func(_ *engine.Host, cancel func()) { cancel() }, true, 0},
		"stopped":   {func(h *engine.Host, _ func()) { h.Command(run.Command{Verb: run.VerbHardStop}) }, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.questions(answers(24*time.Hour, 0))
				w.script = func(a *actor) int { return succeeds(a, time.Minute) }
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				h := engine.Start(ctx, engine.Launch{ID: "test", Program: asking(), Seed: 1, Epoch: w.start, Speed: 1}, w.ports)
				w.later(30*time.Minute, func() { tc.end(h, cancel) })
				res := h.Wait()
				if n := len(w.times("end 0")); res.Left != tc.left || n != tc.ended || res.State.UntilChecked != 0 {
					t.Errorf("left %v, ended %d times, %d answers", res.Left, n, res.State.UntilChecked)
				}
			})
		})
	}
}

// A clock that jumps stands still while an until command works.
func TestNoJumpWhileUntilIsAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.ports.Clock = &jumper{w: w}
		w.questions(answers(time.Hour, 0))
		w.script = func(a *actor) int { return succeeds(a, time.Minute) }
		w.ends(engine.Start(t.Context(), engine.Launch{ID: "test", Program: asking(), Seed: 1, Epoch: w.start}, w.ports), 0)
		if took := w.now(); took != time.Hour+time.Minute {
			t.Errorf("it took %s", took)
		}
	})
}
