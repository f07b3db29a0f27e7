package scripted

import "example.com/layover/engine/run"

// Provider is one limit domain and the command line program that works with it.
type Provider struct {
	// Family names it; it must differ from the other providers'.
	Family string `toml:"family" json:"family"`
	// Dialect is the program whose stream is spoken: "claude" or "codex"; default
	// Family.
	Dialect string `toml:"dialect" json:"dialect"`
	// Model is the model that works where no other is asked for, and Models gives
	// the full name of a short one.
	Model  string            `toml:"model" json:"model"`
	Models map[string]string `toml:"models" json:"models,omitempty"`
	// InputUSD and OutputUSD are prices for a million tokens.
	InputUSD  float64 `toml:"input_usd" json:"input_usd"`
	OutputUSD float64 `toml:"output_usd" json:"output_usd"`
	// Start is how long the program takes before its first line.
	Start run.Duration `toml:"start" json:"start"`
	// InnerRetries is how often the program itself tries again after a bare 429 or
	// a 529, InnerWait apart, before it gives up; defaults 2 and 2 s.
	InnerRetries *int         `toml:"inner_retries" json:"inner_retries"`
	InnerWait    run.Duration `toml:"inner_wait" json:"inner_wait"`
	// CutCalls lists the calls, counted from one over the whole family, whose
	// stream is cut.
	CutCalls  []int       `toml:"cut_calls" json:"cut_calls,omitempty"`
	Windows   []Allowance `toml:"window" json:"windows,omitempty"`
	Brownouts []Brownout  `toml:"brownout" json:"brownouts,omitempty"`
}

// Allowance is a usage window: so many calls in a length of time that begins with
// the first of them.
type Allowance struct {
	// Name is the provider's word for it, such as "five_hour" or "seven_day".
	Name string `toml:"name" json:"name"`
	// Calls is how many calls the first window allows, the second, and so on; the
	// last number holds from then on.
	Calls  []int        `toml:"calls" json:"calls"`
	Length run.Duration `toml:"length" json:"length"`
}

// Brownout is a time, counted from the epoch of the clock, in which calls fail.
type Brownout struct {
	From run.Duration `toml:"from" json:"from"`
	To   run.Duration `toml:"to" json:"to"`
	// Kind is [Throttled], [Overloaded] or [Cut]: "429", "529" or "cut" in a file.
	Kind AnswerKind `toml:"kind" json:"kind"`
	// Wait is the wait that a 429 states; zero means a bare one.
	Wait run.Duration `toml:"wait" json:"wait,omitempty"`
}

// allows is the number of calls of the turn-th window, counted from zero.
func (a Allowance) allows(turn int) int {
	return a.Calls[min(max(turn, 0), len(a.Calls)-1)]
}

// model is the full name of the model that works when one is asked for.
func (p Provider) model(asked string) string {
	if asked == "" {
		return p.Model
	}
	if full, ok := p.Models[asked]; ok {
		return full
	}
	return asked
}
