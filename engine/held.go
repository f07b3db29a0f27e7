package engine

import (
	"errors"
	"slices"
	"syscall"
	"time"

	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// held is an agent that the machine keeps from being started or taken up.
type held struct {
	lane    run.LaneID
	attempt run.AttemptID
	again   func()
}

// hold tries something again each second: the machine is at fault, not the agent.
func (h *Host) hold(lane run.LaneID, id run.AttemptID, err error, again func()) {
	if h.heldSince[id].IsZero() {
		h.heldSince[id] = time.Now()
	}
	h.held = append(h.held, held{lane, id, again})
	h.tell(err, false)
}

// missingFor is how long a command may be gone that was there when the run began, such
// as while it is being updated.
const missingFor = time.Minute

// passing reports whether an agent may be started soon that cannot be started now.
func (h *Host) passing(id run.AttemptID, err error) bool {
	if errors.Is(err, proc.ErrNotFound) {
		since := h.heldSince[id]
		return since.IsZero() || time.Since(since) < missingFor
	}
	for _, lack := range []error{
		syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.ENOSPC, syscall.EDQUOT, proc.ErrNoAnswer,
	} {
		if errors.Is(err, lack) {
			return true
		}
	}
	return false
}

// startError says that an agent cannot be started for now.
type startError struct{ err error }

func (e *startError) Error() string { return e.err.Error() }
func (e *startError) Unwrap() error { return e.err }

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

// dropPending ends an attempt whose agent is still to be started.
func (h *Host) dropPending(id run.AttemptID) {
	i := slices.IndexFunc(h.pending, func(e run.Effect) bool {
		s, ok := e.(run.Spawn)
		return ok && s.Attempt == id
	})
	if i < 0 {
		return
	}
	e := h.pending[i].(run.Spawn)
	h.pending = slices.Delete(h.pending, i, i+1)
	h.busy++
	h.lost(e.Lane, id, run.ClassIncomplete, "spawn.held", "")
}

// lost ends an attempt that has no agent, or whose agent cannot be found.
func (h *Host) lost(lane run.LaneID, id run.AttemptID, class run.Class, rule, why string) {
	said := h.kept(why)
	h.step(run.Ended{Lane: lane, Attempt: id, Exit: run.Exit{Code: -1, Lost: true}, Verdict: run.Verdict{
		Class: class, Message: said, Evidence: []run.Evidence{{Rule: rule, Excerpt: said}},
	}})
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
	h.lost(e.lane, id, run.ClassIncomplete, "spawn.held", "")
	return true
}
