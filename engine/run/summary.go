package run

import "time"

// Summary makes an attempt one that works on no task: it writes down in short what the
// next one is not given of the work so far, because that would not fit.
type Summary struct {
	// Upto is the latest attempt whose work is handed over, and Rung the overflow rung at
	// which it is: the summary is of use to no other handoff.
	Upto AttemptID
	Rung int
	// Until is when it must have ended.
	Until time.Time
	// Climbed is how many rungs of the ladder had been taken before it.
	Climbed int
	// Skipped is set once the lane goes on without it.
	Skipped bool
}

// SummaryAsked makes an attempt whose agent is still to be started one that summarises.
type SummaryAsked struct {
	Attempt AttemptID `json:"attempt"`
	// Bytes is how much of the work so far would be left out.
	Bytes int       `json:"bytes"`
	Until time.Time `json:"until"`
	Upto  AttemptID `json:"upto"`
	Rung  int       `json:"rung,omitempty"`
	// Climbed is how many rungs of the ladder were taken before.
	Climbed int `json:"climbed,omitempty"`
}

// Name implements [Body].
func (SummaryAsked) Name() string { return "summary_asked" }

func (b SummaryAsked) apply(s *State, f Fact) error {
	_, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	a.Resume = "" // it is nobody's work, so it has a session of its own
	a.Summary = &Summary{Upto: b.Upto, Rung: b.Rung, Until: b.Until, Climbed: b.Climbed}
	return nil
}

// SummarySkipped says that a lane goes on without the summary that an attempt was to
// write.
type SummarySkipped struct {
	Attempt AttemptID `json:"attempt"`
}

// Name implements [Body].
func (SummarySkipped) Name() string { return "summary_skipped" }

func (b SummarySkipped) apply(s *State, f Fact) error {
	l, a, err := s.attempt(f, b.Attempt)
	if err != nil || a.Summary == nil {
		return err
	}
	a.Summary.Skipped = true
	l.Retries = min(l.Retries, a.Summary.Climbed)
	return nil
}

// ofTarget reports whether an end of this class says something about the target, whatever
// the attempt was for.
func ofTarget(c Class) bool {
	return c == ClassRateLimited || c == ClassOverloaded || c == ClassAuth || c == ClassBilling
}
