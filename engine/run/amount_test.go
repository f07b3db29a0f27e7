package run_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

func TestCount(t *testing.T) {
	cases := map[string]struct {
		n    int64
		want string
	}{
		"none":        {0, "0"},
		"few":         {999, "999"},
		"thousand":    {1000, "1.0k"},
		"one decimal": {1250, "1.2k"},
		"tens":        {12_399, "12.3k"},
		"hundreds":    {123_999, "123k"},
		"not yet":     {999_999, "999k"},
		"million":     {3_400_000, "3.4M"},
		"billion":     {50_000_000_000, "50.0G"},
		"largest":     {math.MaxInt64, "9.2E"},
		"negative":    {-1250, "-1.2k"},
		"smallest":    {math.MinInt64, "-9.2E"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := run.Count(c.n); got != c.want {
				t.Errorf("Count(%d) = %q, want %q", c.n, got, c.want)
			}
		})
	}
}

func TestDollars(t *testing.T) {
	cases := map[string]struct {
		usd  float64
		want string
	}{
		"none":           {0, "$0.00"},
		"trace":          {0.0001, "<$0.001"},
		"tenth":          {0.001, "$0.001"},
		"tenths":         {0.004, "$0.004"},
		"almost a cent":  {0.00949, "$0.009"},
		"a cent":         {0.0095, "$0.01"},
		"cents":          {0.014, "$0.01"},
		"dollars":        {1.239, "$1.24"},
		"hundreds":       {123.4, "$123.40"},
		"almost a 1000":  {999.999, "$1000"},
		"thousands":      {1234.4, "$1234"},
		"almost million": {999_999.7, "$999k"},
		"million":        {1e6, "$1.0M"},
		"millions":       {123.4e6, "$123M"},
		"negative":       {-1, "$?"},
		"not a number":   {math.NaN(), "$?"},
		"infinite":       {math.Inf(1), "$?"},
		"absurd":         {1e300, "$?"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := run.Dollars(c.usd); got != c.want {
				t.Errorf("Dollars(%v) = %q, want %q", c.usd, got, c.want)
			}
		})
	}
}

// Whatever a program or an agent states, a figure is short, and something is not told
// as nothing.
func TestFiguresAreShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, usd := rapid.Int64Min(0).Draw(t, "n"), rapid.Float64().Draw(t, "usd")
		if got := run.Count(n); len(got) > 5 || got == "" {
			t.Errorf("Count(%d) = %q", n, got)
		}
		if got := run.Dollars(usd); len(got) > 7 || (usd != 0 && got == "$0.00") {
			t.Errorf("Dollars(%v) = %q", usd, got)
		}
		spent := run.BudgetSpent{Task: "x", Used: run.Usage{CostUSD: usd, Input: n}, Budget: run.Budget{MaxCostUSD: usd, MaxTokens: n}}
		if got := spent.String(); len(got) > 60 || strings.Contains(got, "e+") {
			t.Errorf("%q", got)
		}
	})
}
