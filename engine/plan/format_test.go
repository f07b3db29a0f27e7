package plan_test

import (
	"testing"
	"time"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
)

func TestARunStatesItsFormat(t *testing.T) {
	now := time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC)
	facts, _ := plan.Decide(&run.State{}, run.Begin{RunID: "r", Program: run.Defaults(), Epoch: now, Speed: 1}, now)
	if b, ok := facts[0].Body.(run.RunStarted); !ok || b.Format != run.Format {
		t.Errorf("the run begins with %+v", facts[0])
	}
}
