package run

import (
	"fmt"
	"slices"
	"time"
)

// LaneStarted opens a lane for a job, which leaves the queue.
type LaneStarted struct {
	Task string `json:"task"`
	Job  Job    `json:"job"`
	// Deadline is when the lane's budget of time ends, as far as it is known now.
	Deadline time.Time `json:"deadline,omitzero"`
	// New is the task of the job, if the program did not have it: that of a run of another
	// tool, whose agents become known as they are started. Nil in runs of ours.
	New *Task `json:"new_task,omitempty"`
}

// Name implements [Body].
func (LaneStarted) Name() string { return "lane_started" }

func (b LaneStarted) apply(s *State, f Fact) error {
	if int(f.Lane) != len(s.Lanes)+1 {
		return fmt.Errorf("lane %d does not follow %d", f.Lane, len(s.Lanes))
	}
	if b.Job.From < 0 || b.Job.From >= f.Lane {
		return fmt.Errorf("its job came back from lane %d, which was not before it", b.Job.From)
	}
	if b.New != nil {
		if err := s.addTask(*b.New, b.Job); err != nil {
			return err
		}
	}
	if !s.dequeue(b.Job) {
		return fmt.Errorf("no such job in the queue")
	}
	l := &Lane{ID: f.Lane, Job: b.Job, State: LaneOpen, StartedAt: f.At, Deadline: b.Deadline}
	if b.Job.Session != "" {
		l.Sessions = map[Target]string{b.Job.Target: b.Job.Session}
	}
	s.Lanes = append(s.Lanes, l)
	s.Open = append(s.Open, l.ID)
	s.Phase = PhaseRunning
	return nil
}

// LaneRouted is an answer of the router.
type LaneRouted struct {
	// Why is "start" for a new lane, "failover" after a failure, "patience" when
	// the wait took too long, "operator" when somebody asked.
	Why string `json:"why"`
	// To is zero if the router found nobody.
	To Target `json:"to,omitzero"`
	// Next is set if the lane goes there once the attempt under way has ended.
	Next bool `json:"next,omitempty"`
}

// Name implements [Body].
func (LaneRouted) Name() string { return "lane_routed" }

func (b LaneRouted) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	switch {
	case b.Next:
		l.Next, l.NextWhy = b.To, b.Why
	case b.Why == "start":
		l.Target = b.To
	case b.Why == "patience" && b.To.IsZero():
		// Nobody is free: it goes on, and is looked at when something changes.
		if l.Wait != nil {
			l.Wait.LookAt = time.Time{}
		}
		if a := l.Running(); a != nil {
			a.LookAt = time.Time{}
		}
	}
	return nil
}

// LaneEnded closes a lane.
type LaneEnded struct {
	State LaneState `json:"state"`
	// Class is the last verdict's; zero if there was no attempt.
	Class Class `json:"class,omitempty"`
	// Why says why, where the last verdict does not; else empty.
	Why string `json:"why,omitempty"`
}

// Name implements [Body].
func (LaneEnded) Name() string { return "lane_ended" }

func (b LaneEnded) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	if !b.State.Final() {
		return fmt.Errorf("%s is not an end", b.State)
	}
	s.endWait(l, f.At)
	l.State, l.EndedAt, l.StopAt, l.Why = b.State, f.At, time.Time{}, b.Why
	if i, open := slices.BinarySearch(s.Open, l.ID); open {
		s.Open = slices.Delete(s.Open, i, i+1)
	}
	switch b.State {
	case LaneDone:
		s.Counts.Done++
	case LaneFailed:
		s.Counts.Failed++
	case LaneStopped:
		s.Counts.Stopped++
	case LaneBlocked:
		s.Counts.Blocked++
	}
	return nil
}

// TurnStarted is the start of the lane's prompt being driven to an end.
type TurnStarted struct{}

// Name implements [Body].
func (TurnStarted) Name() string { return "turn_started" }

func (TurnStarted) apply(*State, Fact) error { return nil }

// TurnEnded is the end of a turn: done, stopped, failed or blocked.
type TurnEnded struct {
	State  LaneState `json:"state"`
	Class  Class     `json:"class,omitempty"`
	Target Target    `json:"target,omitzero"`
}

// Name implements [Body].
func (TurnEnded) Name() string { return "turn_ended" }

func (TurnEnded) apply(*State, Fact) error { return nil }

// ProviderFallback is a swap: the turn goes on with another target.
type ProviderFallback struct {
	From   Target `json:"from"`
	To     Target `json:"to"`
	Reason Class  `json:"reason,omitempty"`
	// Counted is set on a swap for failure; a return is not counted.
	Counted bool `json:"counted"`
}

// Name implements [Body].
func (ProviderFallback) Name() string { return "provider_fallback" }

func (b ProviderFallback) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	l.Left = slices.DeleteFunc(l.Left, func(x Left) bool { return x.Target == b.To })
	l.Left = append(l.Left, Left{Target: b.From, At: f.At, Class: b.Reason})
	l.Target, l.Next, l.NextWhy = b.To, Target{}, ""
	l.Retries, l.Burned, l.Retried, l.Rested, l.Reasons = 0, 0, false, false, nil
	l.Streak, l.Waited = 0, 0
	if b.Counted {
		l.Swaps++
	}
	s.Counts.Swaps++
	return nil
}

// HandoffWritten is the work so far, written down for the attempt that goes on with it.
type HandoffWritten struct {
	Attempt AttemptID `json:"attempt"`
	Bytes   int       `json:"bytes"`
	// Summary is set if a summary of what does not fit is in it.
	Summary bool `json:"summary,omitempty"`
}

// Name implements [Body].
func (HandoffWritten) Name() string { return "handoff_written" }

func (b HandoffWritten) apply(s *State, f Fact) error {
	_, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	a.Handed = b.Bytes
	return nil
}

// Rungs is how often a lane restarts an agent whose conversation was too long.
const Rungs = 2

// OverflowRung restarts an agent whose conversation was too long with less of it.
type OverflowRung struct {
	Rung int `json:"rung"`
	// Keep is the share of the estimated transcript that is kept.
	Keep float64 `json:"keep"`
}

// Name implements [Body].
func (OverflowRung) Name() string { return "overflow_rung" }

func (b OverflowRung) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	l.Rung = b.Rung
	delete(l.Sessions, l.Target)
	return nil
}

// RetriesExhausted says that a turn gave up on its target after retrying.
type RetriesExhausted struct {
	Attempts int     `json:"attempts"`
	Reasons  []Class `json:"reasons"`
	// Retryable is set if the fault was a provider's and may pass.
	Retryable bool `json:"retryable"`
}

// Name implements [Body].
func (RetriesExhausted) Name() string { return "retries_exhausted" }

func (RetriesExhausted) apply(*State, Fact) error { return nil }

// Error is why a turn ended without success.
type Error struct {
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
	// HintS is the wait that was asked for, CeilingS the allowance, HeadroomS the
	// time to the deadline, in seconds; nil where there is none.
	HintS     *float64 `json:"hint_s,omitempty"`
	CeilingS  *float64 `json:"ceiling_s,omitempty"`
	HeadroomS *float64 `json:"headroom_s,omitempty"`
	// ResetsAt is when the limit ends, if that was said.
	ResetsAt time.Time `json:"resets_at,omitzero"`
}

// Name implements [Body].
func (Error) Name() string { return "error" }

func (Error) apply(*State, Fact) error { return nil }
