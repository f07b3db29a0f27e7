package text_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"example.com/layover/tui/text"
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
			if got := text.Count(c.n); got != c.want {
				t.Errorf("Count(%d) = %q, want %q", c.n, got, c.want)
			}
		})
	}
}

func TestCountIsShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(0).Draw(t, "n")
		if got := text.Count(n); len(got) > 5 || got == "" {
			t.Errorf("Count(%d) = %q", n, got)
		}
	})
}

func TestShare(t *testing.T) {
	for part, want := range map[float64]string{0.75: "3/4", 0.5: "1/2", 0.25: "1/4", 0: "0%", 0.335: "34%", 1: "100%"} {
		if got := text.Share(part); got != want {
			t.Errorf("Share(%v) = %q, want %q", part, got, want)
		}
	}
}

func TestCost(t *testing.T) {
	cases := map[string]struct {
		usd  float64
		want string
	}{
		"none":         {0, "$0.00"},
		"trace":        {0.0001, "<$0.01"},
		"cents":        {0.014, "$0.01"},
		"dollars":      {1.239, "$1.24"},
		"hundreds":     {123.4, "$123.40"},
		"thousands":    {1234.4, "$1234"},
		"negative":     {-1, "$?"},
		"not a number": {math.NaN(), "$?"},
		"infinite":     {math.Inf(1), "$?"},
		"absurd":       {1e300, "$?"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := text.Cost(c.usd); got != c.want {
				t.Errorf("Cost(%v) = %q, want %q", c.usd, got, c.want)
			}
		})
	}
}
