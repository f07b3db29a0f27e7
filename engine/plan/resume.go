package plan

import (
	"slices"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// resume takes up a run whose facts were read back: a stop of the run is taken back,
// with what it has stopped; what was asked and never answered is asked again; logins
// that did not work are tried once more.
func resume(d *run.Decision, h run.Resume) {
	s := d.State
	stopping := s.Stop != 0
	var stopped []*run.Lane
	for _, l := range slices.Backward(s.Lanes) { // the first of them to the head of the queue
		if s.StoppedWith(l) {
			stopped = append(stopped, l)
		}
	}
	d.Record(0, run.RunResumed{Missing: h.Missing})
	for _, x := range h.Seen {
		seen(d, x)
	}
	for _, f := range s.Families { // whoever resumes may have mended what only that can
		breaker.Clear(d, f.Name, "resumed")
	}
	for _, l := range stopped {
		turn.Requeue(d, l)
	}
	for _, id := range slices.Clone(s.Open) {
		l := s.Lane(id)
		if stopping && l.Stop != 0 {
			d.Record(id, run.StopCancelled{})
		}
		turn.TakeUp(d, l)
	}
	if s.UntilChecked < s.UntilAsked {
		d.Do(run.CheckUntil{Iteration: s.UntilAsked})
	}
}
