package runfile

import (
	"time"

	"example.com/layover/engine/run"
)

// Version is the layout of the layover section that this package writes.
const Version = 1

// Layover is the section of a run.json that only ours have.
type Layover struct {
	// Version is the layout; a greater one than [Version] is read as far as known.
	Version int
	Program string
	Phase   run.Phase
	// Stop is how the run is asked to end; zero if it is not.
	Stop run.Stop
	// Seq is the last fact that the file takes into account.
	Seq uint64
	// Exit is nil until the run has ended; ExitWhy says why it did, ResetsAt what
	// it would have had to wait for.
	Exit     *int
	ExitWhy  run.Untrusted
	ResetsAt time.Time
	// CostUSD is what all of it has cost, as agents state it, in dollars; Unpriced is how
	// many of its tokens have no price.
	CostUSD  float64
	Unpriced int64
	Lanes    []Lane
	Windows  []Window
	// OmittedAgents and OmittedLanes count the ended ones left out of the file.
	OmittedAgents int
	OmittedLanes  int
}

// Lane is one lane of a run.
type Lane struct {
	ID        int
	Task      string
	Iteration int
	State     run.LaneState
	Target    run.Target
	// Agent is the id of its latest agent; empty if none was started.
	Agent string
	// WakeAt is when a waiting lane tries again; zero if nothing wakes it by itself.
	WakeAt time.Time
}

// Window is one open window.
type Window struct {
	Family string
	// Model is empty if the whole family is bound.
	Model    string
	Sort     run.Sort
	Kind     run.Kind
	OpenedAt time.Time
	// Until is zero if only the operator or new credentials close the window.
	Until time.Time
	How   run.How
	// NextTry is when a permit may be had; zero means never by itself.
	NextTry time.Time
	Reason  run.Untrusted
}
