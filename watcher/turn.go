package watcher

import "time"

// turnEvery bounds how long it is waited for an instant: while a machine sleeps its clock
// goes on, and timers do not.
const turnEvery = time.Minute

// turnAt has it looked again at an instant, which is zero if it need not be.
func (w *owner) turnAt(at time.Time) {
	if at.IsZero() || (!w.turns.IsZero() && !at.Before(w.turns)) {
		return
	}
	w.turns = at
	w.waitForTurn(w.Now())
}

func (w *owner) waitForTurn(now time.Time) {
	w.turn.Reset(min(turnEvery, max(time.Millisecond, w.turns.Sub(now))))
}

// turned looks again at what may stand otherwise by the passing of time alone, such as a
// session that has fallen silent: no file tells that.
func (w *owner) turned() {
	now := w.Now()
	if now.Before(w.turns) {
		w.waitForTurn(now)
		return
	}
	w.turns = time.Time{}
	w.families.turn(now)
	w.turnAt(w.families.turns)
	for _, e := range w.entries {
		switch {
		case e.turns.IsZero():
		case e.turns.After(now):
			w.turnAt(e.turns)
		default:
			w.touch(e)
		}
	}
}
