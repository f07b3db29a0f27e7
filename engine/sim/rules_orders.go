package sim

import "example.com/layover/engine/run"

// asks takes note of what the operator asks of a lane: to wake it, or to swap. The rules
// never take the decider's word for that.
func (r *Rules) asks(h run.Happening) {
	if c, ok := h.(run.Command); ok && (c.Verb == run.VerbWake || c.Verb == run.VerbSwap) {
		r.asked[c.Lane] = true
	}
}

// obeyed forgets what was asked of a lane once that is done or refused; a swap that waits
// for the end of an attempt or of a pause is neither.
func (r *Rules) obeyed(l *run.Lane) {
	a := l.Running()
	swaps := a != nil && a.Ending == run.EndingSwap || l.Wait != nil && r.state.Paused && !l.Next.IsZero()
	if !swaps {
		delete(r.asked, l.ID)
	}
}

// swaps holds when a lane may go on with another target. It counts by itself which of
// the swaps are for failure: all but returns and those that the operator asked for.
func (r *Rules) swaps(f run.Fact, b run.ProviderFallback) {
	s, l := r.state, r.state.Lane(f.Lane)
	left, back := l.HasLeft(b.To)
	if !back && !r.asked[l.ID] {
		r.swapped[l.ID]++
	}
	switch {
	case s.Program.Tasks[l.Job.Task].Pinned:
		r.broken("a pinned task swaps", "to %s", b.To)
	case r.stopping(l):
		r.broken("a swap after a stop", "to %s", b.To)
	case r.swapped[l.ID] > s.Program.MaxSwaps:
		r.broken("too many swaps", "%d of %d", r.swapped[l.ID], s.Program.MaxSwaps)
	case b.From == b.To:
		r.broken("a swap to the same target", "%s", b.To)
	}
	if back && !r.asked[l.ID] && len(s.WindowsOn(b.To)) == 0 && !r.proved(b.To, left.At) {
		r.broken("a return without proof", "to %s", b.To)
	}
}
