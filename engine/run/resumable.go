package run

import "slices"

// Resumable reports whether a run has not ended, or has ended with something to do
// left for whoever takes it up again.
func (s *State) Resumable() bool {
	switch {
	case s.Phase != PhaseEnded:
		return s.Phase != 0
	case s.Spent != nil:
		return false // nothing would be started
	case len(s.Queue) > 0:
		return true
	case s.Stop == 0:
		return false
	}
	return slices.ContainsFunc(s.Lanes, s.StoppedWith) || s.Iteration < s.Program.Iterations && !s.UntilDone
}

// StoppedWith reports whether a lane was stopped when the whole run was.
func (s *State) StoppedWith(l *Lane) bool {
	return s.Stop != 0 && l.State == LaneStopped && !l.EndedAt.Before(s.StopAt)
}
