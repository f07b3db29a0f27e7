package engine_test

import (
	"sync/atomic"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

const loggedOut = `{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"num_turns":1,"result":"Invalid API key · Please run /login"}`

// failsLogin is an agent whose login does not work, as it finds out after a while.
func failsLogin(a *actor, after time.Duration) int {
	a.say(hello(a))
	a.work(after)
	a.say(loggedOut)
	return 1
}

// loginFiles plays the login files of a world, which say what was set last.
func (w *world) loginFiles(first string) (set func(at time.Duration, mark string)) {
	var mark atomic.Value
	mark.Store(first)
	w.ports.Login = func(family string) string {
		if family != "claude" {
			w.t.Errorf("the login of %s is looked at", family)
		}
		return mark.Load().(string)
	}
	return func(at time.Duration, to string) { w.later(at, func() { mark.Store(to) }) }
}

func TestALoginThatIsMendedIsTriedAgain(t *testing.T) {
	type change struct {
		at   time.Duration
		mark string
	}
	for name, tt := range map[string]struct {
		first   string
		changes []change
		want    time.Duration
	}{
		"is written again":  {"a", []change{{time.Hour, "b"}}, time.Hour},
		"appears":           {"", []change{{time.Hour, "b"}}, time.Hour},
		"goes and comes":    {"a", []change{{time.Hour, ""}, {2 * time.Hour, "a"}}, 2 * time.Hour},
		"before it failed":  {"a", []change{{time.Second, "b"}, {time.Hour, "c"}}, time.Hour},
		"a second after it": {"a", []change{{3 * time.Second, "b"}}, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				set := w.loginFiles(tt.first)
				for _, c := range tt.changes {
					set(c.at, c.mark)
				}
				res := w.ends(w.host(program(1, "claude"), func(a *actor) int {
					if a.n == 1 {
						return failsLogin(a, 2*time.Second)
					}
					return succeeds(a, time.Minute)
				}), 0)
				if at := w.times("start 2"); len(at) != 1 || at[0] < tt.want || at[0] > tt.want+2*time.Second {
					t.Errorf("started again at %v, want %s\n%s", at, tt.want, w.tale())
				}
				cleared, _ := bodies[run.WindowCleared](w)
				if len(cleared) != 1 || cleared[0].Why != "credentials" || res.State.Counts.Spawned != 2 {
					t.Errorf("cleared %+v", cleared)
				}
			})
		})
	}
}

// Nobody looks at the files of a login that works.
func TestLoginsThatWorkAreNotLookedAt(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.ports.Login = func(string) string { t.Error("looked at"); return "" }
		p := program(1, "claude")
		w.ends(w.host(p, func(a *actor) int {
			if a.n == 1 {
				return hitsLimit(a, w.start.Add(time.Hour))
			}
			return succeeds(a, time.Minute)
		}), 0)
	})
}

// What an agent writes itself while it fails is no new login, and agents that do so
// again and again do not start each other without end.
func TestWhatAgentsWriteIsNoLogin(t *testing.T) {
	t.Run("while it fails", func(t *testing.T) {
		inBubble(t, func(t *testing.T, w *world) {
			set := w.loginFiles("a")
			set(time.Minute, "b") // by the second agent
			set(5*time.Hour, "c")
			p := program(2, "claude")
			w.ends(w.host(p, func(a *actor) int {
				switch a.n {
				case 1:
					return failsLogin(a, 2*time.Second)
				case 2:
					return failsLogin(a, 3*time.Minute)
				}
				return succeeds(a, time.Minute)
			}), 0)
			if at := w.times("start 3"); len(at) != 1 || at[0] < 5*time.Hour {
				t.Errorf("started again at %v\n%s", at, w.tale())
			}
		})
	})
	t.Run("not while one works", func(t *testing.T) {
		inBubble(t, func(t *testing.T, w *world) {
			set := w.loginFiles("a")
			set(time.Hour, "b")
			p := program(2, "claude")
			p.Limits.StallTimeout = 0
			w.ends(w.host(p, func(a *actor) int {
				if a.n == 1 {
					return failsLogin(a, 2*time.Second)
				}
				return succeeds(a, 5*time.Hour)
			}), 0)
			if at := w.times("start 3"); len(at) != 1 || at[0] > time.Hour+time.Second {
				t.Errorf("started again at %v\n%s", at, w.tale())
			}
		})
	})
	t.Run("again and again", func(t *testing.T) {
		inBubble(t, func(t *testing.T, w *world) {
			n := 0
			w.ports.Login = func(string) string { n++; return time.Duration(n).String() }
			p := program(1, "claude")
			h := w.host(p, func(a *actor) int { return failsLogin(a, time.Second) })
			w.later(time.Hour, func() { go h.Command(run.Command{Verb: run.VerbHardStop}) })
			res := h.Wait()
			if c := res.State.Counts.Spawned; c < 50 || c > 63 {
				t.Errorf("%d agents in an hour", c)
			}
		})
	})
}

// Who takes a run up may have mended what the run could not: it is tried once.
func TestALoginIsTriedOnceByAResumedRun(t *testing.T) {
	for name, works := range map[string]bool{"mended": true, "not mended": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				p := program(1, "claude")
				p.Deadline = run.Duration(5 * time.Hour)
				w.ends(w.host(p, func(a *actor) int { return failsLogin(a, time.Second) }), 75)
				w.script = func(a *actor) int {
					if works {
						return succeeds(a, time.Minute)
					}
					return failsLogin(a, time.Second)
				}
				exit := 75
				if works {
					exit = 0
				}
				res := w.ends(w.resumes(time.Hour), exit)
				if c := res.State.Counts.Spawned; c != 2 || w.count("run_ended") != 2 {
					t.Errorf("%d agents\n%s", c, w.tale())
				}
			})
		})
	}
}
