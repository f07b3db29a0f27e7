package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// cut takes the facts after the first n away, as if they had never been saved.
func (w *world) cut(n int) {
	w.store.lines, w.store.facts = w.store.lines[:n], w.store.facts[:n]
	w.store.last, w.told = uint64(n), uint64(n)
	var story []seen
	for _, s := range w.story {
		if s.fact.Body == nil || s.fact.Seq <= w.told {
			story = append(story, s)
		}
	}
	w.story, w.forgot, w.free = story, true, true
	w.kept = w.texts()
}

// texts are the files beside the output of all agents, by their paths.
func (w *world) texts() map[string]string {
	all := map[string]string{}
	paths, _ := filepath.Glob(filepath.Join(w.store.dir, "*", "*"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			w.t.Error(err)
		}
		all[path] = string(text)
	}
	return all
}

// decisions lists how many facts there are after each decision.
func (w *world) decisions() []int {
	var at []int
	for i, f := range w.store.facts {
		if !f.More {
			at = append(at, i+1)
		}
	}
	return at
}

// atMost checks that never more agents are at work than the program allows.
func (w *world) atMost(p run.Program) {
	start := w.ports.Start
	w.ports.Start = func(s proc.GuardSpec) (engine.Process, error) {
		working := 1
		for _, a := range w.actors {
			if a.works() {
				working++
			}
		}
		if working > p.Parallel {
			w.t.Errorf("%d agents are at work at %s", working, w.now())
		}
		return start(s)
	}
}

// accounts checks that each agent is one of the run's attempts, or was told to be none.
func (w *world) accounts() (attempts int) {
	w.t.Helper()
	of := map[string]int{}
	for _, f := range w.store.facts {
		if b, ok := f.Body.(run.AgentSpawned); ok {
			of[b.Worker]++
		}
	}
	now := w.texts()
	for path, text := range w.kept {
		if now[path] != text {
			w.t.Errorf("%s was %q and is %q", path, text, now[path])
		}
	}
	notices, _ := bodies[run.Notice](w)
	for _, a := range w.actors {
		name := filepath.Base(filepath.Dir(a.spec.Lock))
		told := strings.Contains(fmt.Sprint(notices), "no fact tells of") && strings.Contains(fmt.Sprint(notices), name)
		if a.works() {
			w.t.Errorf("%s is left at work", name)
		}
		if of[name] > 1 || (of[name] == 0 && !told) {
			w.t.Errorf("%s is %d attempts, told: %v", name, of[name], told)
		}
	}
	return len(of)
}

// wish leaves a wish at an instant.
func (w *world) wish(at time.Duration, c journal.Control) {
	made := false
	w.ports.Controls = func() ([]journal.Control, error) {
		if made || w.now() < at {
			return nil, nil
		}
		made = true
		return []journal.Control{c}, nil
	}
}

// busyNight has limits, a swap, a failure, and a task that waits for a place.
func busyNight(w *world) func(a *actor) int {
	return func(a *actor) int {
		w.mu.Lock()
		first := 0
		for _, b := range w.actors {
			if b.label() == a.label() && b.agent() == a.agent() {
				first++
			}
		}
		w.mu.Unlock()
		switch {
		case a.agent() == "codex":
			a.say(`{"type":"thread.started","thread_id":"` + a.session() + `"}`)
			if a.label() == "task-1" {
				a.work(12 * time.Minute)
			}
			a.work(4 * time.Minute)
			a.say(`{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"done"}}`, `{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}`)
			return 0
		case strings.HasPrefix(a.label(), "task-1") && w.now() < 12*time.Minute:
			return hitsLimit(a, w.start.Add(12*time.Minute))
		case strings.HasPrefix(a.label(), "task-2") && first == 1:
			a.say(hello(a), text("msg_1"))
			a.work(time.Minute)
			return 1
		}
		return succeeds(a, 6*time.Minute)
	}
}

// Facts are cut off at any place, while the agents that were started after them are at
// work or have ended since. Whenever the run is taken up, no task has two agents, no
// more are at work than may be, no output is written over, each is an attempt or told to
// be none, and all tasks are done.
func TestFactsAreCutOffAnywhere(t *testing.T) {
	for name, tc := range map[string]struct {
		program run.Program
		dies    time.Duration
	}{
		"one after the other":  {program(3, "claude", "codex"), 10 * time.Minute},
		"side by side":         {program(3, "claude", "codex"), 5*time.Minute + 30*time.Second},
		"again and again":      {program(2, "claude", "codex"), 7*time.Minute + 30*time.Second},
		"one target, by turns": {program(3, "claude"), 15 * time.Minute},
		"swapped":              {program(2, "claude", "codex"), 3 * time.Minute},
	} {
		p := tc.program
		p.Limits.StallTimeout = 0
		p.Parallel = 2
		switch {
		case strings.HasPrefix(name, "one"):
			p.Parallel = 1
		case strings.HasPrefix(name, "again"):
			p.Iterations = 2
		}
		quiet := name == "swapped"
		runs, agents, waited := 0, 0, 0
		for _, resumed := range []time.Duration{time.Second, 12 * time.Minute} {
			for nth, n := 0, 1; nth < n; nth++ {
				inBubble(t, func(t *testing.T, w *world) {
					night := busyNight(w)
					if quiet {
						night = func(a *actor) int { return succeeds(a, 12*time.Minute) }
						w.wish(time.Minute, journal.Control{Verb: run.VerbSwap, Target: "2"})
					}
					w.dies(p, tc.dies, night)
					at := w.decisions()
					n = len(at)
					w.cut(at[nth])
					w.atMost(p)
					res := w.resumes(tc.dies + resumed).Wait()
					w.replays(res)
					if res.Err != nil || res.Exit != 0 || res.State.Counts.Done != len(p.Tasks)*p.Iterations {
						t.Errorf("exit %d, %+v, %v", res.Exit, res.State.Counts, res.Err)
					}
					runs, agents = runs+1, agents+len(w.actors)
					if troubles, _ := seeings[run.Trouble](w); len(troubles) > 0 {
						waited++
					}
					if n := w.accounts(); n != len(w.actors) {
						t.Errorf("%d agents, %d of them attempts", len(w.actors), n)
					}
					if t.Failed() {
						t.Fatalf("%s, cut after %d facts, resumed after %s\n%s", name, at[nth], resumed, w.tale())
					}
				})
				if t.Failed() {
					return
				}
			}
		}
		t.Logf("%s: %d runs of %d agents, a lane was sent elsewhere in %d", name, runs, agents, waited)
	}
}

// What a session had used before is counted once, wherever the facts were cut off.
func TestUsageIsCountedOnceWhereverFactsAreCutOff(t *testing.T) {
	for nth, n := 0, 1; nth < n; nth++ {
		inBubble(t, func(t *testing.T, w *world) {
			w.dies(patient("codex"), 12*time.Minute, codexInTwo)
			at := w.decisions()
			n = len(at)
			w.cut(at[nth])
			res := w.ends(w.resumes(15*time.Minute), 0)
			if want := (run.Usage{Input: 300, Output: 25, Unpriced: 325}); res.State.Usage != want || w.accounts() != 2 {
				t.Errorf("cut after %d facts: used %+v, want %+v\n%s", at[nth], res.State.Usage, want, w.tale())
			}
		})
	}
}

// A summary and the work that follows it are taken up as what they are, wherever the
// facts were cut off.
func TestASummaryIsTakenUpWhereverFactsAreCutOff(t *testing.T) {
	for _, dies := range []time.Duration{90 * time.Second, 150 * time.Second} {
		for nth, n := 0, 1; nth < n; nth++ {
			inBubble(t, func(t *testing.T, w *world) {
				w.dies(summarising(), dies, func(a *actor) int {
					switch a.n {
					case 1:
						return worksLong(w, a)
					case 2:
						a.work(time.Minute)
						return replies(a, "it began")
					}
					a.work(time.Minute)
					a.say(codexDone)
					return 0
				})
				at := w.decisions()
				n = len(at)
				w.cut(at[nth])
				w.ends(w.resumes(dies+time.Second), 0)
				if got := w.accounts(); got != 3 || len(w.actors) != 3 || w.count("summary_asked") != 1 {
					t.Errorf("dead at %s, cut after %d facts: %d attempts of %d agents\n%s", dies, at[nth], got, len(w.actors), w.tale())
				}
			})
		}
	}
}
