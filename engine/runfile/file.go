package runfile

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// File is what a run.json says. Every field may be missing: the zero value of a
// field means that the file does not say. A File of somebody else's is foreign
// text throughout, its ids, models and paths included.
type File struct {
	RunID string
	Start time.Time
	// End is zero while the run goes on.
	End time.Time
	// Error is why the run ended without success; Failure names the class.
	Error   run.Untrusted
	Failure run.Untrusted
	// ParentPID and ParentStart are the process that owns the run. A start time
	// is in the unit of whoever wrote it: it can be compared, not reckoned with.
	ParentPID   int
	ParentStart string
	// Limited is the history of limits, the oldest first.
	Limited []Limited
	Turns   []Turn
	Agents  []Agent
	// Layover is what only our own files hold; nil in a file of somebody else's.
	Layover *Layover
	// Skipped counts the values that were of a wrong type or out of range and
	// were left out while reading; it is not written.
	Skipped int
}

// Known reports whether it is a file of a tool that is known: it names a run or an agent
// of one, or has our section. Another JSON object may hold some of the other names.
func (f *File) Known() bool {
	return f.RunID != "" || f.Layover != nil || slices.ContainsFunc(f.Agents, func(a Agent) bool {
		return a.ID != "" || a.Type != "" || a.Status != "" || a.StdoutLog != ""
	})
}

// Limited is one entry of the history of tripped families.
type Limited struct {
	Family string
	// Model is empty if the whole family was limited.
	Model     string
	TrippedAt time.Time
	// ResetsAt is zero if it is not known; the limit holds while it is ahead.
	ResetsAt time.Time
	Reason   run.Untrusted
}

// Turn is what one turn consumed, in tokens; the prompt's include cached ones.
type Turn struct {
	Index            int
	PromptTokens     int64
	CompletionTokens int64
}

// Status is the word for where an agent stands. Files of others may hold others.
type Status string

// The words that are written.
const (
	StatusRunning Status = "running"
	StatusDone    Status = "done"
	StatusFailed  Status = "failed"
	StatusKilled  Status = "killed"
)

// Agent is one agent process of a run.
type Agent struct {
	ID string
	// Type names the kind of agent, such as "claude".
	Type    string
	Status  Status
	CWD     string
	Command []string
	// SpawnedAt is zero if the agent could not be started, FinishedAt while it runs.
	SpawnedAt  time.Time
	FinishedAt time.Time
	// ExitCode is nil while it runs, and if nobody saw the end.
	ExitCode *int
	// StdoutLog and StderrLog are paths of files.
	StdoutLog string
	StderrLog string
	Session   string
	PID       int
	PGID      int
	PIDStart  string
	// RequestedModel is empty for the agent's default; EffectiveModel is the one
	// that its stream names.
	RequestedModel string
	EffectiveModel string
}
