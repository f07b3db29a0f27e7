package plan_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// An agent that is served and breaks off at once climbs the ladder all the same:
// it must not be started for ever.
func TestAServedAttemptThatBreaksOffAtOnceClimbsTheLadder(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return play{served: time.Second, after: 3 * time.Second, verdict: run.Verdict{Class: run.ClassIncomplete}}
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.spawn[run.Target{Agent: "claude"}] != 3 || d.count("provider_fallback") != 1 {
		t.Fatalf("exit %d, spawns %v\n%s", d.exit, d.spawn, d.story())
	}
}

// Progress that lasted takes the ladder down.
func TestProgressThatLastedTakesTheLadderDown(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.spawn[sp.Target] <= 5 {
			return play{served: time.Second, after: 5 * time.Minute, verdict: run.Verdict{Class: run.ClassTransport}}
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.count("retry_scheduled") != 5 || d.count("health_failed") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

// A stated reset that is always a moment away does not make probes a hot loop.
func TestAResetThatIsAlwaysAMomentAwayIsProbedBySchedule(t *testing.T) {
	p := program("claude")
	p.Deadline = run.Duration(20 * time.Minute)
	d := begin(t, p, func(d *drive, _ run.Spawn) play { return limited(d.now.Add(3 * time.Second)) }).run()
	if n := d.spawn[run.Target{Agent: "claude"}]; n > 80 {
		t.Fatalf("%d spawns in %s\n%s", n, d.now.Sub(start), d.story())
	}
}
