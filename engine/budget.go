package engine

import (
	"maps"
	"slices"

	"example.com/layover/engine/run"
)

// spend tells the core of budgets that are spent once what the agents that run have
// used is added to what those before them did. What an agent states only at its end is
// not in it.
func (h *Host) spend() {
	if h.launch.Speed == 0 { // agents and clock keep no pace with each other
		return
	}
	all := h.state.Usage
	for _, id := range slices.Sorted(maps.Keys(h.agents)) {
		a := h.agents[id]
		used := a.used.Load()
		if used == nil {
			continue
		}
		all = all.Add(*used)
		l := h.state.Lane(a.lane)
		own := l.Used().Add(*used)
		if l.Spent == nil && h.state.Program.Tasks[l.Job.Task].Spent(own) {
			h.step(run.Overspent{Lane: a.lane, Used: own})
		}
	}
	if h.state.Spent == nil && h.state.Program.Limits.Spent(all) {
		h.step(run.Overspent{Used: all})
	}
}
