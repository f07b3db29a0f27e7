package run

import (
	"math"
	"strings"
	"time"
)

// Class is what the end of an attempt means. The zero value means that the
// attempt has not ended.
type Class int

// The classes of design.md §3.
const (
	// ClassSuccess is a terminal success.
	ClassSuccess Class = iota + 1
	// ClassRateLimited is a limit of the account or of one model.
	ClassRateLimited
	// ClassOverloaded is a server without capacity: 529, "not your usage limit".
	ClassOverloaded
	// ClassTransport is a network fault, a 5xx or a cut stream.
	ClassTransport
	// ClassStalled is an agent that fell silent or ran away.
	ClassStalled
	// ClassIncomplete is an end without a terminal record.
	ClassIncomplete
	// ClassContextOverflow is a prompt or conversation that is too long.
	ClassContextOverflow
	// ClassAuth is a missing or invalid login.
	ClassAuth
	// ClassBilling is missing credit, a spend cap or a missing entitlement.
	ClassBilling
	// ClassFailed is an agent that failed on its own account, or never started.
	ClassFailed
	// ClassDeadline is an end because the budget of time ended.
	ClassDeadline
	// ClassCancelled is an end by our own stop.
	ClassCancelled
)

var classNames = []string{
	"success", "rate_limited", "overloaded", "transport", "stalled", "incomplete",
	"context_overflow", "auth", "billing", "failed", "deadline", "cancelled",
}

// Classes lists every class once, in the order of design.md §3.
func Classes() []Class {
	all := make([]Class, len(classNames))
	for i := range all {
		all[i] = Class(i + 1)
	}
	return all
}

func (c Class) String() string { return enumName(classNames, int(c)) }

// MarshalText writes the word of the class.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the word of a class and refuses any other.
func (c *Class) UnmarshalText(b []byte) error {
	v, err := enumValue("class", classNames, b)
	*c = Class(v)
	return err
}

// Outcome is the word of the class in the fixtures and in `layover explain`,
// where billing counts as failed.
func (c Class) Outcome() string {
	if c == ClassBilling {
		return ClassFailed.String()
	}
	return c.String()
}

// Kind tells what sort of limit a window or a verdict is about. The zero value
// means none, or not known.
type Kind int

const (
	// KindUsage is an allowance that is spent: five hours, a week, a month.
	KindUsage Kind = iota + 1
	// KindThrottle is a short limit: too many requests now, or no capacity.
	KindThrottle
	// KindAuth is a login that does not work.
	KindAuth
	// KindBilling is an account that must be paid or entitled first.
	KindBilling
	// KindHealth is a family that failed several turns in a row.
	KindHealth
)

var kindNames = []string{"usage", "throttle", "auth", "billing", "health"}

func (k Kind) String() string { return enumName(kindNames, int(k)) }

// MarshalText writes the word of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the word of a kind and refuses any other.
func (k *Kind) UnmarshalText(b []byte) error {
	v, err := enumValue("kind", kindNames, b)
	*k = Kind(v)
	return err
}

// Scope tells what a limit binds. The zero value means nothing is limited.
type Scope int

const (
	// ScopeFamily binds every model of the family.
	ScopeFamily Scope = iota + 1
	// ScopeModel binds one model; others of the family still run.
	ScopeModel
)

var scopeNames = []string{"family", "model"}

func (s Scope) String() string { return enumName(scopeNames, int(s)) }

// MarshalText writes the word of the scope.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word of a scope and refuses any other.
func (s *Scope) UnmarshalText(b []byte) error {
	v, err := enumValue("scope", scopeNames, b)
	*s = Scope(v)
	return err
}

// How tells how an instant is known. A greater value is stronger evidence; the
// zero value means that the instant is not known.
type How int

const (
	// HowAssumed is a default of ours: nothing was said.
	HowAssumed How = iota + 1
	// HowText was read from a message meant for people.
	HowText
	// HowStated was stated in a field meant for programs.
	HowStated
)

var howNames = []string{"assumed", "text", "stated"}

func (h How) String() string { return enumName(howNames, int(h)) }

// MarshalText writes the word.
func (h How) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (h *How) UnmarshalText(b []byte) error {
	v, err := enumValue("how", howNames, b)
	*h = How(v)
	return err
}

// Said reports whether a provider said the instant, in a field or in a text;
// design.md §4 to §8 call both "stated".
func (h How) Said() bool { return h >= HowText }

// Verdict is what one attempt's end means, and why.
type Verdict struct {
	Class Class `json:"class"`
	// Kind and Scope are set for limits only.
	Kind  Kind  `json:"kind,omitempty"`
	Scope Scope `json:"scope,omitempty"`
	// Model is the model that the stream or the limit names; empty if none.
	Model string `json:"model,omitempty"`
	// Reset is when the limit ends, rounded up to a second; zero if unknown.
	Reset time.Time `json:"reset,omitzero"`
	// How tells how Reset is known; zero if it is not.
	How How `json:"how,omitempty"`
	// Session is the agent's own session or thread id; empty if not learned.
	Session string `json:"session,omitempty"`
	Usage   Usage  `json:"usage,omitzero"`
	// Message is the error text of the terminal record, at most MaxMessage bytes. A carriage
	// return in it is a line feed.
	Message Untrusted `json:"message,omitempty"`
	// Evidence holds the lines that decided, most telling first.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// MaxMessage bounds Verdict.Message and Evidence.Excerpt, in bytes.
const MaxMessage = 500

// Evidence is one line of an agent's output that decided a verdict.
type Evidence struct {
	// File is the path of the file; it may be empty for text given directly.
	File string `json:"file,omitempty"`
	// Line counts from one; zero means the end of the file or the exit status.
	Line int `json:"line"`
	// Rule names the rule that read the line, such as "claude.result.429".
	Rule string `json:"rule"`
	// Excerpt is the telling part of the line, at most MaxMessage bytes.
	Excerpt Untrusted `json:"excerpt,omitempty"`
}

// Usage is what an attempt or a run consumed. All counts are tokens.
type Usage struct {
	Input      int64 `json:"input_tokens,omitempty"`
	Output     int64 `json:"output_tokens,omitempty"`
	CacheRead  int64 `json:"cache_read_tokens,omitempty"`
	CacheWrite int64 `json:"cache_write_tokens,omitempty"`
	// CostUSD is in dollars, as the agents themselves reckon.
	CostUSD float64 `json:"cost_usd,omitempty"`
	// Unpriced is how many of the tokens are not in CostUSD, because the agent stated
	// no price for them. They are counted above.
	Unpriced int64 `json:"unpriced_tokens,omitempty"`
}

// Add returns the sum of two usages, which is never more than a number can be.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: sum(u.Input, v.Input), Output: sum(u.Output, v.Output),
		CacheRead: sum(u.CacheRead, v.CacheRead), CacheWrite: sum(u.CacheWrite, v.CacheWrite),
		CostUSD: min(u.CostUSD+v.CostUSD, math.MaxFloat64), Unpriced: sum(u.Unpriced, v.Unpriced),
	}
}

// sum adds two counts; one that is too large stays the largest.
func sum(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Less is what remains of a usage without another, never below zero.
func (u Usage) Less(v Usage) Usage {
	return Usage{
		Input: max(u.Input-v.Input, 0), Output: max(u.Output-v.Output, 0),
		CacheRead: max(u.CacheRead-v.CacheRead, 0), CacheWrite: max(u.CacheWrite-v.CacheWrite, 0),
		CostUSD: max(u.CostUSD-v.CostUSD, 0), Unpriced: max(u.Unpriced-v.Unpriced, 0),
	}
}

// Tokens is the number of all tokens, cached ones included.
func (u Usage) Tokens() int64 { return sum(sum(u.Input, u.Output), sum(u.CacheRead, u.CacheWrite)) }

// Stall says of a verdict of class stalled which limit the agent has passed, by its rule:
// what follows "the agent".
func (v *Verdict) Stall() string {
	rule := ""
	if len(v.Evidence) > 0 {
		rule = v.Evidence[0].Rule
	}
	switch {
	case strings.HasSuffix(rule, ".stall"):
		return "fell silent for longer than stall_timeout"
	case strings.HasSuffix(rule, ".output"):
		return "printed more than max_output_bytes"
	case strings.HasSuffix(rule, ".runaway"):
		return "ran away: step after step without tokens"
	}
	return "fell silent or ran away"
}
