package plan_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
)

func TestSoftStopEndsAParkAtTheNextBoundary(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, _ run.Spawn) play { return limited(start.Add(time.Hour)) })
	d.at(70*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if d.exit != 3 {
		t.Fatalf("exit %d", d.exit)
	}
	var parked, woken time.Time
	for _, f := range d.facts {
		switch b := f.Body.(type) {
		case run.TurnParked:
			parked = f.At
		case run.TurnWoken:
			woken = f.At
			if b.Reason != run.WokenStop {
				t.Fatalf("woken by %s", b.Reason)
			}
		case run.LaneEnded:
			if b.State != run.LaneStopped {
				t.Fatalf("ended %s", b.State)
			}
		case run.HealthFailed, run.RetriesExhausted, run.ProviderFallback:
			t.Fatalf("a stop gives %s", b.Name())
		}
	}
	if want := parked.Add(90 * time.Second); !woken.Equal(want) {
		t.Fatalf("woken at %s, the first boundary is %s", woken, want)
	}
}

func TestSoftStopLetsAnAttemptEndThenStopsTheLane(t *testing.T) {
	p := program("claude")
	p.Tasks = append(p.Tasks, run.Task{Name: "two", Wait: run.WaitPark})
	d := begin(t, p, func(*drive, run.Spawn) play {
		return play{served: time.Second, after: time.Minute, verdict: run.Verdict{Class: run.ClassTransport}}
	})
	d.at(10*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if d.exit != 3 || d.count("attempt_started") != 1 || d.count("health_failed") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestSoftStopTakenBackGoesOn(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.spawn[sp.Target] == 1 {
			return limited(start.Add(time.Hour))
		}
		return works(time.Minute)
	})
	d.at(70*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.at(75*time.Second, run.Command{Verb: run.VerbTakeBack})
	d.run()
	if d.exit != 0 || d.count("turn_parked") != 1 || d.count("stop_cancelled") != 2 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestHardStopEndsEverythingNow(t *testing.T) {
	p := program("claude", "codex")
	p.Parallel = 2
	p.Tasks = []run.Task{{Name: "a", Wait: run.WaitPark, Pinned: true}, {Name: "b", Wait: run.WaitPark, Order: p.Order[1:]}}
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return limited(start.Add(time.Hour))
		}
		return works(time.Hour)
	})
	d.at(40*time.Second, run.Command{Verb: run.VerbHardStop})
	d.run()
	if d.exit != 130 || d.now.Sub(start) != 40*time.Second {
		t.Fatalf("exit %d at %s\n%s", d.exit, d.now.Sub(start), d.story())
	}
}

func TestWakeProbesBeforeTheReset(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.spawn[sp.Target] == 1 {
			return limited(start.Add(10 * time.Hour))
		}
		return works(time.Minute)
	})
	d.at(time.Minute, run.Command{Verb: run.VerbWake, Lane: 1})
	d.run()
	woken := all[run.TurnWoken](d)
	if d.exit != 0 || len(woken) != 1 || woken[0].Reason != run.WokenOperator || d.now.Sub(start) > 3*time.Minute {
		t.Fatalf("exit %d %+v", d.exit, woken)
	}
}

func TestClearReleasesTheLanesOfAFamily(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.spawn[sp.Target] == 1 {
			return limited(start.Add(10 * time.Hour))
		}
		return works(time.Minute)
	})
	d.at(time.Minute, run.Command{Verb: run.VerbClear, Family: "claude"})
	d.run()
	woken := all[run.TurnWoken](d)
	if d.exit != 0 || len(woken) != 1 || woken[0].Reason != run.WokenCleared {
		t.Fatalf("exit %d %+v", d.exit, woken)
	}
}

func TestPauseHoldsNewSpawns(t *testing.T) {
	p := program("claude")
	p.Iterations = 2
	d := begin(t, p, func(*drive, run.Spawn) play { return works(time.Minute) })
	d.at(10*time.Second, run.Command{Verb: run.VerbPause})
	d.at(time.Hour, run.Command{Verb: run.VerbUnpause})
	d.run()
	if d.exit != 0 || d.now.Sub(start) != time.Hour+time.Minute {
		t.Fatalf("exit %d at %s\n%s", d.exit, d.now.Sub(start), d.story())
	}
}

// A stop that comes when the last of the work is under way changes nothing, and the end
// says so.
func TestAStopThatComesTooLateIsNotTheEnd(t *testing.T) {
	d := begin(t, program("claude"), func(*drive, run.Spawn) play { return works(time.Minute) })
	d.at(30*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if e, _ := fact[run.RunEnded](d); d.exit != 0 || e.Why != "all tasks have ended" {
		t.Fatalf("exit %d: %s\n%s", d.exit, e.Why, d.story())
	}
}
