package engine

import (
	"slices"

	"example.com/layover/engine/run"
)

// held is an agent that the disk keeps from being started or taken up.
type held struct {
	lane    run.LaneID
	attempt run.AttemptID
	again   func()
}

// hold tries something again each second: the disk is at fault, not the agent.
func (h *Host) hold(lane run.LaneID, id run.AttemptID, err *storeError, again func()) {
	h.held = append(h.held, held{lane, id, again})
	h.tell(err, false)
}

// storeError says that what an agent needs could not be written down, or asked.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// retryHeld tries again what the disk has kept from being done.
func (h *Host) retryHeld() {
	held := h.held
	h.held = nil
	for _, e := range held {
		e.again()
	}
	if len(held) > 0 && len(h.held) == 0 {
		h.tell(nil, false)
	}
}

// dropHeld ends an attempt whose agent is held; it reports whether there was one.
func (h *Host) dropHeld(id run.AttemptID) bool {
	i := slices.IndexFunc(h.held, func(e held) bool { return e.attempt == id })
	if i < 0 {
		return false
	}
	e := h.held[i]
	h.held = slices.Delete(h.held, i, i+1)
	h.tell(nil, false)
	h.step(run.Ended{Lane: e.lane, Attempt: id, Exit: run.Exit{Code: -1, Lost: true}, Verdict: run.Verdict{
		Class: run.ClassIncomplete, Evidence: []run.Evidence{{Rule: "spawn.held"}},
	}})
	return true
}
