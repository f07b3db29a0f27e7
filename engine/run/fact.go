package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Fact is one thing that was decided. A run is the sum of its facts.
type Fact struct {
	// Seq counts from one without gaps.
	Seq uint64
	// At is when it was decided, by the run's clock.
	At time.Time
	// Lane is the lane it is about; zero if it is about the run.
	Lane LaneID
	// More is set on every fact of a decision but its last. Without the last the others
	// count for nothing: no decision has left such a state.
	More bool
	Body Body
}

// Body is what a fact says. The types of this package are all there are.
type Body interface {
	// Name is the type of the fact in events.jsonl.
	Name() string
	apply(s *State, f Fact) error
}

// ErrUnknownFact is the error of a line whose type this version does not know;
// a reader skips such a line.
var ErrUnknownFact = errors.New("unknown fact")

type factHead struct {
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"ts"`
	Type string    `json:"type"`
	Lane LaneID    `json:"lane,omitempty"`
	More bool      `json:"more,omitempty"`
}

// MarshalJSON writes one line of events.jsonl, without the newline.
func (f Fact) MarshalJSON() ([]byte, error) {
	head, err := json.Marshal(factHead{f.Seq, f.At, f.Body.Name(), f.Lane, f.More})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(f.Body)
	if err != nil {
		return nil, fmt.Errorf("write fact %s: %w", f.Body.Name(), err)
	}
	return PlainJSON(splice(head, body)), nil
}

// splice puts the members of two JSON objects into one.
func splice(head, body []byte) []byte {
	if bytes.Equal(body, []byte("{}")) {
		return head
	}
	out := append(head[:len(head)-1:len(head)-1], ',')
	return append(out, body[1:]...)
}

// UnmarshalJSON reads one line of events.jsonl. A type that is not known gives
// an error that is [ErrUnknownFact], with the head of the fact filled in.
func (f *Fact) UnmarshalJSON(line []byte) error {
	var h factHead
	if err := json.Unmarshal(line, &h); err != nil {
		return fmt.Errorf("read fact: %w", err)
	}
	f.Seq, f.At, f.Lane, f.More, f.Body = h.Seq, h.At, h.Lane, h.More, nil
	for _, b := range Bodies() {
		if b.Name() != h.Type {
			continue
		}
		body, err := decodeBody(b, line)
		if err != nil {
			return fmt.Errorf("read fact %d %s: %w", h.Seq, h.Type, err)
		}
		f.Body = body
		return nil
	}
	return fmt.Errorf("%w %q", ErrUnknownFact, h.Type)
}

// Apply changes the state by one fact. It fails, and changes nothing, if the fact
// is not the next one or is about something that is not there.
func (s *State) Apply(f Fact) error {
	if f.Seq != s.Seq+1 {
		return fmt.Errorf("fact %d does not follow %d", f.Seq, s.Seq)
	}
	if _, opens := f.Body.(LaneStarted); !opens && s.Lane(f.Lane) == nil && (f.Lane != 0 || ofLane(f.Body)) {
		return fmt.Errorf("fact %d %s is about lane %d, which is not there", f.Seq, f.Body.Name(), f.Lane)
	}
	if err := f.Body.apply(s, f); err != nil {
		return fmt.Errorf("fact %d %s: %w", f.Seq, f.Body.Name(), err)
	}
	s.Seq, s.LastAt = f.Seq, f.At
	s.unsettle(f.Body)
	if l := s.Lane(f.Lane); l != nil {
		s.reckon(l)
	}
	return nil
}

// ofLane reports whether a fact makes sense for a lane only.
func ofLane(b Body) bool {
	switch b := b.(type) {
	case UsageCounted:
		return b.Attempt != 0
	case LaneStarted, LaneRouted, LaneEnded, TurnStarted, TurnEnded, AttemptStarted, AgentSpawned, AttemptServed,
		AttemptEnding, AttemptEnded, SessionLearned, SessionLost, AgentAdopted, RetryScheduled, TurnParked, TurnWoken,
		ProviderFallback, HandoffWritten, SummaryAsked, SummarySkipped, OverflowRung, UsageIncomplete, RetriesExhausted:
		return true
	}
	return false
}

// Skip counts a fact that this version does not know, so that those after it fit.
func (s *State) Skip(f Fact) { s.Seq, s.LastAt = f.Seq, f.At }
