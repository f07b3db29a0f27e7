package program

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/layover/engine/run"
)

// installed lists the agents that cannot be started. An order of which none can
// be started is a fault.
func (a *agents) installed(p *run.Program) []string {
	if a.r.opts.LookPath == nil {
		return nil
	}
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		if !a.found(p.Agents[name]) {
			missing = append(missing, name)
		}
	}
	for _, o := range a.orders {
		gone := func(t run.Target) bool { return slices.Contains(missing, t.Agent) }
		if len(o.targets) > 0 && !slices.ContainsFunc(o.targets, func(t run.Target) bool { return !gone(t) }) {
			a.noneInstalled(o)
		}
	}
	return missing
}

// found reports whether the command of an agent is there.
func (a *agents) found(g run.Agent) bool {
	p, _ := a.preset(g.Preset)
	command := p.Command
	if len(g.Command) > 0 {
		command = g.Command[0]
	}
	_, err := a.r.opts.LookPath(command)
	return err == nil
}

// noneInstalled complains about an order that nothing could run on.
func (a *agents) noneInstalled(o bound) {
	var names, ways []string
	for _, t := range o.targets {
		if slices.Contains(names, t.Agent) {
			continue
		}
		names = append(names, t.Agent)
		if way := a.wayTo(t.Agent); way != "" {
			ways = append(ways, way)
		}
	}
	if there := a.there(); len(there) > 0 {
		ways = append(ways, "put an agent into the order that is installed: "+strings.Join(there, ", "))
	}
	message := fmt.Sprintf("%s is not installed, and the order names no other agent", names[0])
	if len(names) > 1 {
		message = "none of " + strings.Join(names, ", ") + " is installed"
	}
	a.r.fault(o.path, message, strings.Join(ways, ", or "))
}

// wayTo tells how to get an agent.
func (a *agents) wayTo(name string) string {
	g := a.used[name]
	if len(g.Command) > 0 {
		return fmt.Sprintf("set command of [agents.%s], %q was not found", name, g.Command[0])
	}
	p, _ := a.preset(g.Preset)
	if p.Install == "" {
		return fmt.Sprintf("put %s into your PATH", p.Command)
	}
	return fmt.Sprintf("install %s with %s", p.Name, p.Install)
}

// there lists the presets whose commands are installed.
func (a *agents) there() []string {
	var names []string
	for _, p := range a.r.opts.Presets {
		if !p.NoCommand && a.found(run.Agent{Preset: p.Name}) {
			names = append(names, p.Name)
		}
	}
	return names
}
