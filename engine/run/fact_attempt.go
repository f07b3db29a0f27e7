package run

import (
	"fmt"
	"time"
)

// AttemptStarted decides to start an agent; the process follows.
type AttemptStarted struct {
	Attempt AttemptID `json:"attempt"`
	Target  Target    `json:"target"`
	// Resume is the agent's own session that is resumed; empty for a fresh start.
	Resume  string      `json:"resume_id,omitempty"`
	Permits []WindowKey `json:"permits,omitempty"`
	// Handoff is set if the agent is given the work of another.
	Handoff bool `json:"handoff,omitempty"`
	// Deadline is when the lane's budget of time ends from now on.
	Deadline time.Time `json:"deadline,omitzero"`
}

// Name implements [Body].
func (AttemptStarted) Name() string { return "attempt_started" }

func (b AttemptStarted) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	if b.Attempt != s.Attempts+1 {
		return fmt.Errorf("attempt %d does not follow %d", b.Attempt, s.Attempts)
	}
	s.endWait(l, f.At)
	l.Attempts = append(l.Attempts, Attempt{
		ID: b.Attempt, Target: b.Target, Resume: b.Resume, Permits: b.Permits, StartedAt: f.At,
	})
	if l.Job.FirstSpawn.IsZero() {
		l.Job.FirstSpawn = f.At
	}
	l.State, l.Deadline, l.Next, l.NextWhy = LaneWorking, b.Deadline, Target{}, ""
	s.Attempts = b.Attempt
	s.Counts.Spawned++
	return nil
}

// attempt finds the attempt a fact is about.
func (s *State) attempt(f Fact, id AttemptID) (*Lane, *Attempt, error) {
	l, a := s.LaneOfAttempt(f.Lane, id)
	if a == nil {
		return nil, nil, fmt.Errorf("no attempt %d in lane %d", id, f.Lane)
	}
	return l, a, nil
}

// AgentSpawned says that the process of an attempt runs.
type AgentSpawned struct {
	Attempt AttemptID `json:"attempt"`
	// Worker is the name of its directory below workers.
	Worker   string   `json:"worker_id"`
	PID      int      `json:"pid_id"`
	PIDStart string   `json:"pid_start_id,omitempty"`
	Command  []string `json:"command,omitempty"`
}

// Name implements [Body].
func (AgentSpawned) Name() string { return "agent_spawned" }

func (b AgentSpawned) apply(s *State, f Fact) error {
	_, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	a.SpawnedAt, a.Worker, a.PID, a.PIDStart, a.Command = f.At, b.Worker, b.PID, b.PIDStart, b.Command
	return nil
}

// AgentAdopted says that a resumed Layover follows an agent that was running.
type AgentAdopted struct {
	Attempt AttemptID `json:"attempt"`
}

// Name implements [Body].
func (AgentAdopted) Name() string { return "agent_adopted" }

func (AgentAdopted) apply(*State, Fact) error { return nil }

// AttemptServed is the first sign that a model answers, or the first after a
// suspicion. It is the progress that resets ladder, streak and waited time.
type AttemptServed struct {
	Attempt AttemptID `json:"attempt"`
	Sign    string    `json:"sign"`
}

// Name implements [Body].
func (AttemptServed) Name() string { return "attempt_served" }

func (b AttemptServed) apply(s *State, f Fact) error {
	l, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	if a.ServedAt.IsZero() {
		a.ServedAt, a.Before = f.At, Toil{Retries: l.Retries, Streak: l.Streak, Waited: l.Waited}
	}
	a.SeenAt = f.At
	l.Retries, l.Streak, l.Waited = 0, 0, 0
	return nil
}

// SessionLearned is the agent's own name for its conversation, and its model.
type SessionLearned struct {
	Attempt AttemptID `json:"attempt"`
	Session string    `json:"session_id"`
	Model   string    `json:"model,omitempty"`
}

// Name implements [Body].
func (SessionLearned) Name() string { return "session_learned" }

func (b SessionLearned) apply(s *State, f Fact) error {
	l, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	a.Session = b.Session
	if b.Model != "" {
		a.Model = b.Model
	}
	if a.Summary != nil {
		return nil // it is not the session of the turn
	}
	if l.Sessions == nil {
		l.Sessions = map[Target]string{}
	}
	l.Sessions[a.Target] = b.Session
	return nil
}

// SessionLost says that a session could not be resumed; the next attempt starts
// afresh.
type SessionLost struct {
	Attempt AttemptID `json:"attempt"`
}

// Name implements [Body].
func (SessionLost) Name() string { return "session_lost" }

func (b SessionLost) apply(s *State, f Fact) error {
	l, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	delete(l.Sessions, a.Target)
	return nil
}

// AttemptEnding says that we ask an attempt to end.
type AttemptEnding struct {
	Attempt AttemptID `json:"attempt"`
	Why     Ending    `json:"why"`
}

// Name implements [Body].
func (AttemptEnding) Name() string { return "attempt_ending" }

func (b AttemptEnding) apply(s *State, f Fact) error {
	_, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	a.Ending = b.Why
	return nil
}

// AttemptEnded is the end of an attempt with its verdict.
type AttemptEnded struct {
	Attempt    AttemptID `json:"attempt"`
	Exit       Exit      `json:"exit"`
	Verdict    Verdict   `json:"verdict"`
	DurationMs Millis    `json:"duration_ms"`
	// At is when the process ended, if that was while nobody owned the run; zero
	// means at the instant of the fact.
	At time.Time `json:"ended_at,omitzero"`
	// Brief is set if a model answered, but its provider broke off so soon that it was no
	// progress: what was retried and waited before counts on.
	Brief bool `json:"brief,omitempty"`
}

// Name implements [Body].
func (AttemptEnded) Name() string { return "attempt_ended" }

func (b AttemptEnded) apply(s *State, f Fact) error {
	l, a, err := s.attempt(f, b.Attempt)
	if err != nil {
		return err
	}
	a.EndedAt, a.Exit, a.Class, a.Usage = f.At, b.Exit, b.Verdict.Class, b.Verdict.Usage
	if !b.At.IsZero() {
		a.EndedAt = b.At
	}
	if b.Verdict.Model != "" && a.Model == "" {
		a.Model = b.Verdict.Model
	}
	if a.Summary == nil || ofTarget(b.Verdict.Class) {
		l.Last = b.Verdict
	}
	if l.State == LaneWorking && a == &l.Attempts[len(l.Attempts)-1] {
		l.State = LaneOpen
	}
	switch {
	case b.Brief:
		l.Retries, l.Streak, l.Waited = max(l.Retries, a.Before.Retries), l.Streak+a.Before.Streak, l.Waited+a.Before.Waited
	case !a.ServedAt.IsZero() && a.EndedAt.After(s.ProgressAt):
		s.ProgressAt = a.EndedAt
	}
	if b.Verdict.Class != ClassSuccess {
		l.Burned++
		l.Reasons = append(l.Reasons, b.Verdict.Class)
	}
	return nil
}

// UsageCounted accounts what a successful attempt consumed. Without a lane and an attempt
// it is what a run of another tool consumed beside its agents.
type UsageCounted struct {
	Attempt AttemptID `json:"attempt"`
	Usage   Usage     `json:"usage"`
}

// Name implements [Body].
func (UsageCounted) Name() string { return "usage" }

func (b UsageCounted) apply(s *State, f Fact) error {
	if f.Lane == 0 {
		s.Usage = s.Usage.Add(b.Usage)
		return nil
	}
	return s.count(f, b.Attempt, b.Usage)
}

// UsageIncomplete accounts what a burned attempt consumed, as far as it said.
type UsageIncomplete struct {
	Attempt AttemptID `json:"attempt"`
	Usage   Usage     `json:"usage"`
}

// Name implements [Body].
func (UsageIncomplete) Name() string { return "usage_incomplete" }

func (b UsageIncomplete) apply(s *State, f Fact) error {
	if err := s.count(f, b.Attempt, b.Usage); err != nil {
		return err
	}
	s.Counts.Burned++
	return nil
}

func (s *State) count(f Fact, id AttemptID, u Usage) error {
	l, a, err := s.attempt(f, id)
	if err != nil {
		return err
	}
	a.Counted = true
	l.Usage, s.Usage = l.Usage.Add(u), s.Usage.Add(u)
	if fam := s.Family(s.Program.FamilyOf(a.Target)); fam != nil {
		fam.Usage = fam.Usage.Add(u)
	}
	return nil
}
