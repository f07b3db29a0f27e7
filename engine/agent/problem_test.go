package agent

import (
	"testing"

	"pgregory.net/rapid"
)

// Whatever was classified before: a finding is that of the problem itself.
func TestRememberedFindingsChangeNothing(t *testing.T) {
	problems := rapid.SampledFrom([]problem{
		{},
		{tag: "rate_limit"},
		{status: 429},
		{status: 529},
		{text: "You've hit your usage limit."},
		{text: "You've hit your usage limit.", tag: "overloaded"},
		{text: "Opus limit reached"},
		{text: "Opus limit reached", model: "opus-5"},
		{text: "No conversation found"},
		{text: "prompt is too long"},
	})
	rapid.Check(t, func(t *rapid.T) {
		var c classifier
		for _, p := range rapid.SliceOfN(problems, 1, 12).Draw(t, "problems") {
			if got, want := c.classify(p), p.classify(); got != want {
				t.Fatalf("%+v: %+v, want %+v", p, got, want)
			}
		}
	})
}
