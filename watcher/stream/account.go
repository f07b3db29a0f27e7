package stream

import (
	"time"

	"example.com/layover/engine/run"
)

// Turn is how far the turn has come that a stream tells of last.
type Turn int

const (
	// TurnOpen is under way.
	TurnOpen Turn = iota + 1
	// TurnOver has ended; Account.Verdict says how.
	TurnOver
)

// Account is what the lines of a stream have told so far. All its text is foreign. The
// zero value is that of a stream without a line that tells something.
type Account struct {
	// Dialect is the one that the stream is read in, Family that of the agents that write
	// it; both empty while that cannot be told.
	Dialect, Family string
	// Session, Model and Dir are the last that lines name: the agent's own session, the
	// model, and the directory of work.
	Session, Model string
	Dir            run.Untrusted
	// Began is the first instant that a line states; At the last. Zero if none does.
	Began, At time.Time
	Turn      Turn
	// Verdict is what the records say of the turn that is over; zero while one is open.
	Verdict run.Verdict
	// ServedAt is when a model was last seen to answer; zero if none was.
	ServedAt time.Time
	// Suspect says why the family is suspected, and SuspectedAt since when; empty and zero
	// if it is not.
	Suspect     string
	SuspectedAt time.Time
	// Limit is the end of a turn at a limit, which no model has disproved since by an answer,
	// also if another turn is under way: its class, what it binds, its reset and its words. It
	// is zero if there is none.
	Limit run.Verdict
	// Activity is what the agent does now, with what the stream has used so far.
	Activity run.Activity
	// Readings are the newest gauges of the account that the agent works on.
	Readings []run.Reading
	// Damaged counts lines that were skipped because they were not whole.
	Damaged int
}
