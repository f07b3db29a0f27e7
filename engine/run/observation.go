package run

import (
	"encoding/json"
	"time"
)

// Observation is something seen of a run that decides nothing: shown, printed,
// never stored. The newest wins; older ones may be lost.
type Observation struct {
	At      time.Time
	Lane    LaneID
	Attempt AttemptID
	Body    Seeing
}

// Seeing is what an observation saw. The types of this package are all there are.
type Seeing interface {
	// Name is the type of the observation in --json output.
	Name() string
	seeing()
}

// ParkTick is a chunk of a park that went by.
type ParkTick struct {
	WaitedMs  Millis    `json:"waited_ms"`
	PlannedMs Millis    `json:"planned_ms"`
	WakeAt    time.Time `json:"wake_at,omitzero"`
	How       How       `json:"how,omitempty"`
	Streak    int       `json:"streak"`
	// AllowanceMs is how much longer the lane may wait; nil if there is no bound.
	AllowanceMs *Millis `json:"allowance_ms,omitempty"`
}

// Activity is what an agent does now.
type Activity struct {
	// Doing is the tool that it uses, with its argument; empty once it has said something
	// since.
	Doing Untrusted `json:"doing,omitempty"`
	// Message is the last line of what it has said; empty if it has said nothing.
	Message Untrusted `json:"message,omitempty"`
	Retry   Retry     `json:"retry,omitzero"`
	// Usage is what the attempt has used so far.
	Usage Usage  `json:"usage,omitzero"`
	Model string `json:"model,omitempty"`
	// Lines counts the lines read of its stream so far.
	Lines int `json:"lines"`
}

// Now is what is to be shown of it: the tool, or else the message.
func (a Activity) Now() Untrusted {
	if a.Doing != "" {
		return a.Doing
	}
	return a.Message
}

// Gauges tell how full the usage windows of a family are, by all that the stream of an
// attempt has told of them so far.
type Gauges struct {
	Family   string    `json:"family"`
	Readings []Reading `json:"gauges"`
}

// Name implements [Seeing].
func (ParkTick) Name() string { return "park_tick" }

// Name implements [Seeing].
func (Activity) Name() string { return "activity" }

// Name implements [Seeing].
func (Gauges) Name() string { return "gauges" }

// Trouble is something that is wrong with Layover's own work, such as a disk that
// is full; an empty message says that it is over.
type Trouble struct {
	Message string `json:"message"`
	// ExportOnly is set if nothing but run.json is at fault: everything goes on.
	// Otherwise nothing new is started.
	ExportOnly bool `json:"export_only,omitempty"`
	// Start is set if it is an agent that cannot be started for now, such as for a lack
	// of processes; the message says which and why. Everything else goes on.
	Start bool `json:"start,omitempty"`
}

// Tells puts in words what the trouble is about, for its message to follow.
func (t Trouble) Tells() string {
	if t.Start {
		return "cannot"
	}
	return "cannot save:"
}

// Name implements [Seeing].
func (Trouble) Name() string { return "trouble" }

func (ParkTick) seeing() {}
func (Activity) seeing() {}
func (Gauges) seeing()   {}
func (Trouble) seeing()  {}

// MarshalJSON writes one line of --json output, without the newline.
func (o Observation) MarshalJSON() ([]byte, error) {
	head, err := json.Marshal(struct {
		Obs     bool      `json:"obs"`
		At      time.Time `json:"ts"`
		Type    string    `json:"type"`
		Lane    LaneID    `json:"lane,omitempty"`
		Attempt AttemptID `json:"attempt,omitempty"`
	}{true, o.At, o.Body.Name(), o.Lane, o.Attempt})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(o.Body)
	if err != nil {
		return nil, err
	}
	return PlainJSON(splice(head, body)), nil
}
