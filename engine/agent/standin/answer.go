package standin

import "fmt"

// Answer is how an account answers a request for model output. The zero value is
// no answer at all, and not used.
type Answer int

const (
	// OK is a short text.
	OK Answer = iota + 1
	// Tool is a call of the shell tool with `echo hello`, then, once the
	// conversation holds a result of a tool, a short text.
	Tool
	// UsageLimit is a spent allowance. It states the end of its stage as the
	// reset, and states none in a stage that does not end.
	UsageLimit
	// Throttle is a bare 429: too many requests, with nothing about an allowance.
	Throttle
	// Overloaded is a server without capacity.
	Overloaded
	// Unauthorized is a key that is not valid.
	Unauthorized
	// TooLong is a prompt that is longer than the model's context.
	TooLong
	// NoCredit is an account that must be paid first.
	NoCredit
	// Cut is a stream that starts well and ends in the middle.
	Cut
	// Hang is a stream that starts well and then says nothing until the client
	// leaves or the server closes.
	Hang
	// Work is a call of the shell tool with the first command of the stage that the
	// conversation does not hold yet, whoever ran it, and once it holds all of them a
	// short text.
	Work
	// Short is a stream that ends in the middle, as if it were whole.
	Short
)

func (a Answer) String() string {
	names := []string{
		"ok", "tool", "usage_limit", "throttle", "overloaded",
		"unauthorized", "too_long", "no_credit", "cut", "hang", "work", "short",
	}
	if a < OK || int(a) > len(names) {
		return fmt.Sprintf("unknown(%d)", int(a))
	}
	return names[a-1]
}

// Refused reports whether the answer gives no model output.
func (a Answer) Refused() bool { return a >= UsageLimit && a <= NoCredit }
