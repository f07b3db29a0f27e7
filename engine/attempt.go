package engine

import (
	"context"
	"sync/atomic"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// attempt is one agent that runs.
type attempt struct {
	lane    run.LaneID
	id      run.AttemptID
	family  string
	preset  agent.Preset
	argv    []string
	model   string
	rules   []run.Rule // what its failure means, if nothing is known of its output
	worker  journal.Worker
	process Process
	cause   atomic.Pointer[string]
	excess  string // what made it a runaway; for the owner only
	// handed is how long the handoff is that it was given; zero if none. Summed is set if
	// a summary is in it.
	handed int
	summed bool
	// served is set if facts told, when it was taken up, that a model had answered it.
	served bool
	// adopted is set if an earlier owner has started it and it lives. Told is how much
	// it had printed when it was taken up, at the instant since, whether it lives or not.
	adopted bool
	told    int64
	since   time.Time
	began   time.Time // when it was started
	// resumed is the session that it resumes; empty if none. Before is what earlier attempts used of it, if its
	// stream tells that once more.
	resumed string
	before  run.Usage

	// The follower writes these, the owner reads them.
	heard atomic.Int64 // when the last byte came, in unix nanoseconds
	bytes atomic.Int64
	idle  atomic.Int64 // steps in a row without tokens
	used  atomic.Pointer[run.Usage]
	blind atomic.Bool // its output cannot be followed, so silence means nothing
	// reading ends once a stop has waited long enough for what it printed to be read;
	// hurry ends it.
	reading context.Context
	hurry   context.CancelFunc
}

// hurryAfter is how long a stop waits for the reading of what an agent has printed
// beyond the end of its process. Its verdict changes nothing then.
const hurryAfter = 5 * time.Second

// idleSteps is how many steps without tokens make a runaway (design.md §9).
const idleSteps = 50

// runaway reports whether an agent has been silent for too long, prints without
// end, or takes step after step without any tokens. It remembers which.
func (a *attempt) runaway(now time.Time, l run.Limits) bool {
	switch silent := now.UnixNano() - a.heard.Load(); {
	case l.StallTimeout > 0 && silent > int64(l.StallTimeout) && !a.blind.Load():
		a.excess = agent.CauseStall
	case l.MaxOutputBytes > 0 && a.bytes.Load() > l.MaxOutputBytes:
		a.excess = agent.CauseOutput
	case a.idle.Load() >= idleSteps:
		a.excess = agent.CauseRunaway
	default:
		return false
	}
	return true
}

// stepped takes a step of the clock out of the time that the agent was silent.
func (a *attempt) stepped(by time.Duration, now time.Time) {
	heard := a.heard.Load()
	moved := min(heard+int64(max(by, 0)), now.UnixNano())
	a.heard.CompareAndSwap(heard, moved) // else it was heard just now
}

// end asks the process to end, and remembers why for the verdict.
func (a *attempt) end(why run.Ending) {
	cause := agent.CauseStop
	switch why {
	case run.EndingDeadline:
		cause = agent.CauseDeadline
	case run.EndingStall:
		cause = a.excess
	case run.EndingBudget:
		cause = agent.CauseBudget
	}
	a.cause.Store(&cause)
	a.process.End()
}
