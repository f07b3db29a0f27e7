package engine

import (
	"slices"

	"example.com/layover/engine/run"
)

// carryOut does what the core wants done, in the order in which it was decided,
// as long as the facts behind it could be saved. What comes of it is decided in
// between, and what that leads to is done after the rest.
func (h *Host) carryOut() {
	if h.carrying {
		return
	}
	h.carrying = true
	for len(h.pending) > 0 && len(h.unsaved) == 0 {
		e := h.pending[0]
		h.pending = h.pending[1:]
		h.carry(e)
	}
	h.carrying = false
}

// asks reports whether a permit is about to be asked for already.
func (h *Host) asks(ask run.AskPermit) bool {
	return slices.ContainsFunc(h.pending, func(e run.Effect) bool {
		p, ok := e.(run.AskPermit)
		return ok && p.Lane == ask.Lane && p.Target == ask.Target && slices.Equal(p.Keys, ask.Keys)
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
		} else {
			h.dropHeld(e.Attempt)
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
