package foreign

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// see tells what the agents do now that has not been told, and how full their accounts
// are. What was counted already is not in what an agent has used so far.
func (t *Teller) see(p *picture, now time.Time) []run.Observation {
	var all []run.Observation
	for i := range p.lanes {
		l := &p.lanes[i]
		x := t.lanes[l.key]
		if x.attempt == 0 {
			continue
		}
		doing := l.doing
		doing.Usage = l.usage.Less(x.counted)
		doing.Doing, doing.Message = cut(doing.Doing, longestText), cut(doing.Message, longestText)
		doing.Model = word(doing.Model)
		if !l.state.Final() && doing != x.activity {
			x.activity = doing
			all = append(all, run.Observation{At: now, Lane: x.id, Attempt: x.attempt, Body: doing})
		}
		if len(l.gauges) > 0 && !slices.Equal(l.gauges, x.gauges) {
			x.gauges = slices.Clone(l.gauges)
			all = append(all, run.Observation{At: now, Lane: x.id, Attempt: x.attempt, Body: run.Gauges{Family: l.family, Readings: x.gauges}})
		}
	}
	return all
}
