package run

import (
	"slices"
	"time"
)

// Effect is something the core wants done outside. It is carried out after the
// facts of its decision have been saved. The types of this package are all there are.
type Effect interface{ effect() }

// Spawn starts the agent of an attempt.
type Spawn struct {
	Lane    LaneID
	Attempt AttemptID
	Target  Target
	// Resume is the agent's own session to go on with; empty for a fresh start.
	Resume string
	// Probe asks for early signs: the attempt holds a permit.
	Probe bool
	// Work lists the attempts whose work the agent does not know, the oldest first;
	// empty if nothing is handed over.
	Work []Source
	// Keep is the share that is handed over of the conversation so far, from 0 to 1. That
	// is all the work; or, if Given is set, a handoff of so many bytes and the work of the
	// attempt Since, to which it was given, and of those after it.
	Keep  float64
	Given int
	Since AttemptID
	// Most bounds what is handed over, in bytes; zero leaves that to the target.
	Most int
	// Ask is set if [HandoffCut] is to be answered, and nothing started, where some of
	// the work does not fit.
	Ask bool
	// Summarise starts an agent that summarises what does not fit, in a session of its
	// own, in place of one that works.
	Summarise bool
	// Summary is the attempt that has done so; zero if none has.
	Summary  AttemptID
	Deadline time.Time
	// MaxCostUSD is what is left of the budgets of money; zero if there is none.
	MaxCostUSD float64
}

// Source is an attempt whose work is handed over; it may be one of an earlier lane of
// the same job.
type Source struct {
	Lane    LaneID
	Attempt AttemptID
}

// Adopt takes up the agent of an attempt that an earlier owner of the run started.
type Adopt struct {
	Lane    LaneID
	Attempt AttemptID
}

// End asks the agent of an attempt to end.
type End struct {
	Lane    LaneID
	Attempt AttemptID
	Why     Ending
}

// AskPermit asks the ledger for permits; [PermitAnswered] follows at once.
type AskPermit struct {
	Lane   LaneID
	Target Target
	Keys   []WindowKey
	Why    Woken
}

// In reports whether effects that are still to be carried out ask the same already: it
// is asked once.
func (a AskPermit) In(pending []Effect) bool {
	return slices.ContainsFunc(pending, func(e Effect) bool {
		p, ok := e.(AskPermit)
		return ok && p.Lane == a.Lane && p.Target == a.Target && slices.Equal(p.Keys, a.Keys)
	})
}

// ReleasePermit gives a permit back to the ledger.
type ReleasePermit struct {
	Key     WindowKey
	Attempt AttemptID
}

// CheckUntil asks the program's until command.
type CheckUntil struct{ Iteration int }

// Finish says that the run is over.
type Finish struct{ Exit int }

func (Spawn) effect()         {}
func (Adopt) effect()         {}
func (End) effect()           {}
func (AskPermit) effect()     {}
func (ReleasePermit) effect() {}
func (CheckUntil) effect()    {}
func (Finish) effect()        {}
