//go:build unix

package proc

import "time"

// OnDeath tells a guard what to do when the owner of its run has died.
type OnDeath string

const (
	// Finish lets the agent go on to its end. It is the zero value's meaning.
	Finish OnDeath = "finish"
	// EndTree ends the agent if no new owner comes in time.
	EndTree OnDeath = "end"
)

// DefaultOwnerWait is how long a new owner has to come where a [GuardSpec] says
// nothing.
const DefaultOwnerWait = 30 * time.Second

// GuardSpec says what to start under a guard, and what the guard enforces by
// itself. Lock and Exit are needed beside Argv.
type GuardSpec struct {
	Spec
	// Lock is the path of the file whose lock the guard holds while anything of
	// the tree lives; it is made if it is missing.
	Lock string
	// Exit is the path of the file that the guard writes at the end. One that is
	// there already is removed.
	Exit string
	// RunLock is the path of the lock that the owner of the run holds. It is used,
	// and needed, with EndTree only.
	RunLock string
	OnDeath OnDeath
	// OwnerWait is how long a new owner may take the run with EndTree; zero means
	// DefaultOwnerWait.
	OwnerWait time.Duration
	// Deadline is the instant when the agent is ended; zero means never.
	Deadline time.Time
	// Stall is how long neither output file may change before the agent is ended;
	// zero means for ever. Time that the machine sleeps does not count.
	Stall time.Duration
	// MaxOutput is how many bytes the agent may add to its output files together
	// before it is ended; zero means any number. It is looked at every half second,
	// so more may be written.
	MaxOutput int64
}

func (s GuardSpec) orders() orders {
	o := orders{
		Version: ordersVersion, Argv: raws(s.Argv), Dir: raw(s.Dir), Env: raws(s.Env), Stdin: s.Stdin,
		Stdout: raw(s.Stdout), Stderr: raw(s.Stderr), Grace: max(s.Grace, 0), Lock: raw(s.Lock), Exit: raw(s.Exit),
		RunLock: raw(s.RunLock), OnDeath: s.OnDeath, OwnerWait: s.OwnerWait, Deadline: s.Deadline.Round(0),
		Stall: s.Stall, MaxOutput: s.MaxOutput,
	}
	if o.OnDeath == "" {
		o.OnDeath = Finish
	}
	if o.OwnerWait == 0 {
		o.OwnerWait = DefaultOwnerWait
	}
	return o
}
