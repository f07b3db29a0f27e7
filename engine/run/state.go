package run

import (
	"slices"
	"strconv"
	"time"
)

// Phase is where a run stands.
type Phase int

const (
	// PhaseRunning has lanes open, or is about to open some.
	PhaseRunning Phase = iota + 1
	// PhaseWaiting has work in the queue but no target that could take it.
	PhaseWaiting
	// PhaseEnded is over.
	PhaseEnded
)

var phaseNames = []string{"running", "waiting", "ended"}

func (p Phase) String() string { return enumName(phaseNames, int(p)) }

// MarshalText writes the word.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (p *Phase) UnmarshalText(b []byte) error {
	v, err := enumValue("phase", phaseNames, b)
	*p = Phase(v)
	return err
}

// State is everything a run is. It is changed by [State.Apply] alone; the zero
// value is a run that has not started. It must not be copied.
type State struct {
	ID      string
	Program Program
	Seed    uint64
	// Epoch is when the run's clock started; Speed is how fast it goes, where 1
	// is real time and 0 jumps from one due instant to the next.
	Epoch time.Time
	Speed float64
	// Missing are the agents of the program that are not installed.
	Missing []string

	Seq       uint64
	StartedAt time.Time
	LastAt    time.Time
	EndedAt   time.Time
	Phase     Phase
	Stop      Stop
	// StopAt is when the run was first asked to stop; zero if it is not.
	StopAt  time.Time
	Paused  bool
	Exit    int
	ExitWhy string
	// ResetsAt is the earliest reset that an ended run was still waiting for.
	ResetsAt time.Time
	// WaitsFor is the instant that a waiting program waits for; zero if unknown.
	WaitsFor time.Time
	// WaitsSince is when it last made no progress.
	WaitsSince time.Time
	// ProgressAt is when an attempt last ended that a model had served, and not but
	// briefly, or the run was taken up.
	ProgressAt time.Time

	Iteration int
	// UntilAsked and UntilChecked are the iterations after which Program.Until was
	// asked and has answered; UntilDone is its answer.
	UntilAsked, UntilChecked int
	UntilDone                bool
	Queue                    []Job
	// Lanes holds every lane; the lane with id n stands at n-1.
	Lanes []*Lane
	// Open are the lanes that have not ended, the oldest first.
	Open []LaneID

	Families []*Family
	// Windows are the open windows, in the order they were opened.
	Windows    []*Window
	Suspicions []Suspicion
	Trips      []Trip
	Attempts   AttemptID
	Usage      Usage
	// Spent is the budget of the program, once it is spent; nil before.
	Spent  *BudgetSpent
	Counts Counts
	// Notice is the latest thing the operator should know.
	Notice   string
	NoticeAt time.Time

	due     dueHeap
	crews   map[Restless]*crew // of all lanes that are restless; none is empty
	settled settled
	targets []Target
	queue   queue
}

// Counts sums up a run.
type Counts struct {
	Spawned, Refused, Burned, Parks, Retries, Swaps, Probes int
	Done, Failed, Stopped, Blocked                          int
	// Parked is the time lanes spent parked.
	Parked time.Duration
}

// Lane finds a lane; nil if there is none of that id.
func (s *State) Lane(id LaneID) *Lane {
	if id < 1 || int(id) > len(s.Lanes) {
		return nil
	}
	return s.Lanes[id-1]
}

// LaneOfAttempt finds the open lane that an attempt belongs to, and the attempt;
// both nil if there is none.
func (s *State) LaneOfAttempt(lane LaneID, id AttemptID) (*Lane, *Attempt) {
	l := s.Lane(lane)
	if l == nil {
		return nil, nil
	}
	a := l.AttemptOf(id)
	if a == nil {
		return nil, nil
	}
	return l, a
}

// Family finds a family, or nil.
func (s *State) Family(name string) *Family {
	for _, f := range s.Families {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Window finds an open window, or nil.
func (s *State) Window(k WindowKey) *Window {
	for _, w := range s.Windows {
		if w.WindowKey == k {
			return w
		}
	}
	return nil
}

// WindowsOn lists the open windows that bind a target.
func (s *State) WindowsOn(t Target) []*Window {
	var on []*Window
	family := s.Program.FamilyOf(t)
	for _, w := range s.Windows {
		if w.Binds(family, t.Model) {
			on = append(on, w)
		}
	}
	return on
}

// Installed reports whether the agent of a target can be started.
func (s *State) Installed(t Target) bool { return !slices.Contains(s.Missing, t.Agent) }

// Suspected reports whether a family or model is suspected now.
func (s *State) Suspected(t Target, now time.Time) bool {
	family := s.Program.FamilyOf(t)
	for _, x := range s.Suspicions {
		if x.Family == family && (x.Model == "" || x.Model == t.Model) && now.Before(x.Until) {
			return true
		}
	}
	return false
}

// WakeAt is when a waiting lane tries again: its own instant, or that of the
// window it waits for. Zero means that nothing wakes it by itself.
func (s *State) WakeAt(l *Lane) time.Time {
	if l.Wait == nil {
		return time.Time{}
	}
	if w := s.Gate(l); w != nil {
		return w.PermitAt()
	}
	return l.Wait.WakeAt
}

// Gate is the open window that a waiting lane waits for, or nil if it waits for
// its own instant.
func (s *State) Gate(l *Lane) *Window {
	if l.Wait == nil || l.Wait.Window.IsZero() || l.Wait.Released {
		return nil
	}
	return s.Window(l.Wait.Window)
}

// Deadline is when the run's own budget of time ends; zero means never.
func (s *State) Deadline() time.Time {
	if s.Program.Deadline <= 0 {
		return time.Time{}
	}
	return s.StartedAt.Add(s.Program.Deadline.D())
}

// Label names a lane for people: the task, and the iteration if there are several.
func (s *State) Label(l *Lane) string {
	name := s.Program.Tasks[l.Job.Task].Name
	if s.Program.Iterations > 1 {
		name += "#" + strconv.Itoa(l.Job.Iteration)
	}
	return name
}
