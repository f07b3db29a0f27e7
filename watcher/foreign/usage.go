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

// ownOf is what is to be counted for the run itself: what it has used beside its agents, and
// what those have used that were not shown, as far as it was not counted while they were.
func (t *Teller) ownOf(p *picture) run.Usage {
	u := p.own
	for i := range p.hidden {
		h := &p.hidden[i]
		if x := t.lanes[h.key]; x != nil {
			u = u.Add(h.usage.Less(x.counted))
		} else {
			u = u.Add(h.usage)
		}
	}
	return u
}

// spend accounts what the run itself has used since it was last counted.
func (d *draft) spend(p *picture) {
	own := d.t.ownOf(p)
	if u := own.Less(d.t.own); u != (run.Usage{}) {
		d.t.own = own
		d.aside(d.late, run.UsageCounted{Usage: u})
	}
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
