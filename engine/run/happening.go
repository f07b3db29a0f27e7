package run

import "time"

// Happening is something that took place outside the core and that it must
// decide about. The types of this package are all there are.
type Happening interface{ happening() }

// Begin starts a run.
type Begin struct {
	RunID   string
	Program Program
	Seed    uint64
	Epoch   time.Time
	Speed   float64
	Missing []string
	// Seen is what other processes recorded before.
	Seen []Seen
}

// Resume takes up a run whose facts were read back.
type Resume struct {
	Missing []string
	// Seen is what other processes have recorded.
	Seen []Seen
}

// Tick says that time went on; everything due is decided.
type Tick struct{}

// Spawned says that an agent's process runs.
type Spawned struct {
	Lane     LaneID
	Attempt  AttemptID
	Worker   string
	PID      int
	PIDStart string
	Command  []string
}

// Adopted says that the agent of an attempt that an earlier owner of the run started
// is alive and followed.
type Adopted struct {
	Lane    LaneID
	Attempt AttemptID
}

// Served is a sign that a model answers an attempt.
type Served struct {
	Lane    LaneID
	Attempt AttemptID
	Sign    string
}

// Suspected is a sign of a limit in an attempt's running stream.
type Suspected struct {
	Lane    LaneID
	Attempt AttemptID
	Why     string
	// LastServed is when a model last answered the attempt; zero if none has.
	LastServed time.Time
}

// Learned is the agent's own session, and its model if it is known.
type Learned struct {
	Lane    LaneID
	Attempt AttemptID
	Session string
	Model   string
}

// RanAway says that an attempt takes step after step without any tokens.
type RanAway struct {
	Lane    LaneID
	Attempt AttemptID
}

// Overspent is what has been used of a budget, by agents that still run, too, once
// that is more than the budget. Lane zero is for the program's, another for the budget
// of that lane's task.
type Overspent struct {
	Lane LaneID
	Used Usage
}

// Ended is the end of an attempt with its verdict. An agent that could not be
// started ends with [ClassFailed].
type Ended struct {
	Lane    LaneID
	Attempt AttemptID
	Exit    Exit
	Verdict Verdict
	// At is when the process ended, if that was while nobody owned the run; zero
	// means now.
	At time.Time
}

// PermitAnswered is the ledger's answer to an [AskPermit].
type PermitAnswered struct {
	Lane    LaneID
	Target  Target
	Keys    []WindowKey
	Granted bool
	// Why repeats that of the question.
	Why Woken
	// Holder says who holds it, if it was not granted.
	Holder string
}

// Seen is a window that another process recorded, or cleared.
type Seen struct {
	Window  Window
	Cleared bool
}

// UntilAnswered is the answer of the program's until command.
type UntilAnswered struct {
	Iteration int
	Done      bool
	Error     Untrusted
}

// Stepped says that the wall clock moved against the monotonic one.
type Stepped struct{ By time.Duration }

// CredentialsChanged says that the login of a family may work again.
type CredentialsChanged struct{ Family string }

// Command is a wish of the operator. From tells where it came from.
type Command struct {
	Verb Verb
	// Lane and Family are what it is about; zero for the run.
	Lane   LaneID
	Family string
	From   string
}

// HandedOver says that the work so far was written down for an attempt.
type HandedOver struct {
	Lane    LaneID
	Attempt AttemptID
	Bytes   int
	// Summary is set if a summary of what does not fit is in it.
	Summary bool
}

// HandoffCut says that the work so far does not fit into what an attempt would be given.
// Its agent has not been started.
type HandoffCut struct {
	Lane    LaneID
	Attempt AttemptID
	// Bytes is how much would be left out.
	Bytes int
}

// Noted is something that the operator should read.
type Noted struct{ Message string }

// Leaving says that Layover lets go of the run while its agents go on.
type Leaving struct{}

// Verb is what the operator can ask for.
type Verb int

const (
	// VerbSoftStop finishes what runs and leaves.
	VerbSoftStop Verb = iota + 1
	// VerbTakeBack takes a soft stop back.
	VerbTakeBack
	// VerbHardStop ends everything now.
	VerbHardStop
	// VerbWake ends a wait now, if its permit can be had.
	VerbWake
	// VerbClear clears the windows of a family.
	VerbClear
	// VerbSwap moves a lane to another target.
	VerbSwap
	// VerbPause holds back new spawns.
	VerbPause
	// VerbUnpause lets spawns go on.
	VerbUnpause
)

var verbNames = []string{"soft-stop", "take-back", "hard-stop", "wake", "clear", "swap", "pause", "unpause"}

func (v Verb) String() string { return enumName(verbNames, int(v)) }

// MarshalText writes the word.
func (v Verb) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (v *Verb) UnmarshalText(b []byte) error {
	n, err := enumValue("verb", verbNames, b)
	*v = Verb(n)
	return err
}

func (Begin) happening()              {}
func (Resume) happening()             {}
func (Tick) happening()               {}
func (Spawned) happening()            {}
func (Adopted) happening()            {}
func (Served) happening()             {}
func (Suspected) happening()          {}
func (Learned) happening()            {}
func (RanAway) happening()            {}
func (Overspent) happening()          {}
func (Ended) happening()              {}
func (PermitAnswered) happening()     {}
func (Seen) happening()               {}
func (UntilAnswered) happening()      {}
func (Stepped) happening()            {}
func (CredentialsChanged) happening() {}
func (Command) happening()            {}
func (Leaving) happening()            {}
func (HandedOver) happening()         {}
func (HandoffCut) happening()         {}
func (Noted) happening()              {}
