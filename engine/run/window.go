package run

import (
	"fmt"
	"time"
)

// Sort separates the windows that one family can have at the same time.
type Sort int

const (
	// SortLimit is a usage limit, a throttle or an overload.
	SortLimit Sort = iota + 1
	// SortLogin is a login or a payment that must be mended first.
	SortLogin
	// SortHealth is a family that failed too often in a row.
	SortHealth
)

var sortNames = []string{"limit", "login", "health"}

func (s Sort) String() string { return enumName(sortNames, int(s)) }

// MarshalText writes the word.
func (s Sort) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (s *Sort) UnmarshalText(b []byte) error {
	v, err := enumValue("sort", sortNames, b)
	*s = Sort(v)
	return err
}

// WindowKey names a window: what is not to be used, and of which sort.
type WindowKey struct {
	Family string `json:"family"`
	// Model is empty if the whole family is bound.
	Model string `json:"model,omitempty"`
	Sort  Sort   `json:"sort"`
}

func (k WindowKey) String() string {
	s := k.Family
	if k.Model != "" {
		s += ":" + k.Model
	}
	if k.Sort != SortLimit {
		s += "/" + k.Sort.String()
	}
	return s
}

// IsZero reports whether the key names no window.
func (k WindowKey) IsZero() bool { return k == WindowKey{} }

// DefaultModel stands in a window's key for the model an agent uses when none is
// named.
const DefaultModel = "default"

// Binds reports whether the window of this key blocks a model of a family; the
// empty model is the agent's own default.
func (k WindowKey) Binds(family, model string) bool {
	if model == "" {
		model = DefaultModel
	}
	return k.Family == family && (k.Model == "" || k.Model == model)
}

// Window is an interval in which a family, or one model of it, is not to be used.
type Window struct {
	WindowKey
	Kind     Kind      `json:"kind"`
	OpenedAt time.Time `json:"opened_at"`
	// SaidAt is when it was last said that an allowance is spent, and until when; zero if
	// that was when the window opened, or if nobody has.
	SaidAt time.Time `json:"said_at,omitzero"`
	// Until is when the window becomes due; zero means when the operator or new
	// credentials say so.
	Until time.Time `json:"until,omitzero"`
	How   How       `json:"how"`
	// NextTry is when a permit may be had; zero means never by itself.
	NextTry time.Time `json:"next_try,omitzero"`
	// Tries counts the probes that settled bad and the refusals in a row.
	Tries int `json:"tries,omitempty"`
	// Trip is set on a window that counts as a tripped family.
	Trip   bool      `json:"trip,omitempty"`
	Reason Untrusted `json:"reason,omitempty"`
	// Attempt is the attempt whose end opened or last changed the window.
	Attempt AttemptID `json:"attempt,omitempty"`

	// Permit is the right to spawn that is out now; nil if none is.
	Permit *Permit `json:"-"`
	// Waiters are the lanes that wait for this window, longest first.
	Waiters []LaneID `json:"-"`
}

// Permit is the right to spawn into an open window: one at a time, the probe.
type Permit struct {
	Attempt AttemptID
	Lane    LaneID
	// Lapses is when the permit moves on unless the probe has settled.
	Lapses time.Time
}

// Due reports whether the window lasts no longer than now.
func (w *Window) Due(now time.Time) bool { return !w.Until.IsZero() && !now.Before(w.Until) }

// PermitAt is when a permit may next be had: when the one that is out lapses, or
// at the next try. Zero means never by itself.
func (w *Window) PermitAt() time.Time {
	if w.Permit != nil {
		return later(w.Permit.Lapses, w.NextTry)
	}
	return w.NextTry
}

// Usable reports whether a permit could be had now.
func (w *Window) Usable(now time.Time) bool {
	return w.Permit == nil && !w.NextTry.IsZero() && !now.Before(w.NextTry)
}

func (w *Window) String() string {
	return fmt.Sprintf("%s %s until %s (%s)", w.WindowKey, w.Kind, w.Until.Format(time.RFC3339), w.How)
}

// Suspicion is the word of a running attempt, or of foreign files, that a family
// is limited. Routing prefers others; nothing is blocked.
type Suspicion struct {
	Family  string    `json:"family"`
	Model   string    `json:"model,omitempty"`
	Attempt AttemptID `json:"attempt"`
	// Lane is the lane of the attempt; zero if it is on the word of others.
	Lane  LaneID    `json:"by_lane,omitempty"`
	Why   string    `json:"why"`
	Since time.Time `json:"since"`
	// Until is when the suspicion is gone by itself.
	Until time.Time `json:"until"`
	// LookAt is when the lane's patience with the attempt ends; zero means never.
	LookAt time.Time `json:"look_at,omitzero"`
}

// Trip is one entry of the history of tripped families.
type Trip struct {
	Family    string
	Model     string
	TrippedAt time.Time
	ResetsAt  time.Time
	Reason    Untrusted
}

// Family is what a run knows of one limit domain.
type Family struct {
	Name string
	// Failures counts exhausted turns in a row, for faults that are no limits.
	Failures int
	// Opened counts how often its health opened in a row; it sets the cooldown.
	Opened int
	// Refused counts the spawns that were refused.
	Refused int
	// Good holds when each window last settled good, by its key.
	Good map[WindowKey]time.Time
	// Usage is what its attempts consumed.
	Usage Usage
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
