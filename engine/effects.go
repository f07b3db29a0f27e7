package engine

import (
	"slices"

	"example.com/layover/engine/run"
)

// carryOut does what the core wants done, in the order in which it was decided. What
// comes of it is decided in between, and what that leads to is done after the rest.
// While the facts behind it cannot be saved only what ends something is done.
func (h *Host) carryOut() {
	if h.carrying {
		return
	}
	h.carrying = true
	for i := h.next(); i >= 0; i = h.next() {
		e := h.pending[i]
		h.pending = slices.Delete(h.pending, i, i+1)
		h.carry(e)
	}
	h.carrying = false
}

// next is the place of the effect that may be carried out now; negative if there is
// none.
func (h *Host) next() int {
	return slices.IndexFunc(h.pending, func(e run.Effect) bool {
		switch e.(type) {
		case run.End: // to end an agent needs no disk
			return true
		case run.Finish:
			return len(h.unsaved) == 0 || h.hard || h.state.Stop == run.StopHard
		}
		return len(h.unsaved) == 0
	})
}

// carry does one thing.
func (h *Host) carry(e run.Effect) {
	switch e := e.(type) {
	case run.Spawn:
		h.busy++
		h.spawn(e)
	case run.Adopt:
		h.busy++
		h.adopt(e)
	case run.End:
		if a := h.agents[e.Attempt]; a != nil {
			a.end(e.Why)
			if e.Why == run.EndingStop {
				h.guard("the hurry of a stop", func() { h.hurry(a) })
			}
		} else if !h.dropHeld(e.Attempt) {
			h.dropPending(e.Attempt)
		}
	case run.AskPermit:
		granted, holder := h.ports.Ledger.TryPermit(e.Keys)
		h.step(run.PermitAnswered{
			Lane: e.Lane, Target: e.Target, Keys: e.Keys, Why: e.Why, Granted: granted, Holder: holder,
		})
	case run.ReleasePermit:
		h.ports.Ledger.Release(e.Key)
	case run.CheckUntil:
		h.busy++
		h.ask(e)
	case run.Finish:
		h.over = true
	}
}
