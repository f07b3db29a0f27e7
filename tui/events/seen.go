package events

import "example.com/layover/engine/run"

// Seen tells an observation in one line. It reports false for those that a pane of
// its own shows, and that pass.
func Seen(o run.Observation) (Event, bool) {
	t, ok := o.Body.(run.Trouble)
	switch {
	case !ok:
		return Event{}, false
	case t.Message == "":
		return Event{At: o.At, Who: "run", Text: "all works again", Tone: TonePlain}, true
	}
	return Event{At: o.At, Who: "run", Text: t.Tells() + foreign(" ", run.Untrusted(t.Message)), Tone: ToneBad}, true
}
