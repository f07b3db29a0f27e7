package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// cut takes the facts after the first n away, as if they had never been saved.
func (w *world) cut(n int) {
	w.store.lines, w.store.facts, w.told = w.store.lines[:n], w.store.facts[:n], uint64(n)
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

// errand puts something else in the place of what an agent was started for; half of it
// for nil.
func (a *actor) errand(change map[string]any) {
	path := filepath.Join(filepath.Dir(a.spec.Lock), "attempt.json")
	text, err := os.ReadFile(path)
	e := map[string]any{}
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	maps.Copy(e, change)
	if text, _ = json.Marshal(e); change == nil {
		text = text[:len(text)/2]
	}
	if err = errors.Join(err, os.WriteFile(path, text, 0o600)); err != nil {
		a.w.t.Error(err)
	}
}

// nightOf hosts so many tasks at once, for one target, until the last of them is at work
// alone. Then all facts about them are cut off. There is room for one more.
func (w *world) nightOf(tasks int) {
	p := program(tasks, "claude")
	p.Limits.StallTimeout, p.Parallel = 0, 2
	w.dies(p, time.Minute, func(a *actor) int {
		if a.n < tasks {
			return succeeds(a, time.Second)
		}
		return succeeds(a, 2*time.Hour)
	})
	w.cut(2)
	w.atMost(p)
}

// waited checks when an agent was started, and what was told if it had to wait.
func (w *world) waited(start string, until time.Duration) {
	w.t.Helper()
	at := w.times(start)
	if len(at) != 1 || at[0] < until || at[0] > until+2*time.Second {
		w.t.Errorf("%s at %v, not %s\n%s", start, at, until, w.tale())
	}
	troubles, _ := seeings[run.Trouble](w)
	if waits := until > time.Hour; waits != (len(troubles) > 0) || (waits && (!troubles[0].Start || !strings.Contains(troubles[0].Message, "no fact tells of it"))) {
		w.t.Errorf("told %+v", troubles)
	}
}

// Where an agent that no fact tells of does not fit what is decided now, its task waits
// for its end. Where it could be asked, its lane was to be sent to it.
func TestATaskWaitsForItsAgentThatNoFactTellsOf(t *testing.T) {
	for name, tc := range map[string]struct {
		change map[string]any
		asked  int
	}{
		"elsewhere, and not to be had": {map[string]any{"target": "codex"}, 1},
		"another iteration":            {map[string]any{"iteration": 7}, 0},
		"a summary":                    {map[string]any{"summary": true}, 0},
		"nobody knows whose":           {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.nightOf(1)
				w.actors[0].errand(tc.change)
				w.kept = w.texts()
				res := w.ends(w.resumes(time.Hour), 0)
				w.waited("start 2", 2*time.Hour)
				if n := w.accounts(); n != 1 || len(w.actors) != 2 || w.count("control_received") != tc.asked || res.State.Counts.Done != 1 {
					t.Errorf("%d attempts of %d agents, asked %d times, %+v", n, len(w.actors), w.count("control_received"), res.State.Counts)
				}
			})
		})
	}
}

// An agent that no fact tells of keeps one of the places of the program until it is
// taken up, and all of them if nobody knows whose it is.
func TestAnAgentThatNoFactTellsOfKeepsItsPlace(t *testing.T) {
	for name, tc := range map[string]struct {
		parallel int
		unknown  bool
		starts   time.Duration
	}{
		"no room": {1, false, 2 * time.Hour}, "room": {2, false, time.Hour}, "nobody's": {2, true, 2 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.nightOf(2)
				w.actors[0].errand(map[string]any{"iteration": 7}) // so that its task is begun again
				if tc.unknown {
					w.actors[1].errand(nil)
				}
				w.kept = w.texts()
				begun := w.store.facts[0].Body.(run.RunStarted)
				begun.Program.Parallel = tc.parallel
				w.atMost(begun.Program)
				w.store.facts[0].Body = begun
				w.store.lines[0], _ = w.store.facts[0].MarshalJSON()
				res := w.ends(w.resumes(time.Hour), 0)
				w.waited("start 3", tc.starts)
				if n := w.accounts(); n != 2 || res.State.Counts.Done != 2 {
					t.Errorf("%d attempts of %d agents, %+v", n, len(w.actors), res.State.Counts)
				}
			})
		})
	}
}

// What a hard stop ends it ends whoever started it, and waits for that.
func TestAHardStopEndsWhatNoFactTellsOf(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int { return succeeds(a, 24*time.Hour) })
		w.actors[0].errand(map[string]any{"iteration": 7})
		w.cut(2)
		h := w.resumes(time.Hour)
		w.later(time.Hour+time.Minute, func() { h.Command(run.Command{Verb: run.VerbHardStop}) })
		w.ends(h, 130)
		if w.accounts(); len(w.times("end 1")) != 1 || len(w.actors) != 1 {
			t.Errorf("ended at %v, %d agents", w.times("end 1"), len(w.actors))
		}
	})
}

// Whoever leaves the run leaves it alone, and the next owner finds it.
func TestWhatNoFactTellsOfIsLeftAlone(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int { return succeeds(a, 3*time.Hour) })
		w.actors[0].errand(map[string]any{"iteration": 7})
		w.cut(2)
		h := w.resumes(time.Hour)
		w.later(2*time.Hour, h.Leave)
		if res := h.Wait(); !res.Left || !w.actors[0].works() {
			t.Errorf("%+v, at work: %v", res, w.actors[0].works())
		}
		w.actors[0].errand(map[string]any{"iteration": 1})
		w.kept = nil
		w.ends(w.resumes(2*time.Hour+time.Minute), 0)
		if n := w.accounts(); n != 1 || len(w.actors) != 1 {
			t.Errorf("%d attempts of %d agents\n%s", n, len(w.actors), w.tale())
		}
	})
}

// Nothing is started while it cannot be known who is at work, and what is found then is
// taken up.
func TestNothingIsStartedBeforeItIsKnownWhoIsAtWork(t *testing.T) {
	for name, breaks := range map[string]func(w *world){
		"no list": func(w *world) { w.store.hideWorkers(errFull) },
		"no answer": func(w *world) {
			adopt := w.ports.Adopt
			w.ports.Adopt = func(s proc.AdoptSpec) (engine.Process, bool, error) {
				if w.now() < 2*time.Hour {
					return nil, false, errFull
				}
				return adopt(s)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.dies(patient("claude"), time.Minute, func(a *actor) int { return succeeds(a, 3*time.Hour) })
				w.cut(2)
				breaks(w)
				w.later(2*time.Hour, func() { w.store.hideWorkers(nil) })
				w.ends(w.resumes(time.Hour), 0)
				_, at := bodies[run.AgentAdopted](w)
				if n := w.accounts(); n != 1 || len(w.actors) != 1 || len(at) != 1 || at[0] < 2*time.Hour || at[0] > 2*time.Hour+2*time.Second {
					t.Errorf("%d attempts of %d agents, adopted at %v\n%s", n, len(w.actors), at, w.tale())
				}
			})
		})
	}
}

// What an agent was given is told as it was given, whatever would be given to it now.
func TestWhatIsTakenUpTellsWhatItWasGiven(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int { return succeeds(a, 2*time.Hour) })
		w.actors[0].errand(map[string]any{"command": []string{"claude", "--of-before"}, "handed_bytes": 77})
		w.cut(2)
		res := w.ends(w.resumes(time.Hour), 0)
		w.accounts()
		a := res.State.Lanes[0].Attempts[0]
		if diff := cmp.Diff([]string{"claude", "--of-before"}, a.Command); diff != "" || a.Handed != 77 {
			t.Errorf("handed %d, command (-want +got):\n%s", a.Handed, diff)
		}
	})
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
