package engine_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

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

// A lane is sent to where the agent of its task was started, unless a window is open
// there: then nobody asks for what cannot be.
func TestALaneIsSentToItsAgentThatNoFactTellsOf(t *testing.T) {
	for name, tc := range map[string]struct {
		limited       bool
		agents, asked int
	}{"free": {false, 1, 1}, "limited": {true, 2, 0}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.dies(patient("claude", "codex"), time.Minute, func(a *actor) int {
					if a.n > 1 {
						return succeeds(a, time.Minute)
					}
					a.work(2 * time.Hour) // it is one of codex
					return replies(a, "done")
				})
				w.cut(2)
				w.actors[0].errand(map[string]any{"target": "codex"})
				w.kept = w.texts()
				if tc.limited {
					w.records = []run.Seen{{Window: run.Window{
						WindowKey: run.WindowKey{Family: "codex", Sort: run.SortLimit}, Kind: run.KindUsage, How: run.HowStated, Trip: true,
						OpenedAt: w.start, Until: w.start.Add(9 * time.Hour), NextTry: w.start.Add(9 * time.Hour),
					}}}
				}
				h := w.resumes(time.Hour)
				h.Wait()
				if w.accounts(); len(w.actors) != tc.agents || w.count("control_received") != tc.asked {
					t.Errorf("%d agents, asked %d times\n%s", len(w.actors), w.count("control_received"), w.tale())
				}
			})
		})
	}
}
