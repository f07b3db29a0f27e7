package agent

import (
	"strconv"
	"testing"

	"example.com/layover/engine/run"
)

func TestTallyCountsEachMessageOnce(t *testing.T) {
	var sum tally
	if !sum.add([]byte("a"), run.Usage{Output: 1}) || !sum.add([]byte("b"), run.Usage{Output: 10}) {
		t.Error("a first line is not new")
	}
	if sum.add([]byte("a"), run.Usage{Output: 5, Input: 2}) {
		t.Error("a second line is new")
	}
	if want := (run.Usage{Output: 15, Input: 2}); sum.sum != want {
		t.Errorf("sum = %+v, want %+v", sum.sum, want)
	}
}

func TestTallyIsBounded(t *testing.T) {
	var sum tally
	for n := range 3 * maxTally {
		sum.add([]byte(strconv.Itoa(n)), run.Usage{Output: 1})
	}
	if len(sum.byID) != maxTally || len(sum.ids) != maxTally || sum.sum.Output != 3*maxTally {
		t.Errorf("holds %d messages of %d, sum %d", len(sum.byID), len(sum.ids), sum.sum.Output)
	}
}
