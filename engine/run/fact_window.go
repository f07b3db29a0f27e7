package run

import (
	"fmt"
	"slices"
	"time"
)

// FamilySuspected is a sign of a limit in a stream that still runs.
type FamilySuspected struct{ Suspicion }

// Name implements [Body].
func (FamilySuspected) Name() string { return "family_suspected" }

func (b FamilySuspected) apply(s *State, f Fact) error {
	if b.Suspicion.Lane == 0 { // a file from before it was written
		b.Suspicion.Lane = f.Lane
	}
	s.Suspicions = append(s.Suspicions, b.Suspicion)
	if _, a := s.LaneOfAttempt(f.Lane, b.Attempt); a != nil {
		a.Suspected, a.LookAt = true, b.LookAt
	}
	return nil
}

// SuspicionEnded says that a family is suspected no more on an attempt's word.
type SuspicionEnded struct {
	Family  string    `json:"family"`
	Attempt AttemptID `json:"attempt"`
	Why     string    `json:"why"`
}

// Name implements [Body].
func (SuspicionEnded) Name() string { return "suspicion_ended" }

func (b SuspicionEnded) apply(s *State, f Fact) error {
	s.Suspicions = slices.DeleteFunc(s.Suspicions, func(x Suspicion) bool { return x.Attempt == b.Attempt })
	if _, a := s.LaneOfAttempt(f.Lane, b.Attempt); a != nil {
		a.Suspected, a.LookAt = false, time.Time{}
	}
	return nil
}

// FamilyTripped accompanies a window that binds a whole family for its limit.
type FamilyTripped struct {
	Family    string    `json:"family"`
	TrippedAt time.Time `json:"tripped_at"`
	ResetsAt  time.Time `json:"resets_at,omitzero"`
	Reason    Untrusted `json:"reason,omitempty"`
	How       How       `json:"how"`
}

// Name implements [Body].
func (FamilyTripped) Name() string { return "family_tripped" }

func (b FamilyTripped) apply(s *State, _ Fact) error {
	s.Trips = append(s.Trips, Trip{Family: b.Family, TrippedAt: b.TrippedAt, ResetsAt: b.ResetsAt, Reason: b.Reason})
	return nil
}

// WindowOpened opens a window.
type WindowOpened struct{ Window }

// Name implements [Body].
func (WindowOpened) Name() string { return "window_opened" }

func (b WindowOpened) apply(s *State, _ Fact) error {
	if s.Window(b.WindowKey) != nil {
		return fmt.Errorf("window %s is open already", b.WindowKey)
	}
	w := b.Window
	s.Windows = append(s.Windows, &w)
	return nil
}

// WindowExtended changes an open window: later, or by stronger evidence.
type WindowExtended struct{ Window }

// Name implements [Body].
func (WindowExtended) Name() string { return "window_extended" }

func (b WindowExtended) apply(s *State, _ Fact) error { return s.merge(b.Window) }

// WindowSeen is a window that another process recorded.
type WindowSeen struct{ Window }

// Name implements [Body].
func (WindowSeen) Name() string { return "window_seen" }

func (b WindowSeen) apply(s *State, _ Fact) error {
	if s.Window(b.WindowKey) == nil {
		w := b.Window
		s.Windows = append(s.Windows, &w)
		return nil
	}
	return s.merge(b.Window)
}

// merge takes over a window's new values; permit and waiters stay.
func (s *State) merge(v Window) error {
	w := s.Window(v.WindowKey)
	if w == nil {
		return fmt.Errorf("no window %s is open", v.WindowKey)
	}
	v.Permit, v.Waiters = w.Permit, w.Waiters
	*w = v
	if t := s.lastTrip(w); t != nil {
		t.ResetsAt = w.Until
	}
	return nil
}

// lastTrip is the entry of the history that an open window made; nil if it made
// none.
func (s *State) lastTrip(w *Window) *Trip {
	for i := len(s.Trips) - 1; i >= 0 && w.Trip; i-- {
		if s.Trips[i].Family == w.Family {
			return &s.Trips[i]
		}
	}
	return nil
}

// WindowCleared closes a window.
type WindowCleared struct {
	Key WindowKey `json:"window"`
	// Why is "served", "operator", "credentials" or "seen".
	Why string `json:"why"`
	// Good is set if the window settled good.
	Good bool `json:"good,omitempty"`
}

// Name implements [Body].
func (WindowCleared) Name() string { return "window_cleared" }

func (b WindowCleared) apply(s *State, f Fact) error {
	i := slices.IndexFunc(s.Windows, func(w *Window) bool { return w.WindowKey == b.Key })
	if i < 0 {
		return fmt.Errorf("no window %s is open", b.Key)
	}
	w := s.Windows[i]
	for _, id := range w.Waiters { // each wakes by its own instant from now on
		l := s.Lane(id)
		l.Wait.Released = true
		s.reckon(l)
	}
	if t := s.lastTrip(w); t != nil && t.ResetsAt.After(f.At) {
		t.ResetsAt = f.At
	}
	s.Windows = slices.Delete(s.Windows, i, i+1)
	if fam := s.Family(b.Key.Family); fam != nil && b.Good {
		if fam.Good == nil {
			fam.Good = map[WindowKey]time.Time{}
		}
		fam.Good[b.Key] = f.At
	}
	return nil
}

// PermitGranted gives a lane the right to spawn into an open window.
type PermitGranted struct {
	Key     WindowKey `json:"window"`
	Attempt AttemptID `json:"attempt"`
	Lapses  time.Time `json:"lapses_at"`
}

// Name implements [Body].
func (PermitGranted) Name() string { return "permit_granted" }

func (b PermitGranted) apply(s *State, f Fact) error {
	w := s.Window(b.Key)
	if w == nil {
		return fmt.Errorf("no window %s is open", b.Key)
	}
	if w.Permit != nil {
		return fmt.Errorf("the permit of %s is out already", b.Key)
	}
	w.Permit = &Permit{Attempt: b.Attempt, Lane: f.Lane, Lapses: b.Lapses}
	s.Counts.Probes++
	return nil
}

// PermitReleased takes a permit back before its probe settled.
type PermitReleased struct {
	Key     WindowKey `json:"window"`
	Attempt AttemptID `json:"attempt"`
	Why     string    `json:"why"`
}

// Name implements [Body].
func (PermitReleased) Name() string { return "permit_released" }

func (b PermitReleased) apply(s *State, _ Fact) error { return s.freePermit(b.Key, b.Attempt) }

// ProbeSettled is what a probe found out. A good one is followed by the
// clearing of the window.
type ProbeSettled struct {
	Key     WindowKey `json:"window"`
	Attempt AttemptID `json:"attempt"`
	Good    bool      `json:"good"`
	Why     string    `json:"why"`
}

// Name implements [Body].
func (ProbeSettled) Name() string { return "probe_settled" }

func (b ProbeSettled) apply(s *State, _ Fact) error { return s.freePermit(b.Key, b.Attempt) }

func (s *State) freePermit(k WindowKey, id AttemptID) error {
	w := s.Window(k)
	if w == nil || w.Permit == nil || w.Permit.Attempt != id {
		return fmt.Errorf("attempt %d holds no permit of %s", id, k)
	}
	w.Permit = nil
	return nil
}

// SpawnRefused is a spawn that an open window prevented, once per lane and window.
type SpawnRefused struct {
	Key       WindowKey `json:"window"`
	Family    string    `json:"family"`
	Model     string    `json:"model,omitempty"`
	Until     time.Time `json:"until,omitzero"`
	TrippedAt time.Time `json:"tripped_at"`
	Reason    Untrusted `json:"reason,omitempty"`
	// Free lists the targets that are not blocked: of the lane, or of all orders if the
	// fact is about the run.
	Free []Target `json:"free"`
}

// Name implements [Body].
func (SpawnRefused) Name() string { return "spawn_refused" }

func (b SpawnRefused) apply(s *State, f Fact) error {
	if l := s.Lane(f.Lane); l != nil {
		l.Refused = append(l.Refused, Refused{Key: b.Key, OpenedAt: b.TrippedAt})
	}
	s.Counts.Refused++
	if fam := s.Family(b.Family); fam != nil {
		fam.Refused++
	}
	return nil
}

// HealthFailed is one exhausted turn that counts against a family's health.
type HealthFailed struct {
	Family string `json:"family"`
	// InARow counts such turns since the family last served.
	InARow int   `json:"in_a_row"`
	Class  Class `json:"class"`
}

// Name implements [Body].
func (HealthFailed) Name() string { return "health_failed" }

func (b HealthFailed) apply(s *State, _ Fact) error {
	if fam := s.Family(b.Family); fam != nil {
		fam.Failures = b.InARow
	}
	return nil
}

// HealthOpened closes a family to new attempts because too many failed.
type HealthOpened struct {
	Window
	// Opened counts the openings in a row.
	Opened int `json:"opened"`
}

// Name implements [Body].
func (HealthOpened) Name() string { return "health_opened" }

func (b HealthOpened) apply(s *State, f Fact) error {
	if fam := s.Family(b.Family); fam != nil {
		fam.Opened = b.Opened
	}
	if s.Window(b.WindowKey) != nil {
		return s.merge(b.Window)
	}
	return WindowOpened{b.Window}.apply(s, f)
}

// HealthClosed says that a family serves again.
type HealthClosed struct {
	Family string `json:"family"`
}

// Name implements [Body].
func (HealthClosed) Name() string { return "health_closed" }

func (b HealthClosed) apply(s *State, _ Fact) error {
	if fam := s.Family(b.Family); fam != nil {
		fam.Failures, fam.Opened = 0, 0
	}
	return nil
}
