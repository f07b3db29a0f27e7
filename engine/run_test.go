package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// program is a program of so many tasks that are worked on at once.
func program(tasks int, order ...string) run.Program {
	p := run.Defaults()
	p.Name, p.Parallel, p.Agents = "test", tasks, map[string]run.Agent{}
	for _, o := range order {
		name, model, _ := strings.Cut(o, ":")
		p.Order = append(p.Order, run.Target{Agent: name, Model: model})
		p.Agents[name] = run.Agent{Preset: name, Family: name}
	}
	for i := range tasks {
		p.Tasks = append(p.Tasks, run.Task{Name: fmt.Sprintf("task-%d", i+1), Prompt: fmt.Sprintf("do %d", i+1), Wait: run.WaitPark})
	}
	return p
}

func TestHappyRun(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "claude")
		p.Tasks[0].Prompt = "the key is hunter2"
		h := w.host(p, func(a *actor) int {
			if a.task() != "the key is hunter2" {
				t.Errorf("the agent is told %q", a.task())
			}
			return succeeds(a, 10*time.Minute)
		})
		res := w.ends(h, 0)
		want := []string{
			"run_started", "iteration_started", "lane_started", "turn_started", "lane_routed", "attempt_started", "agent_spawned",
			"session_learned", "attempt_served", "attempt_ended", "usage", "turn_ended", "lane_ended", "run_ended",
		}
		activity := func(name string) bool { return name == "activity" }
		if diff := cmp.Diff(want, slices.DeleteFunc(w.names(), activity)); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
		if seen, _ := seeings[run.Activity](w); len(seen) == 0 || seen[len(seen)-1].Message == "" || seen[len(seen)-1].Usage != res.State.Usage {
			t.Errorf("activity = %+v", seen)
		}
		a := res.State.Lane(1).Attempts[0]
		if a.PID != 1001 || a.PIDStart != "7" || a.Session != "session-1" || a.Class != run.ClassSuccess || a.EndedAt.Sub(a.StartedAt) != 10*time.Minute {
			t.Errorf("the attempt is %+v", a)
		}
		if u := res.State.Usage; u.Tokens() != 1225 || u.CostUSD != 0.25 {
			t.Errorf("usage = %+v", u)
		}
		kept, err := os.ReadFile(filepath.Join(w.store.dir, a.Worker, "prompt.md"))
		if string(kept) != "the key is ***" || err != nil {
			t.Errorf("the prompt is kept as %q, %v", kept, err)
		}
	})
}

// Everything that a run does to the world is done after the facts that led to it
// were saved. The fakes hold that for every run; this one does all of it.
func TestFactsAreSavedBeforeTheirEffects(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "claude")
		p.Deadline, p.Limits.StallTimeout = run.Duration(3*time.Hour), 0
		h := w.host(p, func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(time.Hour))
			}
			a.say(hello(a), text("msg_1"))
			a.work(24 * time.Hour)
			return 0
		})
		w.ends(h, 1)
		var order []string
		for _, c := range w.calls {
			order = append(order, c.what)
		}
		rest := order
		for _, what := range []string{
			"save attempt_started", "start 1", "save agent_spawned",
			"save window_opened", "save turn_parked", "merge claude", "permit claude", "save permit_granted", "save attempt_started", "start 2",
			"save probe_settled", "save window_cleared", "clear claude", "release claude",
			"save attempt_ending", "end 2", "save run_ended",
		} {
			i := slices.Index(rest, what)
			if i < 0 {
				t.Fatalf("no %q in its place in\n%s", what, strings.Join(order, "\n"))
			}
			rest = rest[i+1:]
		}
	})
}

// A window that others may try at the same instant is asked for once each, and in
// the order that was decided.
func TestPermitsAreAskedForOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(2, "claude", "codex")
		p.Patience = run.Off
		for i, o := range p.Order {
			p.Tasks[i].Order, p.Tasks[i].Pinned = []run.Target{o}, true
		}
		resets := w.start.Add(time.Hour)
		h := w.host(p, func(a *actor) int {
			switch {
			case a.agent() == "codex" && a.n <= 2:
				a.work(2 * time.Second)
				a.say(`{"type":"turn.failed","error":{"message":"{\"error\":{\"type\":\"usage_limit_reached\",\"message\":\"The usage limit has been reached\",\"resets_in_seconds\":3598}}"}}`)
				return 1
			case a.agent() == "codex":
				a.say(`{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"done"}}`, `{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}`)
				return 0
			case a.n <= 2:
				return hitsLimit(a, resets)
			}
			return succeeds(a, time.Minute)
		})
		w.ends(h, 0)
		want := []time.Duration{time.Hour}
		for _, what := range []string{"permit claude", "permit codex", "release claude", "release codex"} {
			if diff := cmp.Diff(want, w.times(what)); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", what, diff, w.tale())
			}
		}
	})
}

// A rejected event is only a suspicion: the run succeeds, and nothing trips.
func TestRejectedThenSuccessTripsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		h := w.host(program(1, "claude"), func(a *actor) int {
			a.say(hello(a), rejected(w.start.Add(5*time.Hour)))
			a.work(time.Minute)
			a.say(text("msg_1"), succeeded)
			return 0
		})
		res := w.ends(h, 0)
		w.in("family_suspected", "suspicion_ended", "attempt_ended")
		if n := w.count("window_opened") + w.count("family_tripped") + w.count("turn_parked"); n != 0 || len(res.State.Windows) != 0 {
			t.Errorf("%d facts of a limit\n%s", n, w.tale())
		}
	})
}

// The state that other programs read tells of an agent as soon as a second after
// it was started, however long it then works in silence.
func TestExportIsFreshWhileNothingHappens(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		exported := make(chan uint64, 1)
		w.later(3*time.Second, func() { exported <- w.store.exported() })
		h := w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, time.Minute) })
		res := w.ends(h, 0)
		_, at := bodies[run.AttemptServed](w)
		served := slices.IndexFunc(w.store.facts, func(f run.Fact) bool { return f.Body.Name() == "attempt_served" })
		if n := <-exported; len(at) != 1 || n != uint64(served+1) {
			t.Errorf("fact %d came at %v, exported are those up to %d", served+1, at, n)
		}
		if w.store.exported() != res.State.Seq {
			t.Errorf("the last export is of fact %d, not %d", w.store.exported(), res.State.Seq)
		}
		if n := len(w.store.exports); n > 5 {
			t.Errorf("%d exports of an unchanged run", n)
		}
	})
}
