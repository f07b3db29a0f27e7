package program

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"example.com/layover/engine/run"
)

// agents resolves the names in orders to agents.
type agents struct {
	r *reader
	// described are the agents of the file's [agents] tables; a nil one is faulty
	// and has been complained about.
	described map[string]*run.Agent
	// used are the agents that some order names.
	used map[string]run.Agent
	// orders are the orders that bind some task, to be checked for what is installed.
	orders []bound
}

// bound is an order and where it is written.
type bound struct {
	path    string
	targets []run.Target
}

// agents reads the [agents] tables.
func (t table) agents() *agents {
	a := &agents{r: t.r, described: map[string]*run.Agent{}, used: map[string]run.Agent{}}
	all := t.section("agents", "[agents.NAME]")
	for _, name := range slices.Sorted(maps.Keys(all.m)) {
		m, ok := all.m[name].(map[string]any)
		if !ok {
			all.wrongType(name, "a table", all.m[name], "write [agents."+name+"] above its keys")
			a.described[name] = nil
			continue
		}
		a.described[name] = a.describe(name, table{t.r, member(all.path, name), all.shape, m})
	}
	return a
}

// describe reads one [agents.NAME]; nil if it does not say which preset it is.
func (a *agents) describe(name string, t table) *run.Agent {
	defer t.close()
	g := &run.Agent{Preset: name, Command: t.argv("command", true), Args: t.argv("args", false), Rules: t.rules()}
	if len(g.Command) > 0 {
		g.Command[0] = a.r.command(g.Command[0])
	}
	_, given := t.raw("preset")
	preset, readable := t.word("preset")
	family, ownFamily := t.word("family")
	if readable {
		g.Preset = preset
	}
	p, known := a.preset(g.Preset)
	why := notAWord(name)
	switch {
	case why != "":
		a.r.fault(t.path, fmt.Sprintf("agent name %q %s", name, why), "")
		return nil
	case given && !readable:
		return nil // the fault is there already
	case given && !known:
		t.fault("preset", fmt.Sprintf("unknown preset %q", preset), suggest(preset, a.presets()))
		return nil
	case !known:
		a.r.fault(t.path, fmt.Sprintf("agent %q is no preset and names none", name), suggest(name, a.presets()))
		return nil
	}
	g.Family = p.Family
	if p.NoCommand {
		g.Family = name // it has no provider that is known
	}
	if ownFamily {
		g.Family = family
	}
	if !a.whole(name, p, t) {
		return nil
	}
	return g
}

// whole reports whether an agent has what its preset needs, and nothing that only others
// can use.
func (a *agents) whole(name string, p Preset, t table) bool {
	_, command := t.raw("command")
	_, rules := t.raw("rule")
	if p.NoCommand && !command {
		a.r.fault(t.path, fmt.Sprintf("agent %q has no command, which preset %s needs", name, p.Name), `add command = ["program", "argument"]`)
	}
	if rules && !p.NoCommand {
		t.fault("rule", fmt.Sprintf("rule is not for preset %s, whose output is known", p.Name), "")
	}
	return p.NoCommand && command || !p.NoCommand && !rules
}

// command makes a relative path absolute, since agents start elsewhere; a bare
// name is looked up in PATH and stays as it is.
func (r *reader) command(c string) string {
	if strings.ContainsRune(c, filepath.Separator) && !filepath.IsAbs(c) {
		return filepath.Join(r.opts.Dir, c)
	}
	return c
}

// preset finds a preset, with its family and command filled in.
func (a *agents) preset(name string) (Preset, bool) {
	for _, p := range a.r.opts.Presets {
		if p.Name != name {
			continue
		}
		if p.Family == "" {
			p.Family = p.Name
		}
		if p.Command == "" {
			p.Command = p.Name
		}
		return p, true
	}
	return Preset{}, false
}

// presets lists the names of the presets.
func (a *agents) presets() []string {
	names := make([]string, len(a.r.opts.Presets))
	for i, p := range a.r.opts.Presets {
		names[i] = p.Name
	}
	return names
}

// suggest words what could have been meant by a name, or what there is.
func suggest(name string, known []string) string {
	if hint := meant(name, known); hint != "" {
		return hint
	}
	return "there are: " + strings.Join(known, ", ")
}

// order reads the order of a table; empty if it has none or a faulty one.
func (a *agents) order(t table) []run.Target {
	const hint = `write it as a list: order = ["claude", "codex"]`
	v, ok := t.raw("order")
	if !ok {
		return nil
	}
	path := member(t.path, "order")
	words, ok := a.r.strings(path, "order", v, hint)
	if !ok {
		return nil
	}
	if len(words) == 0 {
		a.r.fault(path, "order is empty", `list what to run on, best first: order = ["claude", "codex"]`)
		return nil
	}
	return a.targets(path, words)
}

// targets reads the targets of an order that is written at path; none if one of
// them is faulty, so that nothing is said about what is left.
func (a *agents) targets(path string, words []string) []run.Target {
	var targets []run.Target
	whole := true
	for i, w := range words {
		at := element(path, i)
		target, ok := a.target(at, w)
		if ok && slices.Contains(targets, target) {
			a.r.fault(at, fmt.Sprintf("order names %q twice", w), "")
		}
		whole = whole && ok
		targets = append(targets, target)
	}
	if !whole {
		return nil
	}
	return targets
}

// target reads one target and notes its agent as used.
func (a *agents) target(path, word string) (run.Target, bool) {
	var t run.Target
	if err := t.UnmarshalText([]byte(word)); err != nil || word == "" {
		a.r.fault(path, fmt.Sprintf("%q is no target", word), `write "claude" or "claude:opus"`)
		return t, false
	}
	if t.Model != "" {
		if strings.ContainsFunc(t.Model, func(c rune) bool { return c == ' ' || !unicode.IsPrint(c) }) {
			a.r.fault(path, fmt.Sprintf("model of %q contains a space or a character that cannot be shown", word), "")
			return t, false
		}
	}
	if g, ok := a.described[t.Agent]; ok {
		if g != nil {
			a.used[t.Agent] = *g
		}
		return t, g != nil
	}
	p, ok := a.preset(t.Agent)
	if !ok {
		known := a.presets()
		for _, name := range slices.Sorted(maps.Keys(a.described)) {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
		a.r.fault(path, fmt.Sprintf("unknown agent %q", t.Agent), suggest(t.Agent, known))
		return t, false
	}
	if p.NoCommand {
		a.r.fault(path, fmt.Sprintf("agent %q has no command", t.Agent), "add [agents."+t.Agent+`] with command = ["program", "argument"]`)
		return t, false
	}
	a.used[t.Agent] = run.Agent{Preset: p.Name, Family: p.Family}
	return t, true
}
