package engine

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"example.com/layover/engine/run"
)

// export remembers how far run.json tells the run.
type export struct {
	at   time.Time // when it was last tried, by the machine's clock
	seq  uint64    // the fact that it tells last
	fail error     // why it tells no more
}

// save writes facts down before anybody hears of them or acts on them. What could not
// be saved is handed over again with each call: a store keeps what it could not write,
// but not what it refused. While that fails nothing new is started; what runs is left
// alone.
func (h *Host) save(facts []run.Fact) {
	if len(facts) == 0 && len(h.unsaved) == 0 {
		h.tell(h.show(), true)
		return
	}
	h.unsaved = append(h.unsaved, facts...)
	if err := h.ports.Store.Append(h.unsaved); err != nil {
		h.tell(err, false)
		return
	}
	saved := h.unsaved
	h.unsaved = nil
	h.share(saved)
	h.ports.Facts(saved)
	h.tell(h.show(), true)
}

// show exports the state for other programs, at most once a second and at the
// end. The facts are what counts: nothing waits for an export that fails.
func (h *Host) show() error {
	wall, ended := time.Now(), h.state.Phase == run.PhaseEnded
	if h.state.Seq == h.export.seq || (wall.Sub(h.export.at).Abs() < second && !ended) {
		return h.export.fail
	}
	h.export.at = wall
	if h.export.fail = h.ports.Store.Export(h.state, wall, ended); h.export.fail == nil {
		h.export.seq = h.state.Seq
	}
	return h.export.fail
}

// tell shows that saving fails, once, and that it works again.
func (h *Host) tell(err error, exportOnly bool) {
	said := ""
	if err != nil {
		said = string(h.kept(err.Error()))
	}
	if said == h.trouble || (err == nil && len(h.held)+len(h.unsaved) > 0) {
		return
	}
	h.trouble = said
	h.ports.Observe(run.Observation{At: h.ports.Clock.Now().UTC().Round(0), Body: trouble(err, said, exportOnly)})
	if err != nil {
		h.ports.Log.Error("save", "error", err)
	}
}

// UnsavedError says that a run ended, or was left, before all its facts were saved.
type UnsavedError struct {
	// ID is the run.
	ID string
	// Facts is how many are missing.
	Facts int
	// Why says what kept them from being saved.
	Why string
}

func (u *UnsavedError) Error() string {
	facts := "1 fact"
	if u.Facts != 1 {
		facts = fmt.Sprintf("%d facts", u.Facts)
	}
	return fmt.Sprintf("%s of the end could not be saved: %s", facts, u.Why)
}

// Hint says what to do.
func (u *UnsavedError) Hint() string {
	return "once that is mended, layover resume " + u.ID + " finds in their exit files how the agents ended"
}

// lacks tells what is not saved at the end; nil if all is.
func (h *Host) lacks() error {
	if len(h.unsaved) == 0 {
		return nil
	}
	return &UnsavedError{ID: h.launch.ID, Facts: len(h.unsaved), Why: h.trouble}
}

func trouble(err error, said string, exportOnly bool) run.Trouble {
	if err == nil {
		return run.Trouble{}
	}
	_, start := errors.AsType[*startError](err)
	return run.Trouble{Message: said, ExportOnly: exportOnly, Start: start}
}

// share tells the ledger of windows that changed here; what it told us goes
// nowhere. Health and logins stay here: an agent that fails may be set up wrong in
// this program alone, and would keep every other run from its family until somebody
// clears that. Each run finds out for itself that a login was mended, see [Host.mended].
func (h *Host) share(facts []run.Fact) {
	for _, f := range facts {
		var w run.Window
		cleared := false
		switch b := f.Body.(type) {
		case run.WindowOpened:
			w = b.Window
		case run.WindowExtended:
			w = b.Window
		case run.WindowCleared:
			if b.Why == "seen" {
				continue
			}
			w, cleared = run.Window{WindowKey: b.Key, OpenedAt: f.At}, true
		default:
			continue
		}
		if w.Sort == run.SortLimit {
			h.ports.Ledger.Merge(w, cleared)
		}
	}
}

// poll takes what other processes have recorded.
func (h *Host) poll() {
	for _, seen := range h.ports.Ledger.Poll() {
		h.step(seen)
	}
}

// debug writes down what was decided, for who asked for a detailed log.
func (h *Host) debug(x run.Happening, facts []run.Fact, effects []run.Effect) {
	if len(facts)+len(effects) == 0 || !h.ports.Log.Enabled(h.ctx, slog.LevelDebug) {
		return
	}
	h.ports.Log.Debug("decided", "on", fmt.Sprintf("%T", x), "facts", len(facts), "effects", len(effects))
	for _, f := range facts {
		h.ports.Log.Debug("fact", "seq", f.Seq, "lane", f.Lane, "type", f.Body.Name())
	}
	for _, e := range effects {
		h.ports.Log.Debug("effect", "type", fmt.Sprintf("%T", e))
	}
}
