package foreign

import (
	"slices"

	"example.com/layover/engine/run"
)

func taskOf(l *lane) run.Task {
	return run.Task{Name: l.name, Dir: string(l.dir), Wait: run.WaitNever}
}

// mostAgents bounds the kinds of agents of a program that is made up.
const mostAgents = 32

// programOf makes up the program of which a run would be one of ours: a task for each
// agent, and each kind of agent as a target.
func programOf(p *picture) run.Program {
	prog := run.Program{
		Name: p.name, Iterations: 1, Parallel: max(1, len(p.lanes)), Patience: run.Off, OnDeath: "finish",
		Agents: map[string]run.Agent{}, Tasks: make([]run.Task, 0, len(p.lanes)),
	}
	for i := range p.lanes {
		l := &p.lanes[i]
		prog.Tasks = append(prog.Tasks, taskOf(l))
		if _, known := prog.Agents[l.target.Agent]; known || len(prog.Agents) == mostAgents {
			continue
		}
		prog.Agents[l.target.Agent] = run.Agent{Preset: l.family, Family: l.family}
		prog.Order = append(prog.Order, run.Target{Agent: l.target.Agent})
	}
	for _, w := range p.words { // a family that is limited may have no agent
		f := w.Suspicion.Family
		if !slices.ContainsFunc(prog.Order, func(t run.Target) bool { return prog.FamilyOf(t) == f }) && len(prog.Agents) < mostAgents {
			prog.Agents[f] = run.Agent{Preset: f, Family: f}
			prog.Order = append(prog.Order, run.Target{Agent: f})
		}
	}
	return prog
}
