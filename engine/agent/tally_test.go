package agent

import (
	"strconv"
	"testing"

	"example.com/layover/engine/run"
)

func TestTallyCountsEachMessageOnce(t *testing.T) {
	var sum tally
	for i, tc := range []struct {
		id           string
		used         run.Usage
		fresh, moved bool
	}{
		{"a", run.Usage{Output: 1}, true, true},
		{"b", run.Usage{Output: 10}, true, true},
		{"a", run.Usage{Output: 5, Input: 2}, false, true},
		{"a", run.Usage{Output: 5, Input: 2}, false, false},
		{"b", run.Usage{Output: 10}, false, false},
		{"c", run.Usage{}, true, false},
	} {
		if fresh, moved := sum.add([]byte(tc.id), tc.used, nil); fresh != tc.fresh || moved != tc.moved {
			t.Errorf("%d: fresh %v, moved %v", i, fresh, moved)
		}
	}
	if want := (run.Usage{Output: 15, Input: 2}); sum.sum != want {
		t.Errorf("sum = %+v, want %+v", sum.sum, want)
	}
}

func TestTallyIsBounded(t *testing.T) {
	var sum tally
	for n := range 3 * maxTally {
		sum.add([]byte(strconv.Itoa(n)), run.Usage{Output: 1}, nil)
	}
	if len(sum.all) != maxTally || sum.sum.Output != 3*maxTally {
		t.Errorf("holds %d messages of %d, sum %d", len(sum.all), cap(sum.all), sum.sum.Output)
	}
}
