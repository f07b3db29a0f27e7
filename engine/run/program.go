package run

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Program is what the operator launches: tasks, an order of targets, a budget.
// Package engine/program reads and checks one; the core takes it as it is.
type Program struct {
	Name string `json:"name"`
	// Order lists the targets, best first.
	Order []Target `json:"order"`
	// Deadline bounds the whole run from its start; zero means none.
	Deadline Duration `json:"deadline,omitempty"`
	// Iterations is how often the list of tasks is worked through; at least one.
	Iterations int `json:"iterations"`
	// Until is a command asked after each iteration; exit 0 ends the program.
	Until []string `json:"until,omitempty"`
	// Parallel is how many lanes are open at once; at least one.
	Parallel int `json:"parallel"`
	// Patience bounds waiting while another target is free; [Off] waits.
	Patience Duration `json:"patience"`
	// OnDeath tells what agents do when Layover dies: "finish" or "end".
	OnDeath string `json:"on_death"`
	// MaxPark bounds waits that nobody stated, since the last progress.
	MaxPark Duration `json:"max_park"`
	// MaxSwaps bounds the swaps for failure of one lane.
	MaxSwaps int  `json:"max_swaps"`
	Handoff  bool `json:"handoff"`
	// HandoffSummary lets an agent summarise what is left out of a handoff that is too
	// long.
	HandoffSummary bool `json:"handoff_summary,omitempty"`
	// NoWait ends the run, limited, where it would have to wait.
	NoWait  bool    `json:"no_wait,omitempty"`
	Breaker Breaker `json:"breaker"`
	Retry   Ladder  `json:"retry"`
	Limits  Limits  `json:"limits"`
	// Agents describes every agent named in an order, by name.
	Agents map[string]Agent `json:"agents"`
	Tasks  []Task           `json:"tasks"`
}

// Breaker says whether windows are shared by the lanes of a run.
type Breaker struct {
	// On is rate_limit_circuit_breaker.
	On bool `json:"rate_limit_circuit_breaker"`
	// Cooldown is the outer bound of a window that nobody stated.
	Cooldown Duration `json:"rate_limit_default_cooldown"`
}

// Ladder is the inline retries of a turn.
type Ladder struct {
	// MaxRetries counts the retries after the first attempt.
	MaxRetries int `json:"max_retries"`
	// Base is the first delay, Cap the longest; the envelope doubles between.
	Base Duration `json:"base"`
	Cap  Duration `json:"cap"`
}

// Limits bound what one agent may take, and what all may use together.
type Limits struct {
	StallTimeout   Duration `json:"stall_timeout"`
	KillGrace      Duration `json:"kill_grace"`
	MaxOutputBytes int64    `json:"max_output_bytes"`
	// Budget bounds the whole run.
	Budget
}

// Agent is one agent of a program: a preset with the operator's changes.
type Agent struct {
	Preset string `json:"preset"`
	// Family is the limit domain: provider and account.
	Family string `json:"family"`
	// Command is the program to start, with arguments that come before all others;
	// empty means the preset's. Args come after the preset's own.
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	// Rules tell what a failure of a command means of which nothing is known; the first
	// that matches decides.
	Rules []Rule `json:"rules,omitempty"`
}

// Rule tells by a line that a failed command printed what its failure means.
type Rule struct {
	// Match is a text that the line holds, in whatever case; Regexp is a pattern that it
	// matches. One of them is set.
	Match  string `json:"match,omitempty"`
	Regexp string `json:"regexp,omitempty"`
	Class  Class  `json:"class"`
	// Kind is that of a limit; zero means a throttle.
	Kind Kind `json:"kind,omitempty"`
	// Reset is set if the line says when a limit ends.
	Reset bool `json:"reset,omitempty"`
}

// Task is one prompt with its own order and budget.
type Task struct {
	Name   string `json:"name"`
	Prompt string `json:"prompt"`
	Dir    string `json:"dir"`
	// Order replaces the program's; empty means the program's.
	Order []Target `json:"order,omitempty"`
	// Deadline bounds the task from its first spawn; zero means none.
	Deadline Duration `json:"deadline,omitempty"`
	// Budget bounds what the task uses in one iteration, all its lanes together.
	Budget
	Wait WaitMode `json:"wait"`
	// Pinned tasks never swap.
	Pinned bool `json:"pinned,omitempty"`
}

// WaitMode tells how long a task may wait for a provider.
type WaitMode int

const (
	// WaitPark uses the ladder and parks. It is the default.
	WaitPark WaitMode = iota + 1
	// WaitInline uses the ladder but never parks.
	WaitInline
	// WaitNever neither retries nor parks.
	WaitNever
)

var waitModeNames = []string{"park", "inline", "never"}

func (w WaitMode) String() string { return enumName(waitModeNames, int(w)) }

// MarshalText writes the word.
func (w WaitMode) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (w *WaitMode) UnmarshalText(b []byte) error {
	v, err := enumValue("wait", waitModeNames, b)
	*w = WaitMode(v)
	return err
}

// Target is what a lane can run on: an agent, or one model of it.
type Target struct {
	Agent string
	// Model is empty for the agent's own default.
	Model string
}

func (t Target) String() string {
	if t.Model == "" {
		return t.Agent
	}
	return t.Agent + ":" + t.Model
}

// MarshalText writes "agent" or "agent:model".
func (t Target) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads "agent" or "agent:model". The empty text is no target.
func (t *Target) UnmarshalText(b []byte) error {
	agent, model, colon := strings.Cut(string(b), ":")
	if (agent == "" && len(b) > 0) || (colon && model == "") {
		return fmt.Errorf("%q is not a target such as \"claude\" or \"claude:opus\"", b)
	}
	*t = Target{Agent: agent, Model: model}
	return nil
}

// IsZero reports whether there is no target.
func (t Target) IsZero() bool { return t == Target{} }

// Defaults gives the values that hold where a program says nothing.
func Defaults() Program {
	return Program{
		Iterations: 1, Parallel: 1,
		Patience: Duration(2 * time.Minute),
		OnDeath:  "finish",
		MaxPark:  Duration(6 * time.Hour),
		MaxSwaps: 1, Handoff: true,
		Breaker: Breaker{On: true, Cooldown: Duration(900 * time.Second)},
		Retry: Ladder{
			MaxRetries: 2,
			Base:       Duration(250 * time.Millisecond),
			Cap:        Duration(8 * time.Second),
		},
		Limits: Limits{
			StallTimeout:   Duration(10 * time.Minute),
			KillGrace:      Duration(10 * time.Second),
			MaxOutputBytes: 2_000_000_000,
		},
	}
}

// OrderFor is the order of targets of a job: that of its task, but of a pinned task
// that has come back only the target that it is pinned to.
func (p *Program) OrderFor(j Job) []Target {
	if p.Tasks[j.Task].Pinned && !j.Target.IsZero() {
		return []Target{j.Target}
	}
	return p.OrderOf(j.Task)
}

// OrderOf is the order of targets of a task.
func (p *Program) OrderOf(task int) []Target {
	if o := p.Tasks[task].Order; len(o) > 0 {
		return o
	}
	return p.Order
}

// FamilyOf is the family of a target; an agent that the program does not
// describe is a family of its own.
func (p *Program) FamilyOf(t Target) string {
	if a, ok := p.Agents[t.Agent]; ok && a.Family != "" {
		return a.Family
	}
	return t.Agent
}

// Targets lists the targets of the program's orders, in the order met.
func (p *Program) Targets() []Target {
	var all []Target
	for _, order := range append([][]Target{p.Order}, orders(p.Tasks)...) {
		for _, t := range order {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

func orders(tasks []Task) [][]Target {
	all := make([][]Target, len(tasks))
	for i, t := range tasks {
		all[i] = t.Order
	}
	return all
}

// Families lists the families of the program's orders, in the order met.
func (p *Program) Families() []string {
	var all []string
	for _, t := range p.Targets() {
		if f := p.FamilyOf(t); !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}
