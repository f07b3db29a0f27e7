package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// What was said while nobody owned the run is heard by the next owner, once: the first
// sign of service, and the last one of all.
func TestWhatAnAgentSaidMeanwhileIsHeard(t *testing.T) {
	limit := rejected(time.Unix(1<<33, 0))
	for name, tc := range map[string]struct {
		says              []string
		served, suspected int
	}{
		"served":                 {[]string{text("msg_1")}, 1, 0},
		"suspected":              {[]string{limit}, 0, 1},
		"served, then suspected": {[]string{text("msg_1"), limit}, 1, 1},
		"suspected, then served": {[]string{limit, text("msg_1")}, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				p := patient("claude", "codex")
				p.Patience = run.Off
				w.dies(p, time.Second, func(a *actor) int {
					a.work(time.Minute)
					a.say(hello(a))
					a.say(tc.says...)
					a.work(2 * time.Hour)
					return 1
				})
				h := w.resumes(time.Hour)
				w.later(90*time.Minute, func() { h.Leave() })
				res := h.Wait()
				w.replays(res)
				if diff := cmp.Diff([]int{1, tc.served, tc.suspected}, []int{w.count("session_learned"), w.count("attempt_served"), w.count("family_suspected")}); diff != "" {
					t.Errorf("learned, served, suspected (-want +got):\n%s\n%s", diff, w.tale())
				}
				if a := res.State.Lanes[0].Attempts[0]; a.Session != "session-1" || a.Model != "claude-sonnet-4-5" {
					t.Errorf("the attempt is %+v", a)
				}
			})
		})
	}
}

// What people like to see of an adopted agent is seen at once.
func TestAnAdoptedAgentIsShown(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int { return succeeds(a, 2*time.Hour) })
		before, _ := seeings[run.Activity](w)
		w.ends(w.resumes(time.Hour), 0)
		all, at := seeings[run.Activity](w)
		all, at = all[len(before):], at[len(before):]
		if len(all) == 0 || at[0] != time.Hour || all[0].Message != "working" || all[0].Model == "" || all[0].Usage == (run.Usage{}) {
			t.Errorf("shown %+v at %v", all, at)
		}
	})
}

// Steps without tokens are counted from the agent's start, whoever owned the run.
func TestIdleStepsAreCountedThroughADeath(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), 30*time.Minute+time.Second, func(a *actor) int {
			if a.n > 1 {
				return succeeds(a, time.Minute)
			}
			a.say(hello(a))
			for i := 0; ; i++ {
				a.work(time.Minute)
				a.say(idleStep(i))
			}
		})
		w.ends(w.resumes(40*time.Minute), 0)
		if at := w.times("end 1"); len(at) != 1 || at[0] < 50*time.Minute || at[0] > 50*time.Minute+time.Second {
			t.Errorf("ended at %v", at)
		}
	})
}

// An adopted agent is one of ours: it is ended by a hard stop, and when it is silent
// for too long under its new owner.
func TestAnAdoptedAgentIsEndedLikeOthers(t *testing.T) {
	for name, tc := range map[string]struct {
		stop time.Duration
		exit int
		at   time.Duration
	}{"stop": {65 * time.Minute, 130, 65 * time.Minute}, "silence": {24 * time.Hour, 0, 70*time.Minute + time.Second}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.dies(program(1, "claude"), time.Minute, func(a *actor) int {
					if a.n > 1 {
						return succeeds(a, time.Minute)
					}
					return succeeds(a, 24*time.Hour)
				})
				h := w.resumes(time.Hour)
				w.later(tc.stop, func() { h.Command(run.Command{Verb: run.VerbHardStop}) })
				w.ends(h, tc.exit)
				if at := w.times("end 1"); len(at) != 1 || at[0] != tc.at {
					t.Errorf("ended at %v, want %s", at, tc.at)
				}
				time.Sleep(24*time.Hour - w.now()) // the command comes to nothing then
			})
		})
	}
}

// A file that begins anew holds nothing that an earlier owner has heard.
func TestAnAdoptedStreamThatBeginsAnewIsHeard(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := patient("claude", "codex")
		p.Patience = run.Off
		w.dies(p, time.Minute, func(a *actor) int { return succeeds(a, 2*time.Hour) })
		w.ports.Follower = renewed{w, rejected(w.start.Add(5*time.Hour)) + "\n"}
		w.ends(w.resumes(time.Hour), 0)
		if n := w.count("family_suspected"); n != 1 {
			t.Errorf("suspected %d times\n%s", n, w.tale())
		}
	})
}

// renewed follows a file that is replaced by one that holds a text.
type renewed struct {
	w    *world
	text string
}

func (f renewed) Follow(ctx context.Context, path string, sink interface {
	Bytes(p []byte)
	Restart()
},
) error {
	sink.Bytes([]byte(f.w.file(path).text()))
	sink.Restart()
	sink.Bytes([]byte(f.text))
	<-ctx.Done()
	return nil
}

// An agent that cannot be found again is lost, and tried again; what is kept of the
// reason holds no secret.
func TestAnAgentThatCannotBeAdoptedIsLost(t *testing.T) {
	for name, tc := range map[string]struct {
		breaks func(w *world)
		told   string
	}{
		"has no trace": {func(w *world) {
			w.ports.Adopt = func(proc.AdoptSpec) (engine.Process, bool, error) {
				return nil, false, fmt.Errorf("hunter2 is in the way: %w", proc.ErrNoTrace)
			}
		}, "*** is in the way"},
		"has no directory": {func(w *world) {
			if err := os.RemoveAll(filepath.Dir(w.actors[0].spec.Lock)); err != nil {
				w.t.Error(err)
			}
		}, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.dies(patient("claude"), time.Minute, func(a *actor) int {
					if a.n == 1 {
						a.say(hello(a), text("msg_1"))
						a.work(24 * time.Hour)
					}
					return succeeds(a, time.Minute)
				})
				w.actors[0].kill()
				tc.breaks(w)
				w.ends(w.resumes(time.Hour), 0)
				ended, _ := bodies[run.AttemptEnded](w)
				v, e := ended[0].Verdict, ended[0].Exit
				if v.Class != run.ClassIncomplete || v.Evidence[0].Rule != "guard_lost" || !e.Lost || len(w.actors) != 2 || w.count("agent_adopted") != 0 {
					t.Errorf("exit %+v, verdict %+v, %d agents", e, v, len(w.actors))
				}
				if !strings.Contains(string(v.Message), tc.told) || !strings.Contains(string(v.Evidence[0].Excerpt), tc.told) {
					t.Errorf("told %q with %q", v.Message, v.Evidence[0].Excerpt)
				}
			})
		})
	}
}

// An agent that cannot be asked for now may live: nobody takes its place meanwhile.
func TestAnAgentThatCannotBeAskedIsWaitedFor(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int { return succeeds(a, 5*time.Hour) })
		var answers atomic.Bool
		adopt := w.ports.Adopt
		w.ports.Adopt = func(s proc.AdoptSpec) (engine.Process, bool, error) {
			if !answers.Load() {
				return nil, false, errFull
			}
			return adopt(s)
		}
		w.later(time.Hour+time.Minute, func() { answers.Store(true) })
		w.ends(w.resumes(time.Hour), 0)
		troubles, _ := seeings[run.Trouble](w)
		if len(w.actors) != 1 || w.count("agent_adopted") != 1 || len(troubles) != 2 || !troubles[0].Start {
			t.Errorf("%d agents, %d adopted, troubles %+v", len(w.actors), w.count("agent_adopted"), troubles)
		}
	})
}

// A guard that ended its agent while nobody owned the run says why.
func TestWhatAGuardHasEndedIsNoFaultOfTheAgent(t *testing.T) {
	for cause, class := range map[string]run.Class{
		proc.CauseStall: run.ClassStalled, proc.CauseDeadline: run.ClassDeadline, proc.CauseOwnerDied: run.ClassIncomplete,
	} {
		t.Run(cause, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.dies(patient("claude"), time.Minute, func(a *actor) int {
					if a.n == 1 {
						a.say(hello(a), text("msg_1"))
						a.work(24 * time.Hour)
					}
					return succeeds(a, time.Minute)
				})
				a := w.actors[0]
				a.kill()
				<-a.done
				a.cause = cause
				w.resumes(time.Hour).Wait()
				ended, _ := bodies[run.AttemptEnded](w)
				if got := ended[0].Verdict.Class; got != class {
					t.Errorf("%s, want %s", got, class)
				}
			})
		})
	}
}

// A wait that an agent told in seconds counts from its end, not from when the next
// owner reads it.
func TestAWaitThatWasToldMeanwhileCountsFromTheEnd(t *testing.T) {
	for name, tc := range map[string]struct {
		speed float64
		lost  bool // so is the instant of its end
		from  time.Duration
	}{"real time": {1, false, 2 * time.Second}, "faster": {60, false, time.Hour}, "lost": {1, true, time.Hour}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.script = func(a *actor) int {
					a.work(2 * time.Second)
					a.say(`{"type":"turn.failed","error":{"message":"{\"error\":{\"type\":\"usage_limit_reached\",\"message\":\"The usage limit has been reached\",\"resets_in_seconds\":7200}}"}}`)
					return 1
				}
				ctx, kill := context.WithCancelCause(t.Context())
				h := engine.Start(ctx, engine.Launch{ID: "test", Program: patient("codex"), Seed: 1, Epoch: w.start, Speed: tc.speed}, w.ports)
				w.later(time.Second, func() { kill(errKilled) })
				h.Wait()
				if a := w.actors[0]; tc.lost {
					<-a.done
					a.exit, a.at = proc.Exit{Code: -1, Lost: true}, time.Time{}
				}
				h = w.resumes(time.Hour)
				w.later(time.Hour+time.Minute, h.Leave)
				w.replays(h.Wait())
				opened, _ := bodies[run.WindowOpened](w)
				ended, _ := bodies[run.AttemptEnded](w)
				if len(opened) != 1 || opened[0].Until.Sub(w.start) != tc.from+2*time.Hour {
					t.Errorf("opened %+v\n%s", opened, w.tale())
				}
				if known := !ended[0].At.IsZero(); known != (tc.from < time.Hour) {
					t.Errorf("ended at %s", ended[0].At)
				}
			})
		})
	}
}

// codexInTwo works in two attempts of one session.
func codexInTwo(a *actor) int {
	a.say(`{"type":"thread.started","thread_id":"01a22aff-a4e4-7562-9724-94b408be1850"}`,
		`{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"on it"}}`)
	a.work(10 * time.Minute)
	if a.n == 1 {
		a.say(`{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":10}}`,
			`{"type":"turn.failed","error":{"message":"stream disconnected before completion: closed"}}`)
		return 1
	}
	a.say(`{"type":"turn.completed","usage":{"input_tokens":300,"output_tokens":25}}`)
	return 0
}

// What a resumed session had used before is counted once, also if another owner
// hears the end.
func TestUsageOfAnAdoptedSessionIsCountedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("codex"), 12*time.Minute, codexInTwo)
		res := w.ends(w.resumes(15*time.Minute), 0)
		if want := (run.Usage{Input: 300, Output: 25, Unpriced: 325}); res.State.Usage != want || w.count("agent_adopted") != 1 {
			t.Errorf("used %+v, want %+v\n%s", res.State.Usage, want, w.tale())
		}
	})
}

// Whoever takes a run up says what is not installed, and learns what others recorded.
func TestAResumedRunKnowsWhatHasChanged(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := patient("claude", "codex")
		w.dies(p, time.Minute, func(a *actor) int { return succeeds(a, 2*time.Hour) })
		time.Sleep(time.Hour - w.now())
		w.records = []run.Seen{{Window: run.Window{
			WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLimit}, Kind: run.KindUsage, How: run.HowStated, Trip: true,
			OpenedAt: w.start, Until: w.start.Add(5 * time.Hour), NextTry: w.start.Add(5 * time.Hour),
		}}}
		var first []string // what was decided first
		facts := w.ports.Facts
		w.ports.Facts = func(fs []run.Fact) {
			if first == nil {
				for _, f := range fs {
					first = append(first, f.Body.Name())
				}
			}
			facts(fs)
		}
		h := engine.Start(t.Context(), engine.Launch{State: w.replayed(), Missing: []string{"codex"}}, w.ports)
		w.ends(h, 0)
		resumed, _ := bodies[run.RunResumed](w)
		if diff := cmp.Diff([]run.RunResumed{{Missing: []string{"codex"}}}, resumed); diff != "" || !slices.Contains(first, "window_seen") {
			t.Errorf("first %v; resumed (-want +got):\n%s", first, diff)
		}
	})
}

// A clock that jumps stands still while an adopted agent works, and jumps again when
// that has ended.
func TestNoJumpWhileAnAdoptedAgentWorks(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		clock := &jumper{w: w}
		w.ports.Clock = clock
		w.script = func(a *actor) int {
			if a.n == 1 {
				a.say(hello(a), text("msg_1"))
				a.work(time.Hour)
				a.say(rejected(w.start.Add(5*time.Hour)), refused)
				return 1
			}
			return succeeds(a, time.Minute)
		}
		ctx, kill := context.WithCancelCause(t.Context())
		h := engine.Start(ctx, engine.Launch{ID: "test", Program: patient("claude"), Seed: 1, Epoch: w.start}, w.ports)
		w.later(time.Minute, func() { kill(errKilled) })
		h.Wait()
		w.ends(w.resumes(30*time.Minute), 0)
		if took := w.now(); took != time.Hour+time.Minute {
			t.Errorf("it took %s", took)
		}
	})
}
