package run

import "time"

// LaneID names a lane within a run, from one; zero names none.
type LaneID int

// AttemptID counts the attempts of a run, from one; it is the generation of a
// spawn and of its permits. Zero names none.
type AttemptID int

// LaneState is what a lane does now.
type LaneState int

const (
	// LaneOpen is a lane that was opened and has not been routed yet.
	LaneOpen LaneState = iota + 1
	// LaneWorking has an attempt under way.
	LaneWorking
	// LaneWaiting waits inline, within its ladder or for a short stated wait.
	LaneWaiting
	// LaneParked is in a supervised long wait.
	LaneParked
	// LaneDone ended with success.
	LaneDone
	// LaneFailed ended on the agent's own account, or at its deadline.
	LaneFailed
	// LaneStopped was ended by the operator.
	LaneStopped
	// LaneBlocked ended by a provider's fault; its task is in the queue again.
	LaneBlocked
)

var laneStateNames = []string{"open", "working", "waiting", "parked", "done", "failed", "stopped", "blocked"}

func (l LaneState) String() string { return enumName(laneStateNames, int(l)) }

// MarshalText writes the word.
func (l LaneState) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (l *LaneState) UnmarshalText(b []byte) error {
	v, err := enumValue("lane state", laneStateNames, b)
	*l = LaneState(v)
	return err
}

// Final reports whether the lane has ended.
func (l LaneState) Final() bool { return l >= LaneDone }

// Lane is one task being worked on in one iteration.
type Lane struct {
	ID        LaneID
	Job       Job
	State     LaneState
	Target    Target
	StartedAt time.Time
	EndedAt   time.Time
	// Deadline is when the task's budget or the run's ends; zero means never.
	Deadline time.Time
	Attempts []Attempt
	// Wait is the wait under way; nil if there is none.
	Wait *Wait

	// Retries, Burned and Reasons count since the last swap: inline retries,
	// attempts that failed, and why they did. Progress resets Retries.
	Retries int
	Burned  int
	Retried bool
	// Rested is set once a park has ended since the last retry of the ladder.
	Rested  bool
	Reasons []Class
	// Streak counts the parks since progress; Waited is the time waited since.
	Streak int
	Waited time.Duration

	Swaps int
	// Left are the targets that this lane left, the latest last.
	Left []Left
	// Refused are the windows at which this lane has been refused already.
	Refused []Refused
	// Sessions are the agents' own sessions, by target.
	Sessions map[Target]string
	// Rung is the last overflow rung taken; zero means none.
	Rung int
	// Next is where the lane goes when the attempt under way has been ended for
	// a swap; zero if that is not so.
	Next Target
	// NextWhy is why: "patience" or "operator".
	NextWhy string
	// StopAt is when a soft stop ends the wait; zero if none is asked for.
	StopAt time.Time
	// Stop is set when a stop of this lane alone is asked for.
	Stop Stop
	// Last is the latest verdict; its Class is zero before the first end. That of a
	// summary is left out, unless its target refused it.
	Last  Verdict
	Usage Usage
	// Spent is the budget of the task, once it is spent; nil before.
	Spent *BudgetSpent
	// Why says why the lane has ended, where its last verdict does not; else empty.
	Why string

	due   time.Time
	index int
	crew  *crew // those that wait like it, see State.crews; nil if it is not restless
}

// Left is a target that a lane left for another.
type Left struct {
	Target Target
	At     time.Time
	Class  Class
}

// Refused is a window at which a lane has been refused.
type Refused struct {
	Key      WindowKey
	OpenedAt time.Time
}

// Wait is the one primitive of waiting: inline waits and parks. Thousands of lanes may
// hold one, so nothing is kept in it that is not needed.
type Wait struct {
	// Inline is set on a wait that is no park.
	Inline bool
	// Released is set once the window has let the lane go and WakeAt is its own.
	Released bool
	Since    time.Time
	// WakeAt is when the lane tries again; a wait for a window is woken by it,
	// see [State.WakeAt].
	WakeAt time.Time
	// Window is the window waited for; zero for a plain backoff.
	Window WindowKey
	How    How
	// LookAt is when the lane must be looked at again though nothing is due: its
	// patience ends, or its allowance; zero means never.
	LookAt time.Time
	// Ceiling is when the lane's allowance ends; zero means never.
	Ceiling time.Time
	Reason  Class
}

// Attempt is one spawned agent process within a turn.
type Attempt struct {
	ID     AttemptID
	Target Target
	// Resume is the session that is resumed; empty for a fresh start.
	Resume string
	// Permits are the windows it was allowed into.
	Permits []WindowKey
	// Handed is how long the work of others is that it was given, in bytes; zero if it
	// was given none.
	Handed int
	// Summary is set on an attempt that only summarises the work of others.
	Summary   *Summary
	StartedAt time.Time
	SpawnedAt time.Time
	// ServedAt is when a model first answered; zero if none has.
	ServedAt time.Time
	// Before is what the lane had gone through when it was served: that counts on if the
	// attempt is brief.
	Before Toil
	// SeenAt is the last served sign that changed something.
	SeenAt  time.Time
	EndedAt time.Time
	// Ending tells that we have asked it to end, and why; zero if not.
	Ending    Ending
	Suspected bool
	// LookAt is when patience with a suspected attempt ends; zero means never.
	LookAt   time.Time
	Worker   string
	PID      int
	PIDStart string
	Command  []string
	Session  string
	Model    string
	Exit     Exit
	Class    Class
	Usage    Usage
	// Counted is set once its usage is in the sums.
	Counted bool
}

// Toil is what a lane has gone through since its last progress. The zero value is nothing.
type Toil struct {
	Retries int // rungs of the ladder
	Streak  int // parks
	Waited  time.Duration
}

// Ending is why we asked an attempt to end.
type Ending int

const (
	// EndingStop is the operator's stop.
	EndingStop Ending = iota + 1
	// EndingDeadline is the end of the budget of time.
	EndingDeadline
	// EndingSwap is patience that ran out within a suspected attempt, or the
	// operator's swap.
	EndingSwap
	// EndingStall is silence, or a runaway.
	EndingStall
	// EndingBudget is the end of the budget of tokens or money.
	EndingBudget
	// EndingSummary is the end of the time for a summary.
	EndingSummary
)

var endingNames = []string{"stop", "deadline", "swap", "stall", "budget", "summary"}

func (e Ending) String() string { return enumName(endingNames, int(e)) }

// MarshalText writes the word.
func (e Ending) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (e *Ending) UnmarshalText(b []byte) error {
	v, err := enumValue("ending", endingNames, b)
	*e = Ending(v)
	return err
}

// Stop is how a run or a lane is asked to end. The zero value means not at all.
type Stop int

const (
	// StopSoft finishes what runs now and ends a park at the next chunk.
	StopSoft Stop = iota + 1
	// StopHard ends it now.
	StopHard
)

var stopNames = []string{"soft", "hard"}

func (s Stop) String() string { return enumName(stopNames, int(s)) }

// MarshalText writes the word.
func (s Stop) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (s *Stop) UnmarshalText(b []byte) error {
	v, err := enumValue("stop", stopNames, b)
	*s = Stop(v)
	return err
}

// Job is one place of the queue: a task to be worked on in an iteration.
type Job struct {
	Task      int `json:"task"`
	Iteration int `json:"iteration"`
	// Requeued counts how often it came back: for a provider's fault, or because a
	// stopped run was resumed.
	Requeued int `json:"requeued,omitempty"`
	// Stopped is set on a job that came back from a stop: it may wait like a new one.
	Stopped bool `json:"stopped,omitempty"`
	// FirstSpawn is when its first agent was started; zero if none was.
	FirstSpawn time.Time `json:"first_spawn,omitzero"`
	// NotBefore is when it may be tried again where no window says so: the breaker
	// is off. Zero means at once.
	NotBefore time.Time `json:"not_before,omitzero"`
	// Used is what its earlier lanes have used.
	Used Usage `json:"used,omitzero"`
	// From is the lane that it came back from; zero if it has not.
	From LaneID `json:"from,omitempty"`
	// Target and Session are where it was blocked; zero if it was not.
	Target  Target `json:"target,omitzero"`
	Session string `json:"session,omitempty"`
}

// Running gives the attempt under way, or nil.
func (l *Lane) Running() *Attempt {
	if l.State != LaneWorking || len(l.Attempts) == 0 {
		return nil
	}
	return &l.Attempts[len(l.Attempts)-1]
}

// AttemptOf finds an attempt by its id, the latest first; nil if it is not the lane's.
func (l *Lane) AttemptOf(id AttemptID) *Attempt {
	for i := len(l.Attempts) - 1; i >= 0; i-- {
		if l.Attempts[i].ID == id {
			return &l.Attempts[i]
		}
	}
	return nil
}

// HasLeft reports whether the lane left a target before, and when last.
func (l *Lane) HasLeft(t Target) (Left, bool) {
	for i := len(l.Left) - 1; i >= 0; i-- {
		if l.Left[i].Target == t {
			return l.Left[i], true
		}
	}
	return Left{}, false
}
