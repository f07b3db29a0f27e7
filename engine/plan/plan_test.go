package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestHappyRunEndsDone(t *testing.T) {
	p := program("claude")
	p.Iterations = 3
	d := begin(t, p, func(*drive, run.Spawn) play { return works(time.Minute) }).run()
	if d.exit != 0 || d.state.Counts.Done != 3 {
		t.Fatalf("exit %d, done %d", d.exit, d.state.Counts.Done)
	}
}

func TestWaitBeyondTheDeadlineIsGivenUpAtOnce(t *testing.T) {
	for name, on := range map[string]bool{"breaker on": true, "breaker off": false} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Breaker.On = on
			p.Deadline = run.Duration(62 * time.Second)
			d := begin(t, p, func(d *drive, _ run.Spawn) play { return limited(d.now.Add(302 * time.Second)) }).run()
			errs := all[run.Error](d)
			if len(errs) != 1 || errs[0].HintS == nil || errs[0].CeilingS == nil || errs[0].HeadroomS == nil {
				t.Fatalf("%+v\n%s", errs, d.story())
			}
			got := []float64{*errs[0].HintS, *errs[0].CeilingS, *errs[0].HeadroomS, float64(d.count("attempt_started")), float64(d.count("turn_parked")), float64(d.exit)}
			if diff := cmp.Diff([]float64{300, 30, 60, 1, 0, 75}, got); diff != "" {
				t.Fatal(diff, d.story())
			}
			if d.count("retries_exhausted") != 0 {
				t.Fatal("retries_exhausted though nothing was retried")
			}
		})
	}
}

func TestBreakerOnOneFailedSpawnThenAllByTheOther(t *testing.T) {
	p := program("claude", "codex")
	p.Iterations = 4
	p.Deadline = run.Duration(8 * time.Hour)
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return limited(start.Add(20 * time.Hour))
		}
		return works(10 * time.Minute)
	}).run()
	if d.exit != 0 || d.spawn[run.Target{Agent: "claude"}] != 1 || d.spawn[run.Target{Agent: "codex"}] != 4 {
		t.Fatalf("exit %d, spawns %v\n%s", d.exit, d.spawn, d.story())
	}
	if n := d.count("spawn_refused"); n != 3 {
		t.Fatalf("%d refusals, want one for each later lane", n)
	}
	d.before("window_opened", "family_tripped", "provider_fallback", "spawn_refused")
}

func TestBreakerOnOneFamilyOneFailedSpawnOneProbe(t *testing.T) {
	p := program("claude")
	p.Iterations = 4
	reset := start.Add(time.Hour)
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(reset) {
			return limited(reset)
		}
		return works(10 * time.Minute)
	})
	d.run()
	if d.exit != 0 || d.spawn[run.Target{Agent: "claude"}] != 5 {
		t.Fatalf("exit %d, spawns %v\n%s", d.exit, d.spawn, d.story())
	}
	if n := len(all[run.PermitGranted](d)); n != 1 {
		t.Fatalf("%d probes", n)
	}
}

func TestRejectedThenSuccessTripsNothing(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(*drive, run.Spawn) play {
		w := works(time.Minute)
		w.suspect, w.served = time.Second, 5*time.Second
		return w
	}).run()
	if d.exit != 0 || d.count("window_opened") != 0 || d.count("family_suspected") != 1 || d.count("suspicion_ended") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestAuthBlocksWithoutBurningThePlan(t *testing.T) {
	p := program("claude")
	p.Deadline = run.Duration(time.Hour)
	p.Tasks = []run.Task{{Name: "a", Wait: run.WaitPark}, {Name: "b", Wait: run.WaitPark}, {Name: "c", Wait: run.WaitPark}}
	d := begin(t, p, func(*drive, run.Spawn) play { return fails(run.ClassAuth) }).run()
	if d.exit != 75 || d.count("attempt_started") != 1 || d.count("retries_exhausted") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestNetworkOutageDoesNotBurnThePlan(t *testing.T) {
	p := program("claude")
	p.Tasks = []run.Task{{Name: "a", Wait: run.WaitPark}, {Name: "b", Wait: run.WaitPark}}
	p.Parallel = 2
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(10 * time.Minute)) {
			return fails(run.ClassTransport)
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.state.Counts.Done != 2 || d.count("health_opened") == 0 ||
		d.count("task_requeued") == 0 || d.count("program_waiting") == 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestWaitNeverNeverWaits(t *testing.T) {
	p := program("claude")
	p.Tasks[0].Wait = run.WaitNever
	p.Deadline = run.Duration(time.Minute)
	for name, pl := range map[string]play{"limited": limited(start.Add(20 * time.Second)), "bare": bare(), "cut": fails(run.ClassTransport)} {
		t.Run(name, func(t *testing.T) {
			n := 0
			d := begin(t, p, func(*drive, run.Spawn) play {
				if n++; n > 3 {
					return works(time.Second)
				}
				return pl
			}).run()
			if d.count("turn_parked")+d.count("retry_scheduled") != 0 {
				t.Fatal(d.story())
			}
		})
	}
}

func TestSessionThatCannotBeResumedStartsAfresh(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case d.spawn[sp.Target] == 1:
			return play{served: time.Second, after: time.Minute, verdict: run.Verdict{Class: run.ClassTransport}}
		case sp.Resume != "":
			return fails(run.ClassFailed)
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.count("session_lost") != 1 || d.count("attempt_started") != 3 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestProbeWithoutASignLosesItsPermitButGoesOn(t *testing.T) {
	p := program("claude")
	p.Parallel = 2
	p.Tasks = []run.Task{{Name: "a", Wait: run.WaitPark}, {Name: "b", Wait: run.WaitPark}}
	reset := start.Add(10 * time.Minute)
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case d.now.Before(reset):
			return limited(reset)
		case d.spawn[sp.Target] == 3: // the first probe is mute for ten minutes
			return play{served: -1, after: 10 * time.Minute, verdict: run.Verdict{Class: run.ClassSuccess}}
		}
		return works(time.Minute)
	}).run()
	settled := all[run.ProbeSettled](d)
	if d.exit != 0 || len(settled) != 2 || settled[0].Good || !settled[1].Good {
		t.Fatalf("exit %d %+v\n%s", d.exit, settled, d.story())
	}
}

func TestDeadlineEndsAnAttempt(t *testing.T) {
	p := program("claude")
	p.Deadline = run.Duration(time.Minute)
	d := begin(t, p, func(*drive, run.Spawn) play { return play{served: time.Second} }).run()
	ends := all[run.AttemptEnded](d)
	if d.exit != 1 || len(ends) != 1 || ends[0].Verdict.Class != run.ClassDeadline || d.now.Sub(start) != time.Minute {
		t.Fatalf("exit %d %+v", d.exit, ends)
	}
}

func TestAStatedLimitOutlastsACallThatWasLetInBefore(t *testing.T) {
	p := program("claude")
	p.Parallel = 2
	p.Tasks = []run.Task{{Name: "a", Wait: run.WaitPark}, {Name: "b", Wait: run.WaitPark}, {Name: "c", Wait: run.WaitPark}}
	reset := start.Add(time.Hour)
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case sp.Attempt == 1: // let in before the trip, first answer after it
			return play{served: 10 * time.Second, after: 10 * time.Minute, verdict: run.Verdict{Class: run.ClassSuccess}}
		case d.now.Before(reset):
			return limited(reset)
		}
		return works(time.Minute)
	}).run()
	if n := d.count("window_opened"); d.exit != 0 || n != 1 || d.spawn[run.Target{Agent: "claude"}] != 4 {
		t.Fatalf("exit %d, %d windows, spawns %v\n%s", d.exit, n, d.spawn, d.story())
	}
}
