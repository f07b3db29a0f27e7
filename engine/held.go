package engine

import (
	"slices"

	"example.com/layover/engine/run"
)

// storeError says that what an agent needs could not be written down.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// retryHeld starts the agents again that the disk kept from being started.
func (h *Host) retryHeld() {
	held := h.held
	h.held = nil
	for _, e := range held {
		h.spawn(e)
	}
	if len(held) > 0 && len(h.held) == 0 {
		h.tell(nil, false)
	}
}

// dropHeld ends an attempt whose agent was never started; it reports whether there
// was one.
func (h *Host) dropHeld(id run.AttemptID) bool {
	i := slices.IndexFunc(h.held, func(e run.Spawn) bool { return e.Attempt == id })
	if i < 0 {
		return false
	}
	e := h.held[i]
	h.held = slices.Delete(h.held, i, i+1)
	h.tell(nil, false)
	h.step(run.Ended{Lane: e.Lane, Attempt: id, Exit: run.Exit{Code: -1, Lost: true}, Verdict: run.Verdict{
		Class: run.ClassIncomplete, Evidence: []run.Evidence{{Rule: "spawn.held"}},
	}})
	return true
}
