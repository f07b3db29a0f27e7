package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestLongStatedWaitSwapsAtOnce(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return limited(start.Add(10 * time.Minute))
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.count("turn_parked") != 0 || d.count("provider_fallback") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestPatienceIsSpentWaitingForAThrottle(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return bare()
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.count("provider_fallback") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
	for _, f := range d.facts {
		if f.Body.Name() == "provider_fallback" {
			if at := f.At.Sub(start); at < 2*time.Minute || at > 3*time.Minute {
				t.Fatalf("swapped after %s", at)
			}
		}
	}
}

func TestPatienceOffWaits(t *testing.T) {
	p := program("claude", "codex")
	p.Patience = run.Off
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" && d.now.Before(start.Add(3*time.Hour)) {
			return limited(start.Add(3 * time.Hour))
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.count("provider_fallback") != 0 || d.spawn[run.Target{Agent: "claude"}] != 2 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestPatienceInsideASuspectedAttempt(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return play{served: -1, suspect: 5 * time.Second} // retries inside for ever
		}
		return works(time.Minute)
	}).run()
	ending := all[run.AttemptEnding](d)
	if d.exit != 0 || len(ending) != 1 || ending[0].Why != run.EndingSwap || d.count("provider_fallback") != 1 {
		t.Fatalf("exit %d %+v\n%s", d.exit, ending, d.story())
	}
}

func TestSwapToAnExhaustedFamilyEndsAsAloneOnIt(t *testing.T) {
	agent := func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return limited(start.Add(20 * time.Hour))
		}
		return fails(run.ClassTransport)
	}
	ends := func(order ...string) []run.Body {
		p := program(order...)
		p.Deadline = run.Duration(60 * time.Second)
		var got []run.Body
		for _, f := range begin(t, p, agent).run().facts {
			switch b := f.Body.(type) {
			case run.TurnEnded, run.RetriesExhausted, run.Error:
				got = append(got, b)
			case run.LaneEnded:
				return got
			}
		}
		return got
	}
	if diff := cmp.Diff(ends("codex"), ends("claude", "codex")); diff != "" {
		t.Fatal(diff)
	}
	p := program("claude", "codex")
	p.Deadline = run.Duration(60 * time.Second)
	d := begin(t, p, agent).run()
	asked := 0
	for _, f := range d.facts {
		if b, ok := f.Body.(run.LaneRouted); ok && f.Lane == 1 && b.Why != "start" {
			asked++
		}
	}
	if asked != 1 {
		t.Fatalf("the router was asked %d times\n%s", asked, d.story())
	}
}

func TestReturnToAFamilyThatProvedToWork(t *testing.T) {
	p := program("claude", "codex")
	p.Parallel = 2
	p.Tasks = []run.Task{{Name: "a", Wait: run.WaitPark}, {Name: "b", Wait: run.WaitPark, Order: p.Order[:1]}}
	reset := start.Add(30 * time.Minute)
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case sp.Target.Agent == "claude" && d.now.Before(reset):
			return limited(reset)
		case sp.Target.Agent == "codex":
			return play{served: time.Second, after: 35 * time.Minute, verdict: limited(start.Add(20 * time.Hour)).verdict}
		}
		return works(time.Hour)
	}).run()
	swaps := all[run.ProviderFallback](d)
	if d.exit != 0 || len(swaps) != 2 || !swaps[0].Counted || swaps[1].Counted || swaps[1].To.Agent != "claude" {
		t.Fatalf("exit %d %+v\n%s", d.exit, swaps, d.story())
	}
}

func TestASuspectedAttemptThatWasJustServedKeepsItsPatience(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(*drive, run.Spawn) play {
		return play{served: time.Second, after: 11 * time.Minute, verdict: run.Verdict{Class: run.ClassSuccess}}
	})
	d.at(10*time.Minute, run.Suspected{Lane: 1, Attempt: 1, Why: "retry notice", LastServed: start.Add(10*time.Minute - time.Second)})
	d.run()
	if d.count("attempt_ending") != 0 {
		t.Fatal(d.story())
	}
}
