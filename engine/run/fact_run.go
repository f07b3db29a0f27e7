package run

import (
	"errors"
	"fmt"
	"time"
)

// Format is the version of the facts. It grows when an older Layover would take new
// facts for something else; new kinds of facts alone are skipped by readers.
const Format = 1

var errNoLane = errors.New("no such lane")

// RunStarted opens a run and carries all that it starts from.
type RunStarted struct {
	// Format is that of the run's facts; zero, in runs that do not say it, is 1.
	Format  int       `json:"format"`
	RunID   string    `json:"run_id"`
	Program Program   `json:"program"`
	Seed    uint64    `json:"seed"`
	Epoch   time.Time `json:"epoch"`
	Speed   float64   `json:"speed"`
	Missing []string  `json:"missing,omitempty"`
}

// Name implements [Body].
func (RunStarted) Name() string { return "run_started" }

func (b RunStarted) apply(s *State, f Fact) error {
	if s.Seq != 0 {
		return errors.New("the run has started already")
	}
	if b.Format > Format {
		return fmt.Errorf("a newer layover wrote it: format %d, this one knows up to %d", b.Format, Format)
	}
	s.ID, s.Program, s.Seed, s.Epoch, s.Speed, s.Missing = b.RunID, b.Program, b.Seed, b.Epoch, b.Speed, b.Missing
	s.StartedAt, s.ProgressAt, s.Phase = f.At, f.At, PhaseRunning
	s.queue = queue{groups: groupsOf(b.Program.Tasks)}
	s.targets = targetsOf(&b.Program)
	s.Families = nil
	for _, name := range b.Program.Families() {
		s.Families = append(s.Families, &Family{Name: name})
	}
	return nil
}

// RunResumed is a run taken up again by another process.
type RunResumed struct {
	Missing []string `json:"missing,omitempty"`
}

// Name implements [Body].
func (RunResumed) Name() string { return "run_resumed" }

func (b RunResumed) apply(s *State, f Fact) error {
	s.Missing, s.Phase, s.Stop, s.StopAt, s.ProgressAt = b.Missing, PhaseRunning, 0, time.Time{}, f.At
	s.EndedAt, s.Exit, s.ExitWhy, s.ResetsAt = time.Time{}, 0, "", time.Time{}
	s.Notice, s.NoticeAt = "", time.Time{}
	return nil
}

// ExitUnseen stands for the exit status of a run of another tool that nobody saw end; why
// it counts as ended is said.
const ExitUnseen = -1

// RunEnded closes a run.
type RunEnded struct {
	// Exit is the exit status of design.md §8, or ExitUnseen.
	Exit int    `json:"exit"`
	Why  string `json:"why"`
	// ResetsAt is the earliest reset the run would have had to wait for.
	ResetsAt time.Time `json:"resets_at,omitzero"`
	Usage    Usage     `json:"usage,omitzero"`
}

// Name implements [Body].
func (RunEnded) Name() string { return "run_ended" }

func (b RunEnded) apply(s *State, f Fact) error {
	s.Phase, s.EndedAt, s.Exit, s.ExitWhy, s.ResetsAt = PhaseEnded, f.At, b.Exit, b.Why, b.ResetsAt
	return nil
}

// IterationStarted puts every task into the queue once more.
type IterationStarted struct {
	Iteration int `json:"iteration"`
}

// Name implements [Body].
func (IterationStarted) Name() string { return "iteration_started" }

func (b IterationStarted) apply(s *State, _ Fact) error {
	s.Iteration = b.Iteration
	for i := range s.Program.Tasks {
		s.enqueue(Job{Task: i, Iteration: b.Iteration})
	}
	return nil
}

// UntilAsked puts the program's until command after an iteration.
type UntilAsked struct {
	Iteration int `json:"iteration"`
}

// Name implements [Body].
func (UntilAsked) Name() string { return "until_asked" }

func (b UntilAsked) apply(s *State, _ Fact) error {
	s.UntilAsked = b.Iteration
	return nil
}

// UntilChecked is the answer of the program's until command after an iteration.
type UntilChecked struct {
	Iteration int  `json:"iteration"`
	Done      bool `json:"done"`
	// Error tells why the command could not be asked; empty if it was.
	Error Untrusted `json:"error,omitempty"`
}

// Name implements [Body].
func (UntilChecked) Name() string { return "until_checked" }

func (b UntilChecked) apply(s *State, _ Fact) error {
	s.UntilChecked, s.UntilDone = b.Iteration, b.Done
	return nil
}

// TaskRequeued sends a blocked task back to the queue. With a lane it is the task of
// that stopped lane, which a resumed run takes up again.
type TaskRequeued struct {
	Job Job `json:"job"`
}

// Name implements [Body].
func (TaskRequeued) Name() string { return "task_requeued" }

func (b TaskRequeued) apply(s *State, f Fact) error {
	if b.Job.Task < 0 || b.Job.Task >= len(s.Program.Tasks) {
		return fmt.Errorf("there is no task %d", b.Job.Task)
	}
	if l := s.Lane(f.Lane); l != nil && l.State == LaneStopped {
		s.Counts.Stopped--
	}
	s.requeue(b.Job)
	return nil
}

// ProgramWaiting says that work is left but no target can take it.
type ProgramWaiting struct {
	// Until is the earliest instant that may free a target; zero if unknown.
	Until time.Time `json:"until,omitzero"`
	Why   string    `json:"why"`
}

// Name implements [Body].
func (ProgramWaiting) Name() string { return "program_waiting" }

func (b ProgramWaiting) apply(s *State, f Fact) error {
	if s.Phase != PhaseWaiting {
		s.WaitsSince = f.At
	}
	s.Phase, s.WaitsFor = PhaseWaiting, b.Until
	return nil
}

// ProgramPaused holds back new spawns.
type ProgramPaused struct{}

// Name implements [Body].
func (ProgramPaused) Name() string { return "program_paused" }

func (ProgramPaused) apply(s *State, _ Fact) error { s.Paused = true; return nil }

// ProgramUnpaused lets spawns go on.
type ProgramUnpaused struct{}

// Name implements [Body].
func (ProgramUnpaused) Name() string { return "program_unpaused" }

func (ProgramUnpaused) apply(s *State, _ Fact) error { s.Paused = false; return nil }

// StopRequested asks the run, or one lane of it, to end.
type StopRequested struct {
	Hard bool `json:"hard"`
	// Boundary is when a soft stop ends the wait of the lane the fact is about.
	Boundary time.Time `json:"boundary,omitzero"`
	// Run is set on the fact that is about the run.
	Run bool `json:"run,omitempty"`
}

// Name implements [Body].
func (StopRequested) Name() string { return "stop_requested" }

func (b StopRequested) apply(s *State, f Fact) error {
	stop := StopSoft
	if b.Hard {
		stop = StopHard
	}
	if b.Run {
		if s.Stop == 0 {
			s.StopAt = f.At
		}
		s.Stop = stop
		return nil
	}
	l := s.Lane(f.Lane)
	if l == nil {
		return errNoLane
	}
	l.Stop, l.StopAt = stop, b.Boundary
	return nil
}

// StopCancelled takes a soft stop back, of the run or of one lane.
type StopCancelled struct {
	Run bool `json:"run,omitempty"`
}

// Name implements [Body].
func (StopCancelled) Name() string { return "stop_cancelled" }

func (b StopCancelled) apply(s *State, f Fact) error {
	if b.Run {
		s.Stop, s.StopAt = 0, time.Time{}
		return nil
	}
	l := s.Lane(f.Lane)
	if l == nil {
		return errNoLane
	}
	l.Stop, l.StopAt = 0, time.Time{}
	return nil
}

// ControlReceived is a command of the operator, from a key or another process.
type ControlReceived struct {
	Verb string `json:"verb"`
	// Target is what it is about: a lane, a family; empty for the run.
	Target string `json:"target,omitempty"`
	From   string `json:"from,omitempty"`
}

// Name implements [Body].
func (ControlReceived) Name() string { return "control_received" }

func (ControlReceived) apply(*State, Fact) error { return nil }

// ClockStepped says that the wall clock moved against the monotonic one.
type ClockStepped struct {
	ByMs Millis `json:"by_ms"`
}

// Name implements [Body].
func (ClockStepped) Name() string { return "clock_stepped" }

func (b ClockStepped) apply(s *State, _ Fact) error {
	for _, id := range s.Open { // the time of a summary keeps its length
		l := s.Lane(id)
		if n := len(l.Attempts); n > 0 && l.Attempts[n-1].Summary != nil {
			sum := l.Attempts[n-1].Summary
			sum.Until = sum.Until.Add(b.ByMs.D())
			s.reckon(l)
		}
	}
	return nil
}

// Notice is a line the operator should read.
type Notice struct {
	Message string `json:"message"`
}

// Name implements [Body].
func (Notice) Name() string { return "notice" }

func (b Notice) apply(s *State, f Fact) error {
	s.Notice, s.NoticeAt = b.Message, f.At
	return nil
}
