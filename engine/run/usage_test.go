package run_test

import (
	"math"
	"testing"

	"example.com/layover/engine/run"
)

// A sum of usages stays a number, however much was stated.
func TestUsageStaysANumber(t *testing.T) {
	much := run.Usage{Input: math.MaxInt64, Output: math.MaxInt64 - 1, CostUSD: math.MaxFloat64, Unpriced: math.MaxInt64}
	got := much.Add(much)
	if got.Input != math.MaxInt64 || got.Output != math.MaxInt64 || got.Unpriced != math.MaxInt64 || got.CostUSD != math.MaxFloat64 {
		t.Errorf("%+v", got)
	}
	if got.Tokens() != math.MaxInt64 {
		t.Errorf("%d tokens", got.Tokens())
	}
}
