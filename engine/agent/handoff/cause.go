package handoff

import "example.com/layover/engine/run"

// EndedBy says in words what ended an attempt: what was asked of it, or else the class
// of its end.
func EndedBy(class run.Class, asked run.Ending) string {
	switch asked {
	case run.EndingStop:
		return "a stop that the operator asked for"
	case run.EndingDeadline:
		return "its budget of time"
	case run.EndingBudget:
		return "its budget of tokens or money"
	case run.EndingSwap:
		return "a swap to another agent"
	case run.EndingStall:
		return "a stall: it was silent, or idled, for too long"
	}
	switch class {
	case run.ClassRateLimited:
		return "a limit of its account"
	case run.ClassOverloaded:
		return "an overload of its provider"
	case run.ClassTransport:
		return "a lost connection"
	case run.ClassStalled:
		return "a stall: it was silent, or idled, for too long"
	case run.ClassIncomplete:
		return "a crash: it ended without a result"
	case run.ClassContextOverflow:
		return "a conversation that had become too long"
	case run.ClassAuth:
		return "a login that was refused"
	case run.ClassBilling:
		return "an account without credit"
	case run.ClassDeadline:
		return "its budget of time"
	case run.ClassCancelled:
		return "a cancel: it was told to end"
	case run.ClassSuccess:
		return "its own end, which it took for success"
	}
	return "a failure of its own"
}
