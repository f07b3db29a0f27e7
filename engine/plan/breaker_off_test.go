package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func standardLadder(p run.Program) run.Program {
	p.Retry.MaxRetries = 6
	return p
}

func breakerOff(p run.Program) run.Program {
	p.Breaker.On = false
	return p
}

func TestBreakerOffNineHintlessLimitsThenSuccess(t *testing.T) {
	p := breakerOff(standardLadder(program("claude")))
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.spawn[sp.Target] <= 9 {
			return bare()
		}
		return works(time.Minute)
	}).run()
	got := map[string]int{
		"retries": d.count("retry_scheduled"), "parks": d.count("turn_parked"), "woken": d.count("turn_woken"),
		"attempts": d.count("attempt_started"), "exhausted": d.count("retries_exhausted"), "exit": d.exit,
	}
	want := map[string]int{"retries": 6, "parks": 3, "woken": 3, "attempts": 10, "exhausted": 0, "exit": 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestBreakerOffStatedWaitIsJitteredUpwardByAnEighth(t *testing.T) {
	p := breakerOff(program("claude"))
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.spawn[sp.Target] == 1 {
			return limited(d.now.Add(302 * time.Second)) // ends after two
		}
		return works(time.Minute)
	}).run()
	parks := all[run.TurnParked](d)
	if len(parks) != 1 || parks[0].PlannedMs < 300_000 || parks[0].PlannedMs > 337_500 {
		t.Fatalf("%+v", parks)
	}
}
