package plan_test

import (
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

func TestASoftStopOfOneLaneLeavesTheOthers(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks, p.Parallel = tasks(2), 2
	p.Tasks[0].Order, p.Tasks[1].Order = p.Order[:1], p.Order[1:]
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return limited(start.Add(time.Hour))
		}
		return works(2 * time.Hour)
	})
	d.at(70*time.Second, run.Command{Verb: run.VerbSoftStop, Lane: 1})
	d.run()
	if d.exit != 3 || d.state.Lane(1).State != run.LaneStopped || d.state.Lane(2).State != run.LaneDone {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
	if got := d.state.Lane(1).EndedAt.Sub(start); got != 92*time.Second {
		t.Fatalf("stopped after %s, the boundary is at 92 s", got)
	}
}

func TestOneLaneCannotBeTakenBackFromAStopOfTheRun(t *testing.T) {
	p := program("claude")
	d := begin(t, p, once(limited(start.Add(10*time.Hour)), works(time.Minute)))
	d.at(70*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.at(75*time.Second, run.Command{Verb: run.VerbTakeBack, Lane: 1})
	d.run()
	if n, _ := fact[run.Notice](d); d.exit != 3 || !strings.Contains(n.Message, "whole run") || d.now.Sub(start) != 92*time.Second {
		t.Fatalf("exit %d after %s, %q", d.exit, d.now.Sub(start), n.Message)
	}
}

func TestAStopThatLeavesIterationsOutIsNotDone(t *testing.T) {
	p := program("claude")
	p.Iterations = 3
	d := begin(t, p, func(*drive, run.Spawn) play { return works(10 * time.Minute) })
	d.at(time.Minute, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if d.exit != 3 || d.state.Counts.Done != 1 {
		t.Fatalf("exit %d, %d done", d.exit, d.state.Counts.Done)
	}
}

func TestASoftStopEndsNoAttempt(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(*drive, run.Spawn) play { // suspected, and patience ends at 121 s
		return play{served: -1, suspect: time.Second, after: 10 * time.Minute, verdict: run.Verdict{Class: run.ClassSuccess}}
	})
	d.at(time.Minute, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if d.exit != 0 || d.count("attempt_ending") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestNothingIsStartedAfterAStop(t *testing.T) {
	for name, verb := range map[string]run.Verb{"wake": run.VerbWake, "swap": run.VerbSwap} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex")
			p.Patience = run.Off
			d := begin(t, p, func(*drive, run.Spawn) play { return limited(start.Add(time.Hour)) })
			d.at(70*time.Second, run.Command{Verb: run.VerbSoftStop})
			d.at(71*time.Second, run.Command{Verb: verb, Lane: 1})
			d.run()
			if n, _ := fact[run.Notice](d); d.exit != 3 || d.count("attempt_started") != 1 || !strings.Contains(n.Message, "is stopping") {
				t.Fatalf("exit %d %q\n%s", d.exit, n.Message, d.story())
			}
		})
	}
}

func TestASoftStopNearTheDeadlineDoesNotWaitForItsBoundary(t *testing.T) {
	p := program("claude")
	p.Deadline = run.Duration(10 * time.Minute)
	d := begin(t, p, func(*drive, run.Spawn) play { return limited(time.Time{}) })
	// The park under way began at 7 m 8 s, so its next boundary is 9 m 38 s.
	d.at(9*time.Minute+29*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if d.exit != 3 || d.now.Sub(start) != 9*time.Minute+30*time.Second {
		t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
	}
}

func TestAHardStopInAParkIsAtOnce(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(*drive, run.Spawn) play { return limited(start.Add(time.Hour)) })
	d.at(40*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.at(41*time.Second, run.Command{Verb: run.VerbHardStop})
	d.run()
	woken, at := fact[run.TurnWoken](d)
	if d.exit != 130 || woken.Reason != run.WokenHardStop || at != 41*time.Second {
		t.Fatalf("exit %d, %s after %s", d.exit, woken.Reason, at)
	}
}

func TestAPauseHoldsEverySpawn(t *testing.T) {
	for name, agent := range map[string]func(*drive, run.Spawn) play{
		"a retry":   once(fails(run.ClassTransport), works(time.Minute)),
		"a swap":    always(map[string]play{"claude": fails(run.ClassAuth), "codex": works(time.Minute)}),
		"a reset":   once(limited(start.Add(100*time.Second)), works(time.Minute)),
		"overflow":  once(fails(run.ClassContextOverflow), works(time.Minute)),
		"a wake":    once(limited(start.Add(time.Hour)), works(time.Minute)),
		"patience":  always(map[string]play{"claude": bare(), "codex": works(time.Minute)}),
		"suspicion": always(map[string]play{"claude": {served: -1, suspect: time.Second, after: time.Hour, verdict: run.Verdict{Class: run.ClassSuccess}}, "codex": works(time.Minute)}),
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex")
			d := begin(t, p, agent)
			d.at(time.Second, run.Command{Verb: run.VerbPause})
			d.at(time.Minute, run.Command{Verb: run.VerbWake, Lane: 1})
			d.at(30*time.Minute, run.Command{Verb: run.VerbUnpause})
			d.run()
			for _, f := range d.facts {
				if at := f.At.Sub(start); f.Body.Name() == "attempt_started" && at > 0 && at < 30*time.Minute {
					t.Fatalf("spawn after %s\n%s", at, d.story())
				}
			}
			if d.exit != 0 {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
		})
	}
}

func TestAResumedRunForgetsItsSoftStop(t *testing.T) {
	p := program("claude")
	d := begin(t, p, once(limited(start.Add(time.Hour)), works(time.Minute)))
	d.at(70*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.at(75*time.Second, run.Resume{}) // the process died before the boundary
	d.run()
	if d.exit != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestStopBeatsWakeAtTheSameInstant(t *testing.T) {
	p := program("claude")
	reset := start.Add(152 * time.Second) // 150 s after the refusal: a boundary
	d := begin(t, p, once(limited(reset), works(time.Minute)))
	d.at(140*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.run()
	woken, at := fact[run.TurnWoken](d)
	if d.exit != 3 || woken.Reason != run.WokenStop || at != 152*time.Second {
		t.Fatalf("exit %d, woken by %s after %s", d.exit, woken.Reason, at)
	}
}

func TestAPauseDoesNotOutlastTheDeadline(t *testing.T) {
	p := program("claude", "codex")
	p.Deadline = run.Duration(10 * time.Minute)
	d := begin(t, p, once(fails(run.ClassTransport), works(time.Minute)))
	d.at(time.Second, run.Command{Verb: run.VerbPause})
	d.run()
	woken, at := fact[run.TurnWoken](d)
	if d.exit != 75 || woken.Reason != run.WokenDeadline || at != 9*time.Minute+30*time.Second || !d.now.Equal(start.Add(at)) {
		t.Fatalf("exit %d at %s, woken by %s after %s\n%s", d.exit, d.now.Sub(start), woken.Reason, at, d.story())
	}
}

func TestTheEndOfAPauseStartsNothingThatIsStopping(t *testing.T) {
	for name, tt := range map[string]struct {
		take bool
		exit int
	}{"stopping": {false, 3}, "taken back": {true, 0}} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			d := begin(t, p, once(fails(run.ClassTransport), works(time.Minute)))
			d.at(time.Second, run.Command{Verb: run.VerbPause})
			d.at(40*time.Second, run.Command{Verb: run.VerbSoftStop})
			d.at(41*time.Second, run.Command{Verb: run.VerbUnpause})
			if tt.take {
				d.at(42*time.Second, run.Command{Verb: run.VerbTakeBack})
			}
			d.run()
			if d.exit != tt.exit {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
		})
	}
}
