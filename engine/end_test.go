package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

func TestRunaways(t *testing.T) {
	for name, tc := range map[string]struct {
		bytes int64 // that may be printed
		runs  func(a *actor)
		end   time.Duration
		rule  string
	}{
		"silent": {10_000, func(a *actor) {
			a.work(time.Minute)
			a.say(text("msg_2"))
			a.work(24 * time.Hour)
		}, 11*time.Minute + time.Second, "end.stall"},
		"prints without end": {1000 + int64(len(text("msg_1"))) + 100, func(a *actor) {
			for i := 0; ; i++ {
				a.say(strings.Repeat("x", 100))
				a.work(time.Minute)
			}
		}, 10 * time.Minute, "end.output"},
		"steps without tokens": {100_000, func(a *actor) {
			for i := 0; ; i++ {
				a.say(idleStep(i))
				a.work(10 * time.Second)
			}
		}, 49 * 10 * time.Second, "end.runaway"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				p := program(1, "claude")
				p.Limits.MaxOutputBytes = tc.bytes
				h := w.host(p, func(a *actor) int {
					if a.n == 1 {
						a.say(text("msg_1"))
						tc.runs(a)
					}
					return succeeds(a, time.Minute)
				})
				w.ends(h, 0)
				ends, at := bodies[run.AttemptEnded](w)
				v := ends[0].Verdict
				if v.Class != run.ClassStalled || v.Evidence[0].Rule != tc.rule {
					t.Errorf("verdict = %+v", v)
				}
				if stops := w.times("end 1"); len(stops) != 1 || stops[0] != at[0] || stops[0] < tc.end || stops[0] > tc.end+time.Second {
					t.Errorf("ended at %v, want %s", stops, tc.end)
				}
				if n := w.count("attempt_ending"); n != 1 {
					t.Errorf("%d times asked to end", n)
				}
			})
		})
	}
}

// Steps with tokens in between make no runaway, however many have none.
func TestFewIdleStepsInARowAreNoRunaway(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		h := w.host(program(1, "claude"), func(a *actor) int {
			a.say(hello(a))
			for i := range 200 {
				a.say(idleStep(i))
				if i%49 == 48 {
					a.say(text(fmt.Sprint("msg_", i)))
				}
				a.work(10 * time.Second)
			}
			a.say(succeeded)
			return 0
		})
		w.ends(h, 0)
	})
}

// Commands that come more often than once a second do not keep the host from
// looking at the others.
func TestSilentAgentIsFoundWhileCommandsCome(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "claude")
		p.Retry.MaxRetries = 0
		h := w.host(p, func(a *actor) int {
			if a.n == 1 {
				a.work(24 * time.Hour)
			}
			return succeeds(a, time.Second)
		})
		chatter := make(chan struct{})
		go func() {
			defer close(chatter)
			for i := 0; i < 2*15*60; i++ {
				select {
				case <-time.After(500 * time.Millisecond):
				case <-h.Done():
				}
				h.Command(run.Command{Verb: run.VerbUnpause})
			}
		}()
		w.later(30*time.Minute, func() { go h.Command(run.Command{Verb: run.VerbHardStop}) })
		h.Wait()
		<-chatter
		if at := w.times("end 1"); len(at) == 0 || at[0] > 10*time.Minute+time.Second {
			t.Errorf("the silent agent is ended at %v", at)
		}
	})
}

func TestDeadlineEndsAnAttempt(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "claude")
		p.Deadline, p.Limits.StallTimeout = run.Duration(time.Hour), 0
		res := w.ends(w.host(p, func(a *actor) int { return succeeds(a, 24*time.Hour) }), 1)
		if at := w.times("end 1"); len(at) != 1 || at[0] != time.Hour {
			t.Errorf("ended at %v", at)
		}
		a := res.State.Lane(1).Attempts[0]
		if a.Class != run.ClassDeadline || a.Ending != run.EndingDeadline || a.Exit.Signal != "terminated" {
			t.Errorf("the attempt is %+v", a)
		}
		if v := res.State.Lane(1).Last; v.Evidence[0].Rule != "end.deadline" {
			t.Errorf("verdict = %+v", v)
		}
	})
}

func TestHardStopEndsAllAgents(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(5, "claude", "codex")
		p.Parallel, p.Limits.StallTimeout = 3, 0
		h := w.host(p, func(a *actor) int { return succeeds(a, 24*time.Hour) })
		w.later(time.Minute, func() { go h.Command(run.Command{Verb: run.VerbHardStop}) })
		res := w.ends(h, 130)
		for n := range 3 {
			if at := w.times(fmt.Sprintf("end %d", n+1)); len(at) != 1 || at[0] != time.Minute {
				t.Errorf("agent %d is ended at %v", n+1, at)
			}
		}
		if c := res.State.Counts; c.Spawned != 3 || c.Stopped != 3 {
			t.Errorf("counts = %+v", c)
		}
		for _, l := range res.State.Lanes {
			if l.State != run.LaneStopped || l.Last.Class != run.ClassCancelled {
				t.Errorf("lane %d is %s after %s", l.ID, l.State, l.Last.Class)
			}
		}
	})
}

func TestMissingCommandFailsTheLane(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "claude:opus")
		a := p.Agents["claude"]
		a.Command = []string{"/opt/hunter2/claude", "--quiet"}
		p.Agents["claude"] = a
		w.missing = fmt.Errorf("start: %w", proc.ErrNotFound)
		res := w.ends(w.host(p, func(*actor) int { return 0 }), 1)
		const want = `start claude:opus: there is no command "/opt/***/claude"; install it or set agents.claude.command`
		l := res.State.Lane(1)
		if l.State != run.LaneFailed || l.Last.Message != want || l.Last.Class != run.ClassFailed || !l.Attempts[0].Exit.Lost {
			t.Errorf("the lane is %s after %+v", l.State, l.Last)
		}
		if n := w.count("agent_spawned") + w.count("retry_scheduled"); n != 0 {
			t.Errorf("something was spawned, or tried again\n%s", w.tale())
		}
	})
}

// Any other reason for which an agent cannot be started is told as it is.
func TestAgentThatCannotBeStarted(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.missing = errFull
		res := w.ends(w.host(program(3, "claude"), func(*actor) int { return 0 }), 1)
		if res.State.Counts.Failed != 3 || res.State.Lane(3).Last.Message != "start claude: no space left on device" {
			t.Errorf("%+v", res.State.Lane(3).Last)
		}
	})
}
