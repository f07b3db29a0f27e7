package foreign

import (
	"math"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

// sane is a usage without numbers that cannot be meant.
func sane(u run.Usage) run.Usage {
	u.Input, u.Output = max(u.Input, 0), max(u.Output, 0)
	u.CacheRead, u.CacheWrite, u.Unpriced = max(u.CacheRead, 0), max(u.CacheWrite, 0), max(u.Unpriced, 0)
	if math.IsNaN(u.CostUSD) || math.IsInf(u.CostUSD, 0) || u.CostUSD < 0 {
		u.CostUSD = 0
	}
	return u
}

// covers reports whether a usage is that of before or more.
func covers(u, before run.Usage) bool {
	return u.Input >= before.Input && u.Output >= before.Output && u.CacheRead >= before.CacheRead &&
		u.CacheWrite >= before.CacheWrite && u.CostUSD >= before.CostUSD && u.Unpriced >= before.Unpriced
}

// turns is what the turns of a run.json have used: those of its coordinator, or in a file
// of ours those of the lanes.
func turns(f *runfile.File) run.Usage {
	var u run.Usage
	for _, t := range f.Turns {
		u = u.Add(run.Usage{Input: t.PromptTokens, Output: t.CompletionTokens})
	}
	return u
}
