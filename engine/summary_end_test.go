package engine_test

import (
	"strings"
	"testing"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/run"
)

// takeover plays a run in which the second agent summarises for so long what the first
// has done.
func takeover(w *world, long time.Duration) func(a *actor) int {
	return func(a *actor) int {
		switch {
		case a.n == 1:
			return worksLong(w, a)
		case strings.HasPrefix(a.task(), asksForSummary):
			a.work(long)
			return replies(a, "a summary")
		}
		a.say(codexDone)
		return 0
	}
}

// Who summarises is adopted by a new owner, which ends it if its time is over.
func TestASummaryOutlivesItsOwner(t *testing.T) {
	for name, test := range map[string]struct {
		back       time.Duration
		summarised bool
	}{"in time": {2 * time.Minute, true}, "too late": {time.Hour, false}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				p := summarising()
				p.Limits.StallTimeout = 0
				long := 100 * time.Second
				if !test.summarised {
					long = 3 * time.Hour
				}
				w.dies(p, 90*time.Second, takeover(w, long))
				w.ends(w.resumes(test.back), 0)
				w.in("summary_asked", "agent_spawned", "run_resumed", "agent_adopted", "attempt_ended", "attempt_started", "handoff_written")
				told := w.actors[len(w.actors)-1].task()
				if n := w.count("summary_asked"); len(w.actors) != 3 || n != 1 || strings.Contains(told, "a summary\n") != test.summarised {
					t.Errorf("%d agents, %d summaries; told %.700q\n%s", len(w.actors), n, told, w.tale())
				}
			})
		})
	}
}

// A hard stop ends a summary, and a soft one lets it end; nothing is started after it.
func TestAStopEndsASummary(t *testing.T) {
	for name, test := range map[string]struct {
		verb run.Verb
		exit int
		at   time.Duration
	}{
		"hard": {run.VerbHardStop, 130, 90 * time.Second}, "soft": {run.VerbSoftStop, 3, 160 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				h := w.host(summarising(), takeover(w, 100*time.Second))
				w.later(90*time.Second, func() { _ = h.Command(run.Command{Verb: test.verb}) })
				w.ends(h, test.exit)
				if _, ends := bodies[run.RunEnded](w); len(w.actors) != 2 || ends[0] != test.at {
					t.Errorf("%d agents, ended after %s\n%s", len(w.actors), ends[0], w.tale())
				}
			})
		})
	}
}

// A question whether to summarise keeps no clock from jumping.
func TestJumpsAfterASummary(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.ports.Clock = &jumper{w: w}
		plays := takeover(w, time.Minute)
		w.script = func(a *actor) int {
			if a.n == 3 {
				a.say(codexBegun, `{"type":"turn.failed","error":{"message":"You've hit your usage limit. Upgrade to Pro or try again in 4 hours 0 minutes."}}`)
				return 1
			}
			return plays(a)
		}
		w.ends(engine.Start(t.Context(), engine.Launch{ID: "test", Program: summarising(), Seed: 1, Epoch: w.start}, w.ports), 0)
		if took := w.now(); took != 2*time.Minute || len(w.actors) != 4 {
			t.Errorf("it took %s, %d agents\n%s", took, len(w.actors), w.tale())
		}
	})
}
