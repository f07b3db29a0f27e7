package program

import (
	"errors"
	"fmt"
	"math"

	"github.com/BurntSushi/toml"

	"example.com/layover/engine/run"
)

const (
	maxParallel   = 1000
	maxIterations = 1_000_000
	maxCount      = 1_000_000
	// maxSeconds bounds lengths of time that are written as numbers: ten years.
	maxSeconds = 10 * 366 * 24 * 3600
)

// decode reads the TOML text. Where that fails nothing else can be checked.
func (r *reader) decode(data []byte) (table, bool) {
	r.places = places{}
	syntax := func(line int, message string) (table, bool) {
		r.faults = append(r.faults, Fault{
			File: r.file, Line: line, Message: message, Hint: "nothing else was checked",
		})
		return table{}, false
	}
	if len(data) > maxFile {
		return syntax(0, fmt.Sprintf("larger than %d bytes", maxFile))
	}
	at, deep := scan(string(data))
	if deep > 0 {
		return syntax(deep, "nested too deep")
	}
	var m map[string]any
	if _, err := toml.Decode(string(data), &m); err != nil {
		if p, ok := errors.AsType[toml.ParseError](err); ok {
			return syntax(max(p.Position.Line, 1), short(p.Message))
		}
		return syntax(0, err.Error())
	}
	r.places = at
	return table{r: r, m: m}, true
}

// section opens a table within a table; one that is not there is empty.
func (t table) section(key, shape string) table {
	sub := table{r: t.r, path: member(t.path, key), shape: shape}
	v, ok := t.raw(key)
	if !ok {
		return sub
	}
	if sub.m, ok = v.(map[string]any); !ok {
		t.wrongType(key, "a table", v, "write "+shape+" above its keys")
	}
	return sub
}

// launch reads the whole file. What it gives means nothing if there are faults.
func (r *reader) launch(top table, name string) Launch {
	p := run.Defaults()
	p.Name = name
	if s, ok := top.word("name"); ok {
		p.Name = s
	}
	top.duration("deadline", length{above: reserve}, &p.Deadline)
	top.count("iterations", 1, maxIterations, &p.Iterations)
	top.count("parallel", 1, maxParallel, &p.Parallel)
	top.duration("patience", length{zero: true, off: true}, &p.Patience)
	top.duration("max_park", length{zero: true}, &p.MaxPark)
	top.count("max_swaps", 0, maxCount, &p.MaxSwaps)
	top.flag("handoff", &p.Handoff)
	top.flag("handoff_summary", &p.HandoffSummary)
	if p.HandoffSummary && !p.Handoff {
		top.fault("handoff_summary", "handoff_summary needs a handoff, but handoff is false", "")
	}
	if s, ok := top.choice("on_death", "finish", "end"); ok {
		p.OnDeath = s
	}
	p.Until = top.argv("until", true)
	top.breaker(&p.Breaker)
	retry := top.section("retry", "[retry]")
	retry.count("max_retries", 0, maxCount, &p.Retry.MaxRetries)
	retry.close()
	top.limits(&p.Limits)

	a := top.agents()
	p.Order = a.order(top)
	p.Tasks = top.tasks(a, p.Order)
	top.close()
	r.strays()
	p.Agents = a.used
	return Launch{Program: p, Missing: a.installed(&p)}
}

func (t table) breaker(b *run.Breaker) {
	s := t.section("breaker", "[breaker]")
	defer s.close()
	s.flag("rate_limit_circuit_breaker", &b.On)
	if n, ok := s.whole("rate_limit_default_cooldown_s", 1, maxSeconds); ok {
		b.Cooldown = run.Duration(n * 1e9)
	}
}

func (t table) limits(l *run.Limits) {
	s := t.section("limits", "[limits]")
	defer s.close()
	s.duration("stall_timeout", length{}, &l.StallTimeout)
	s.duration("kill_grace", length{zero: true}, &l.KillGrace)
	if n, ok := s.whole("max_output_bytes", 1, math.MaxInt64); ok {
		l.MaxOutputBytes = n
	}
	s.budget(&l.Budget)
}

// budget reads the bounds of tokens and money in a table.
func (t table) budget(b *run.Budget) {
	t.dollars("max_cost_usd", &b.MaxCostUSD)
	if n, ok := t.whole("max_tokens", 1, math.MaxInt64); ok {
		b.MaxTokens = n
	}
}
