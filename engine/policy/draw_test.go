package policy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"example.com/layover/engine/policy"
)

func TestDrawIsTheSameForTheSameAttemptAndLiesInItsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		lane, attempt := rapid.IntRange(0, 1000).Draw(t, "lane"), rapid.IntRange(0, 1000).Draw(t, "attempt")
		kind := rapid.SampledFrom([]string{"retry", "park", "health", ""}).Draw(t, "kind")
		a, b := policy.Draw(seed, lane, attempt, kind), policy.Draw(seed, lane, attempt, kind)
		if a != b || a < 0 || a >= 1 {
			t.Fatalf("drew %v, then %v", a, b)
		}
	})
}

func TestDrawDependsOnEachOfItsArguments(t *testing.T) {
	base := policy.Draw(1, 2, 3, "retry")
	for name, other := range map[string]float64{
		"seed": policy.Draw(2, 2, 3, "retry"), "lane": policy.Draw(1, 3, 3, "retry"),
		"attempt": policy.Draw(1, 2, 4, "retry"), "kind": policy.Draw(1, 2, 3, "park"),
		"swapped": policy.Draw(1, 3, 2, "retry"),
	} {
		if other == base {
			t.Errorf("another %s draws the same", name)
		}
	}
}

// A chi-square test over sixteen bins: above 60 a uniform draw comes once in
// many millions. Neighbouring lanes and attempts must not correlate either.
func TestDrawIsUniformOverLanesAndAttempts(t *testing.T) {
	const bins, lanes, attempts = 16, 100, 100
	var count [bins]float64
	var along, n float64
	for lane := range lanes {
		before := policy.Draw(7, lane, 0, "park")
		for attempt := 1; attempt <= attempts; attempt++ {
			u := policy.Draw(7, lane, attempt, "park")
			count[int(u*bins)]++
			along += (u - 0.5) * (before - 0.5)
			before, n = u, n+1
		}
	}
	chi := 0.0
	for _, c := range count {
		chi += (c - n/bins) * (c - n/bins) / (n / bins)
	}
	if chi > 60 {
		t.Errorf("chi-square is %.1f: %v", chi, count)
	}
	if r := along / n * 12; math.Abs(r) > 0.05 {
		t.Errorf("neighbours correlate by %.3f", r)
	}
}
