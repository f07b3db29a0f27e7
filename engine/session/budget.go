package session

import (
	"maps"
	"slices"
	"strings"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

// unpriced tells which agents of a program its budgets of money do not bound; empty if
// there are none.
func unpriced(p run.Program) string {
	bound := p.Limits.MaxCostUSD > 0 || slices.ContainsFunc(p.Tasks, func(t run.Task) bool { return t.MaxCostUSD > 0 })
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		if preset, _ := agent.Lookup(p.Agents[name].Preset); !preset.Priced {
			names = append(names, name)
		}
	}
	if !bound || len(names) == 0 {
		return ""
	}
	return "max_cost_usd leaves out what is used by " + strings.Join(names, ", ") + ", where nobody states a cost; max_tokens counts it"
}
