package turn

import (
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// stopping reports whether a lane, or its run, is asked to end.
func stopping(s *run.State, l *run.Lane) bool { return s.Stop != 0 || l.Stop != 0 }

// held reports whether a lane waits for nothing but the end of a pause.
func held(s *run.State, l *run.Lane) bool {
	return l.Wait != nil && s.Gate(l) == nil && l.Wait.WakeAt.IsZero()
}

// Stop asks a lane to end: a wait ends at its next boundary, or at once if hard;
// an attempt is left to end by itself unless hard.
func Stop(d *run.Decision, l *run.Lane, hard bool) {
	switch {
	case l.State.Final(), l.Stop == run.StopHard && !hard:
	case l.Running() != nil:
		d.Record(l.ID, run.StopRequested{Hard: hard})
		if a := l.Running(); hard && a.Ending == 0 {
			Finish(d, l, a, run.EndingStop)
		}
	case hard:
		d.Record(l.ID, run.StopRequested{Hard: true})
		wake(d, l, run.WokenHardStop)
		end(d, l, run.LaneStopped)
	case l.Wait == nil: // it waits for the answer to a question
		d.Record(l.ID, run.StopRequested{})
	case l.StopAt.IsZero():
		b := policy.Boundary(l.Wait.Since, d.State.WakeAt(l), d.Now)
		d.Record(l.ID, run.StopRequested{Boundary: b})
	}
}

// TakeBack lets a lane go on that was asked to end softly.
func TakeBack(d *run.Decision, l *run.Lane) {
	if l.State.Final() || l.Stop != run.StopSoft {
		return
	}
	d.Record(l.ID, run.StopCancelled{})
	Resume(d, l)
}

// Resume goes on with a lane that was held while spawns were paused.
func Resume(d *run.Decision, l *run.Lane) {
	switch {
	case !held(d.State, l), d.State.Paused, stopping(d.State, l):
	case l.Next.IsZero():
		acquire(d, l, run.WokenOperator)
	default:
		follow(d, l)
	}
}
