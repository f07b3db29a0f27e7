package plan_test

import (
	"testing"
	"time"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
)

// A handoff that is cut is decided about before its agent has been started, and not
// where nobody knows the attempt.
func TestACutHandoffIsHeardInTime(t *testing.T) {
	p := program("claude", "codex")
	p.HandoffSummary = true
	cut := run.HandoffCut{Lane: 1, Attempt: 2, Bytes: 100_000}
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if sp.Attempt == 1 {
			return breaksOff(run.ClassAuth)
		}
		if !sp.Ask || sp.Summarise {
			t.Errorf("%+v", sp)
		}
		return works(time.Hour)
	})
	for _, h := range []run.HandoffCut{cut, {Lane: 1, Attempt: 7}, {Lane: 3, Attempt: 2}} {
		d.at(30*time.Minute, h)
	}
	d.run()
	if d.count("summary_asked") != 0 || d.count("attempt_started") != 2 {
		t.Errorf("it was heard after the start\n%s", d.story())
	}

	s := &run.State{}
	plan.Decide(s, run.Begin{RunID: "test", Program: p, Seed: 1, Epoch: start, Speed: 1}, start)
	plan.Decide(s, run.Served{Lane: 1, Attempt: 1, Sign: "text"}, start)
	plan.Decide(s, run.Ended{Lane: 1, Attempt: 1, Verdict: run.Verdict{Class: run.ClassAuth}}, start)
	facts, effects := plan.Decide(s, cut, start)
	sp, ok := effects[0].(run.Spawn)
	if len(facts) != 1 || facts[0].Body.Name() != "summary_asked" || len(effects) != 1 || !ok || !sp.Summarise || sp.Ask {
		t.Errorf("%+v, %+v", facts, effects)
	}
}
