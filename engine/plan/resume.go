package plan

import (
	"slices"

	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// resume takes up a run whose facts were read back: a stop of the run is taken back,
// with what it has stopped; what was asked and never answered is asked again.
func resume(d *run.Decision, h run.Resume) {
	s := d.State
	stopping := s.Stop != 0
	var stopped []*run.Lane
	for _, l := range slices.Backward(s.Lanes) { // the first of them to the head of the queue
		if stoppedWith(s, l) {
			stopped = append(stopped, l)
		}
	}
	d.Record(0, run.RunResumed{Missing: h.Missing})
	for _, x := range h.Seen {
		seen(d, x)
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

// Resumable reports whether a run has not ended, or would have something to do if it
// were taken up again.
func Resumable(s *run.State) bool {
	switch {
	case s.Phase != run.PhaseEnded:
		return s.Phase != 0
	case len(s.Queue) > 0:
		return true
	case s.Stop == 0:
		return false
	}
	left := func(l *run.Lane) bool { return stoppedWith(s, l) }
	return slices.ContainsFunc(s.Lanes, left) || s.Iteration < s.Program.Iterations && !s.UntilDone
}

// stoppedWith reports whether a lane was stopped when the whole run was.
func stoppedWith(s *run.State, l *run.Lane) bool {
	return s.Stop != 0 && l.State == run.LaneStopped && !l.EndedAt.Before(s.StopAt)
}
