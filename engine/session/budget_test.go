package session

import (
	"testing"

	"example.com/layover/engine/run"
)

func TestABudgetOfMoneySaysWhatItLeavesOut(t *testing.T) {
	agents := map[string]run.Agent{"claude": {Preset: "claude"}, "codex": {Preset: "codex"}, "work": {Preset: "codex"}}
	money, tokens := run.Budget{MaxCostUSD: 1}, run.Budget{MaxTokens: 1}
	for name, tt := range map[string]struct {
		program run.Program
		want    string
	}{
		"no budget":    {run.Program{Agents: agents}, ""},
		"tokens":       {run.Program{Agents: agents, Limits: run.Limits{Budget: tokens}}, ""},
		"claude alone": {run.Program{Agents: map[string]run.Agent{"claude": agents["claude"]}, Limits: run.Limits{Budget: money}}, ""},
		"the run's":    {run.Program{Agents: agents, Limits: run.Limits{Budget: money}}, "max_cost_usd leaves out what is used by codex, work, where nobody states a cost; max_tokens counts it"},
		"a task's":     {run.Program{Agents: agents, Tasks: []run.Task{{}, {Budget: money}}}, "max_cost_usd leaves out what is used by codex, work, where nobody states a cost; max_tokens counts it"},
	} {
		if got := unpriced(tt.program); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
