package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestPinnedTasksNeverSwap(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks[0].Pinned = true
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" && d.now.Before(start.Add(time.Hour)) {
			return limited(start.Add(time.Hour))
		}
		return works(time.Minute)
	})
	d.at(time.Minute, run.Command{Verb: run.VerbSwap, Lane: 1}) // the operator is told so
	d.run()
	if d.exit != 0 || d.count("provider_fallback") != 0 || d.count("notice") != 1 || d.spawn[run.Target{Agent: "claude"}] != 2 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestAtMostMaxSwapsPerLane(t *testing.T) {
	for swaps := range 3 {
		p := program("claude", "codex", "gemini", "opencode")
		p.MaxSwaps = swaps
		p.Retry.MaxRetries = 0
		p.Deadline = run.Duration(time.Hour)
		d := begin(t, p, func(*drive, run.Spawn) play { return fails(run.ClassAuth) }).run()
		if got := d.state.Lane(1).Swaps; got != swaps || len(d.state.Lane(1).Attempts) != swaps+1 {
			t.Errorf("%d swaps, want %d\n%s", got, swaps, d.story())
		}
	}
}

func TestOverflowClimbsTwoRungsThenSwaps(t *testing.T) {
	p := program("claude", "codex")
	var kept []float64
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		kept = append(kept, sp.Keep)
		if sp.Target.Agent == "codex" {
			return works(time.Minute)
		}
		f := fails(run.ClassContextOverflow)
		f.served = time.Second
		return f
	}).run()
	if diff := cmp.Diff([]float64{1, 0.75, 0.5, 0.5}, kept); diff != "" || d.exit != 0 {
		t.Fatalf("exit %d %s\n%s", d.exit, diff, d.story())
	}
	d.before("overflow_rung", "overflow_rung", "provider_fallback")
	for _, a := range d.state.Lane(1).Attempts[1:] {
		if a.Resume != "" {
			t.Fatalf("attempt %d resumes the conversation that was too long", a.ID)
		}
	}
	if d.count("retries_exhausted")+d.count("error")+d.count("health_failed") != 0 {
		t.Fatal(d.story())
	}
}

func TestAnOverloadThatStatesItsWaitIsNeverTriedBefore(t *testing.T) {
	for name, tt := range map[string]struct {
		wait    time.Duration
		inline  int
		windows int
	}{"short": {time.Minute, 1, 0}, "long": {10 * time.Minute, 0, 1}} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			over := fails(run.ClassOverloaded)
			over.verdict.How, over.verdict.Reset = run.HowStated, start.Add(2*time.Second+tt.wait)
			d := begin(t, p, once(over, works(time.Minute))).run()
			a := d.state.Lane(1).Attempts
			if d.exit != 0 || a[1].StartedAt.Sub(a[0].EndedAt) != tt.wait || d.count("retry_scheduled") != tt.inline || d.count("window_opened") != tt.windows {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
		})
	}
}

func TestAnOverloadThatStatesShortWaitsForEverOpensAWindow(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		over := fails(run.ClassOverloaded)
		over.verdict.How, over.verdict.Reset = run.HowStated, d.now.Add(12*time.Second)
		if d.now.Sub(start) > time.Minute {
			return works(time.Minute)
		}
		return over
	}).run()
	if d.exit != 0 || d.count("window_opened") != 1 || d.count("family_tripped") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestOverflowWithoutASwapFails(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(*drive, run.Spawn) play { return fails(run.ClassContextOverflow) }).run()
	if d.exit != 1 || d.count("overflow_rung") != 2 || d.count("task_requeued") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestOverloadedClimbsTheLadderThenThrottlesWithoutATrip(t *testing.T) {
	p := standardLadder(program("claude"))
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(time.Minute)) {
			return fails(run.ClassOverloaded)
		}
		return works(time.Minute)
	}).run()
	w, _ := fact[run.WindowOpened](d)
	if d.exit != 0 || d.count("retry_scheduled") != 6 || w.Kind != run.KindThrottle || w.Trip || d.count("family_tripped") != 0 {
		t.Fatalf("exit %d %+v\n%s", d.exit, w, d.story())
	}
	if len(d.state.Trips) != 0 || d.count("health_failed") != 0 {
		t.Fatalf("trips %v", d.state.Trips)
	}
	d.before("retry_scheduled", "window_opened", "turn_parked", "permit_granted", "probe_settled", "window_cleared")
}

func TestABlockedTaskIsRequeuedWithItsSessionAndTakenUpByANewLane(t *testing.T) {
	p := program("claude")
	d := begin(t, p, once(fails(run.ClassAuth), works(time.Minute)))
	d.at(time.Hour, run.CredentialsChanged{Family: "claude"})
	d.run()
	job, _ := fact[run.TaskRequeued](d)
	if d.exit != 0 || job.Job.Session != "session-1" || job.Job.Requeued != 1 || len(d.state.Lanes) != 2 {
		t.Fatalf("exit %d %+v", d.exit, job)
	}
	if a := d.state.Lane(2).Attempts[0]; a.Resume != "session-1" || !d.state.Lane(2).Job.FirstSpawn.Equal(start) {
		t.Fatalf("%+v", a)
	}
}

func TestARetryResumesTheSessionOfItsTarget(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return fails(run.ClassTransport)
		}
		return works(time.Minute)
	}).run()
	var resumed []string
	for _, a := range d.state.Lane(1).Attempts {
		resumed = append(resumed, a.Resume)
	}
	if diff := cmp.Diff([]string{"", "session-1", "session-1", ""}, resumed); diff != "" {
		t.Fatal(diff)
	}
}

func TestRetriesExhaustedIsWithheldUntilNoSwapIsLeft(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(time.Minute)) {
			return fails(run.ClassTransport)
		}
		return works(time.Minute)
	}).run()
	x, _ := fact[run.RetriesExhausted](d)
	want := run.RetriesExhausted{Attempts: 3, Retryable: true, Reasons: []run.Class{run.ClassTransport, run.ClassTransport, run.ClassTransport}}
	if diff := cmp.Diff(want, x); diff != "" {
		t.Fatal(diff)
	}
	d.before("provider_fallback", "retries_exhausted", "error", "turn_ended", "lane_ended", "task_requeued")
}

func TestEveryBurnedAttemptIsAccountedWhenItEnds(t *testing.T) {
	p := program("claude")
	used := run.Usage{Input: 3, Output: 4, CostUSD: 0.5}
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		pl := fails(run.ClassTransport)
		if d.spawn[sp.Target] == 3 {
			pl = works(time.Minute)
		}
		pl.verdict.Usage = used
		return pl
	}).run()
	if d.count("usage_incomplete") != 2 || d.count("usage") != 1 || d.state.Counts.Burned != 2 {
		t.Fatal(d.story())
	}
	want := used.Add(used).Add(used)
	if diff := cmp.Diff([]run.Usage{want, want, want}, []run.Usage{d.state.Usage, d.state.Lane(1).Usage, d.state.Family("claude").Usage}); diff != "" {
		t.Fatal(diff)
	}
}

func TestARunawayIsStalled(t *testing.T) {
	p := program("claude")
	d := begin(t, p, once(play{served: time.Second}, works(time.Minute)))
	d.at(time.Minute, run.RanAway{Lane: 1, Attempt: 1})
	d.run()
	if e, _ := fact[run.AttemptEnded](d); e.Verdict.Class != run.ClassStalled || d.exit != 0 || d.count("retry_scheduled") != 1 {
		t.Fatalf("exit %d %s\n%s", d.exit, e.Verdict.Class, d.story())
	}
}

func TestASwapThatLosesThePermitDoesNotComeBackToItsTarget(t *testing.T) {
	p := program("claude", "codex")
	p.Deadline = run.Duration(time.Hour)
	p.Retry.MaxRetries = 0
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if sp.Attempt == 1 {
			f := fails(run.ClassTransport)
			f.after = 2 * time.Minute
			return f
		}
		return works(time.Minute)
	})
	d.refuse = func(run.AskPermit) bool { return d.now.Sub(start) < 10*time.Minute }
	w := stated("codex", time.Minute)
	d.at(time.Second, run.Seen{Window: w})
	d.run()
	if d.state.Lane(1).State != run.LaneBlocked || len(d.state.Lane(1).Attempts) != 1 || d.exit != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestThereIsNoReturnToATargetThatProvedNothing(t *testing.T) {
	p := program("claude", "codex")
	p.Deadline = run.Duration(8 * time.Hour)
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case sp.Target.Agent == "codex":
			l := limited(start.Add(20 * time.Hour))
			l.served, l.after = time.Second, 20*time.Minute
			return l
		case sp.Attempt == 1:
			return limited(start.Add(10 * time.Hour))
		}
		return works(time.Minute)
	})
	d.at(10*time.Minute, run.Command{Verb: run.VerbClear, Family: "claude"})
	d.run()
	if d.exit != 0 || d.count("provider_fallback") != 1 || d.state.Lane(1).State != run.LaneBlocked {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestALaneReturnsThoughAThirdTargetIsFreeIfNoSwapIsLeft(t *testing.T) {
	p := program("claude", "codex", "gemini")
	p.Tasks, p.Parallel = tasks(2), 2
	p.Tasks[1].Order = p.Order[:1]
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
	var to []string
	for _, b := range all[run.ProviderFallback](d) {
		to = append(to, b.To.Agent)
	}
	if diff := cmp.Diff([]string{"codex", "claude"}, to); diff != "" || d.exit != 0 {
		t.Fatalf("exit %d %s\n%s", d.exit, diff, d.story())
	}
}

// A lane whose second target is limited for longer than the first goes back and
// probes the first when that is due: nobody else would.
func TestALaneGoesBackToTheTargetThatResetsFirst(t *testing.T) {
	p := program("near", "far")
	near, far := start.Add(150*time.Second), start.Add(8*time.Hour)
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case sp.Target.Agent == "near" && d.now.Before(near):
			return limited(near)
		case sp.Target.Agent == "far" && d.now.Before(far):
			return limited(far)
		}
		return works(time.Minute)
	}).run()
	swaps := all[run.ProviderFallback](d)
	if d.exit != 0 || d.now.After(near.Add(5*time.Minute)) || len(swaps) != 2 || swaps[1].Counted || d.count("probe_settled") != 1 {
		t.Fatalf("exit %d after %s, %+v\n%s", d.exit, d.now.Sub(start), swaps, d.story())
	}
}

// The same when the first is refused again: the lane probes whichever is due next,
// one spawn each, and never the one that is not due.
func TestALaneThatGoesBackDoesNotPingPong(t *testing.T) {
	p := program("near", "far")
	resets := map[string][]time.Duration{"near": {10 * time.Minute, 50 * time.Minute}, "far": {30 * time.Minute}}
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		for _, r := range resets[sp.Target.Agent] {
			if at := start.Add(r); d.now.Before(at) {
				return limited(at)
			}
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.count("attempt_started") != 4 || d.now.Sub(start) > 32*time.Minute {
		t.Fatalf("exit %d after %s, %d attempts\n%s", d.exit, d.now.Sub(start), d.count("attempt_started"), d.story())
	}
}
