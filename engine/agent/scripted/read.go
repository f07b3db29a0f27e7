package scripted

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"example.com/layover/engine/run"
)

// Bounds of a world file. They keep every instant and every sum in range.
const (
	maxLength = run.Duration(366 * 24 * time.Hour)
	maxCount  = 1_000_000
	maxSpeed  = 100_000
	maxPrice  = 100_000
)

// Read reads a world file (TOML) and fills in the defaults. The error lists every
// fault of the file; an unknown key is one.
func Read(text []byte) (World, error) {
	w := World{
		Speed: 1,
		Work:  Work{Steps: 6, Step: run.Duration(20 * time.Second), TornPause: run.Duration(300 * time.Millisecond)},
	}
	meta, err := toml.Decode(string(text), &w)
	if err != nil {
		return World{}, fmt.Errorf("read world: %w", err)
	}
	var c check
	for _, key := range meta.Undecoded() {
		c.fault("unknown key %s", key)
	}
	w.complete()
	c.world(w)
	if err := errors.Join(c.faults...); err != nil {
		return World{}, fmt.Errorf("read world: %w", err)
	}
	return w, nil
}

// complete fills in the defaults that depend on other values.
func (w *World) complete() {
	for i := range w.Providers {
		p := &w.Providers[i]
		if p.Dialect == "" {
			p.Dialect = p.Family
		}
		if p.Model == "" {
			p.Model = p.Family
		}
		if p.InnerRetries == nil {
			p.InnerRetries = new(2)
		}
		if p.InnerWait == 0 {
			p.InnerWait = run.Duration(2 * time.Second)
		}
	}
	for i := range w.Tasks {
		if w.Tasks[i].Match == "" {
			w.Tasks[i].Match = w.Tasks[i].Name
		}
	}
}

// check collects the faults of a world.
type check struct{ faults []error }

func (c *check) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf(format, args...))
}

func (c *check) world(w World) {
	c.number("speed", w.Speed, 0, maxSpeed)
	c.count("work.steps", w.Work.Steps, 1)
	c.length("work.step", w.Work.Step)
	c.number("work.jitter", w.Work.Jitter, 0, 1)
	c.number("work.handoff_keeps", w.Work.HandoffKeeps, 0, 1)
	c.count("work.torn_every", w.Work.TornEvery, 0)
	c.length("work.torn_pause", w.Work.TornPause)
	if slices.Contains(w.Work.Handoff, "") {
		c.fault("work.handoff has an empty mark, which every prompt would bear")
	}
	if len(w.Providers) == 0 {
		c.fault("there is no [[provider]]")
	}
	families := map[string]bool{}
	for i, p := range w.Providers {
		at := fmt.Sprintf("provider %d (%q)", i+1, p.Family)
		c.name(at+".family", p.Family, families)
		c.provider(at, p)
	}
	names := map[string]bool{}
	for i, t := range w.Tasks {
		at := fmt.Sprintf("task %d (%q)", i+1, t.Name)
		c.name(at+".name", t.Name, names)
		c.count(at+".steps", t.Steps, 0)
		c.length(at+".step", t.Step)
	}
}

func (c *check) provider(at string, p Provider) {
	if !slices.Contains(dialects(), p.Dialect) {
		c.fault("%s.dialect: %q is none of %q", at, p.Dialect, dialects())
	}
	c.number(at+".input_usd", p.InputUSD, 0, maxPrice)
	c.number(at+".output_usd", p.OutputUSD, 0, maxPrice)
	c.length(at+".start", p.Start)
	c.count(at+".inner_retries", *p.InnerRetries, 0)
	c.length(at+".inner_wait", p.InnerWait)
	for _, n := range p.CutCalls {
		c.count(at+".cut_calls", n, 1)
	}
	names := map[string]bool{}
	for _, a := range p.Windows {
		c.name(at+".window.name", a.Name, names)
		if len(a.Calls) == 0 {
			c.fault("%s.window %q: calls is empty", at, a.Name)
		}
		for _, n := range a.Calls {
			c.count(at+".window.calls", n, 1)
		}
		if c.length(at+".window.length", a.Length); a.Length == 0 {
			c.fault("%s.window %q: length is missing", at, a.Name)
		}
	}
	for _, b := range p.Brownouts {
		c.brownout(at+".brownout", b)
	}
}

func (c *check) brownout(at string, b Brownout) {
	c.length(at+".from", b.From)
	c.length(at+".to", b.To)
	c.length(at+".wait", b.Wait)
	if b.To <= b.From {
		c.fault("%s: to must be later than from", at)
	}
	switch {
	case b.Kind != Throttled && b.Kind != Overloaded && b.Kind != Cut:
		c.fault("%s: kind must be \"429\", \"529\" or \"cut\"", at)
	case b.Wait != 0 && b.Kind != Throttled:
		c.fault("%s: only a 429 states a wait", at)
	}
}

func (c *check) name(at, name string, seen map[string]bool) {
	switch {
	case name == "":
		c.fault("%s is missing", at)
	case seen[name]:
		c.fault("%s: there are two of them", at)
	}
	seen[name] = true
}

func (c *check) count(at string, n, least int) {
	if n < least || n > maxCount {
		c.fault("%s: %d is not within %d and %d", at, n, least, maxCount)
	}
}

// number refuses what is out of bounds, infinities and not-a-numbers included.
func (c *check) number(at string, v, least, most float64) {
	if !(v >= least && v <= most) {
		c.fault("%s: %v is not within %v and %v", at, v, least, most)
	}
}

func (c *check) length(at string, d run.Duration) {
	if d < 0 || d > maxLength {
		c.fault("%s: %s is not within 0s and %s", at, d, maxLength)
	}
}
