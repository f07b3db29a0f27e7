package run

import (
	"fmt"
	"slices"
	"time"
)

// RetryScheduled is an inline wait: a rung of the ladder, or a short stated wait.
type RetryScheduled struct {
	// Retry counts the ladder's retries from one; zero for a stated wait.
	Retry   int       `json:"retry,omitempty"`
	Reason  Class     `json:"reason"`
	DelayMs Millis    `json:"delay_ms"`
	WakeAt  time.Time `json:"wake_at"`
	How     How       `json:"how,omitempty"`
	Window  WindowKey `json:"window,omitzero"`
	LookAt  time.Time `json:"look_at,omitzero"`
	Ceiling time.Time `json:"ceiling_at,omitzero"`
}

// Name implements [Body].
func (RetryScheduled) Name() string { return "retry_scheduled" }

func (b RetryScheduled) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	err := s.startWait(l, LaneWaiting, &Wait{
		Inline: true, Since: f.At, WakeAt: b.WakeAt, Window: b.Window, How: b.How,
		LookAt: b.LookAt, Ceiling: b.Ceiling, Reason: b.Reason,
	})
	if err != nil {
		return err
	}
	if b.Retry > 0 {
		l.Retries, l.Retried, l.Rested = b.Retry, true, false
	}
	s.Counts.Retries++
	return nil
}

// TurnParked is the start of a park.
type TurnParked struct {
	Reason    Class     `json:"reason"`
	PlannedMs Millis    `json:"planned_ms"`
	WakeAt    time.Time `json:"wake_at"`
	How       How       `json:"how,omitempty"`
	// Streak counts the parks since progress, from one.
	Streak int `json:"streak"`
	// AllowanceMs is how long the lane may wait; nil if there is no bound.
	AllowanceMs *Millis   `json:"allowance_ms,omitempty"`
	Window      WindowKey `json:"window,omitzero"`
	LookAt      time.Time `json:"look_at,omitzero"`
	Ceiling     time.Time `json:"ceiling_at,omitzero"`
}

// Name implements [Body].
func (TurnParked) Name() string { return "turn_parked" }

func (b TurnParked) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	err := s.startWait(l, LaneParked, &Wait{
		Since: f.At, WakeAt: b.WakeAt, Window: b.Window, How: b.How,
		LookAt: b.LookAt, Ceiling: b.Ceiling, Reason: b.Reason,
	})
	if err != nil {
		return err
	}
	l.Streak, l.Retried = b.Streak, true
	s.Counts.Parks++
	return nil
}

// ParkMoved changes when a waiting lane wakes. Without a lane it says that all
// lanes that wait for a window wake with it.
type ParkMoved struct {
	WakeAt time.Time `json:"wake_at,omitzero"`
	Window WindowKey `json:"window,omitzero"`
	// Lanes is how many lanes move, on a fact about a window.
	Lanes int `json:"lanes,omitempty"`
	// Released is set when the window lets the lane go.
	Released bool      `json:"released,omitempty"`
	How      How       `json:"how,omitempty"`
	LookAt   time.Time `json:"look_at,omitzero"`
	Ceiling  time.Time `json:"ceiling_at,omitzero"`
	// Since is set when the clock jumped and the time jumped over is no waiting.
	Since time.Time `json:"since_at,omitzero"`
}

// Name implements [Body].
func (ParkMoved) Name() string { return "park_moved" }

func (b ParkMoved) apply(s *State, f Fact) error {
	if f.Lane == 0 {
		return nil // the window itself says when; this fact tells readers
	}
	l := s.Lane(f.Lane)
	if l.Wait == nil {
		return fmt.Errorf("lane %d does not wait", f.Lane)
	}
	s.leaveWindow(l)
	l.Wait.WakeAt, l.Wait.LookAt, l.Wait.Ceiling = b.WakeAt, b.LookAt, b.Ceiling
	l.Wait.Released = b.Released
	if !b.Since.IsZero() {
		l.Wait.Since = b.Since
	}
	if b.How != 0 {
		l.Wait.How = b.How
	}
	if !b.Released {
		l.Wait.Window = b.Window
		s.joinWindow(l)
	}
	return nil
}

// Woken is why a park ended.
type Woken int

const (
	// WokenDue is a wait that is over.
	WokenDue Woken = iota + 1
	// WokenStop is a soft stop at a chunk boundary.
	WokenStop
	// WokenHardStop is a hard stop.
	WokenHardStop
	// WokenOperator is the operator's wake.
	WokenOperator
	// WokenCleared is a window that was cleared or settled good.
	WokenCleared
	// WokenSwap is a swap to another target.
	WokenSwap
	// WokenDeadline is the end of the allowance.
	WokenDeadline
)

var wokenNames = []string{"due", "stop", "hard_stop", "operator", "cleared", "swap", "deadline"}

func (w Woken) String() string { return enumName(wokenNames, int(w)) }

// MarshalText writes the word.
func (w Woken) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (w *Woken) UnmarshalText(b []byte) error {
	v, err := enumValue("reason", wokenNames, b)
	*w = Woken(v)
	return err
}

// TurnWoken is the one end of a park.
type TurnWoken struct {
	Reason   Woken  `json:"reason"`
	WaitedMs Millis `json:"waited_ms"`
}

// Name implements [Body].
func (TurnWoken) Name() string { return "turn_woken" }

func (b TurnWoken) apply(s *State, f Fact) error {
	l := s.Lane(f.Lane)
	if l.Wait == nil || l.Wait.Inline {
		return fmt.Errorf("lane %d is not parked", f.Lane)
	}
	s.Counts.Parked += b.WaitedMs.D()
	s.endWait(l, f.At)
	l.Rested = true
	return nil
}

func (s *State) startWait(l *Lane, st LaneState, w *Wait) error {
	if l.State.Final() || l.State == LaneWorking || (l.Wait != nil && !l.Wait.Inline) {
		return fmt.Errorf("lane %d is %s already", l.ID, l.State)
	}
	s.endWait(l, w.Since)
	l.State, l.Wait = st, w
	s.joinWindow(l)
	return nil
}

// endWait counts the time waited by the clock and takes the lane out of its window.
func (s *State) endWait(l *Lane, at time.Time) {
	if l.Wait == nil {
		return
	}
	if at.After(l.Wait.Since) {
		l.Waited += at.Sub(l.Wait.Since)
	}
	s.leaveWindow(l)
	l.Wait = nil
	l.State = LaneOpen
}

func (s *State) joinWindow(l *Lane) {
	if w := s.Gate(l); w != nil {
		w.Waiters = append(w.Waiters, l.ID)
	}
}

func (s *State) leaveWindow(l *Lane) {
	if w := s.Gate(l); w != nil {
		w.Waiters = slices.DeleteFunc(w.Waiters, func(id LaneID) bool { return id == l.ID })
	}
}

func sortLanes(ls []*Lane) {
	slices.SortFunc(ls, func(a, b *Lane) int {
		if c := a.due.Compare(b.due); c != 0 {
			return c
		}
		return int(a.ID - b.ID)
	})
}
