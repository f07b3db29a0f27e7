package engine

import (
	"context"
	"io"
	"log/slog"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// Ports are what a host needs of the world. All but Log are needed, unless they say so.
type Ports struct {
	Clock  Clock
	Store  Store
	Ledger Ledger
	// Start starts an agent under a guard, and Adopt takes over what the guard of an
	// earlier owner has or has left; live tells which. [Guards] gives the real ones.
	Start func(proc.GuardSpec) (Process, error)
	Adopt func(proc.AdoptSpec) (p Process, live bool, err error)
	// Open opens a file to be judged; os.Open fits.
	Open     func(path string) (io.ReadCloser, error)
	Follower Follower
	// Controls takes the wishes that other processes have left since the last call;
	// nil if nobody may leave any. Obeyed lets go of those taken, once what was decided
	// on them is saved; nil if there is nothing to let go of.
	Controls func() ([]journal.Control, error)
	Obeyed   func() error
	// Login tells apart what a family is logged in with, as it is now: it differs once
	// somebody has logged in. Empty is no login that could be looked at. Nil means that
	// there is none for any family.
	Login func(family string) string
	// Environ is the environment of agents, in the form of os.Environ.
	Environ []string
	// Zone is that of clock times in agents' messages.
	Zone *time.Location
	// Redact takes secrets out of text that is written down.
	Redact func(string) string
	// Facts takes the facts of each decision, in order, after they were saved. The
	// owner waits for it, so it must not give the host a command.
	Facts func([]run.Fact)
	// Observe takes what is seen; it may be called from any goroutine and must
	// not block.
	Observe func(run.Observation)
	// Shown lists the lanes whose [run.ParkTick] somebody sees: no other is made. The
	// owner calls it each second, so it must not block. Nil shows every lane.
	Shown func() []run.LaneID
	Log   *slog.Logger
}

// Clock is the run's time. Now is called from many goroutines, the rest by the owner.
type Clock interface {
	Now() time.Time
	// After gives a channel that receives once Now has reached an instant, and a
	// function that gives it up.
	After(at time.Time) (<-chan time.Time, func())
	// Jump moves a clock that jumps on to an instant; others report false.
	Jump(at time.Time) bool
}

// Mover is a clock that stands still while agents work, and that they move on.
type Mover interface {
	// Ahead is how far they have moved it; Now follows when the host jumps there.
	Ahead() time.Time
}

// Stepper is a clock that notices when it was set, or when the machine slept.
type Stepper interface {
	// Stepped is how far it moved against the monotonic clock since the last call.
	Stepped() time.Duration
}

// Store keeps a run on disk; *journal.Journal is one.
type Store interface {
	// Append saves facts. After an error it is handed all of them again, and does not
	// save twice what it has kept of them.
	Append([]run.Fact) error
	Export(s *run.State, now time.Time, force bool) error
	// Worker makes the directory of an agent, or gives the one that is there.
	Worker(label, hex string) (journal.Worker, error)
	// OpenWorker finds the directory of an agent by its name.
	OpenWorker(name string) (journal.Worker, error)
	// Workers lists the directories of agents that are there.
	Workers() ([]journal.Worker, error)
}

// Ledger shares windows and permits with the other processes of the user. Its
// methods are called by the owner and must not block for long.
type Ledger interface {
	// TryPermit takes the permits of all keys, or none; holder says who has one.
	TryPermit(keys []run.WindowKey) (granted bool, holder string)
	Release(key run.WindowKey)
	// Environ gives what lets a Layover inside an agent through the windows of these
	// keys while we hold their permits, in the form of os.Environ.
	Environ(keys []run.WindowKey) []string
	// Merge tells the others of a window that was opened, changed or cleared; OpenedAt
	// of a cleared one is the instant up to which it proves windows to be over.
	Merge(w run.Window, cleared bool)
	// Poll gives what others have recorded since the last call, in order.
	Poll() []run.Seen
}

// Process is an agent that was started.
type Process interface {
	PID() int
	StartTime() string
	// Done is closed when the process and its tree are gone.
	Done() <-chan struct{}
	// Wait, Cause and EndedAt block until then. Cause is why its guard ended it, one of
	// the causes of package proc, or empty; EndedAt is when, or zero if that is lost.
	Wait() proc.Exit
	Cause() string
	EndedAt() time.Time
	// End asks it to end and returns at once; what does not is ended by force.
	End()
}

// Guards gives the ports that start and adopt real agents. The command that runs
// [proc.GuardMain] is self, and runLock is the path of the lock that the owner of the
// run holds.
func Guards(self []string, runLock string) (
	start func(proc.GuardSpec) (Process, error), adopt func(proc.AdoptSpec) (Process, bool, error),
) {
	start = func(s proc.GuardSpec) (Process, error) {
		s.RunLock = runLock
		p, err := proc.StartGuarded(self, s)
		if err != nil {
			return nil, err
		}
		return p, nil
	}
	adopt = func(s proc.AdoptSpec) (Process, bool, error) {
		p, live, err := proc.Adopt(s)
		if err != nil {
			return nil, false, err
		}
		return p, live, nil
	}
	return start, adopt
}

// Follower follows a file that grows; *tail.Follower is one.
type Follower interface {
	Follow(ctx context.Context, path string, sink interface {
		Bytes(p []byte)
		Restart()
	}) error
}

// Solo is the ledger of a process that shares nothing: every permit that the
// core asks for is free. The zero value is ready.
type Solo struct{}

// TryPermit implements [Ledger].
func (Solo) TryPermit([]run.WindowKey) (bool, string) { return true, "" }

// Release implements [Ledger].
func (Solo) Release(run.WindowKey) {}

// Environ implements [Ledger].
func (Solo) Environ([]run.WindowKey) []string { return nil }

// Merge implements [Ledger].
func (Solo) Merge(run.Window, bool) {}

// Poll implements [Ledger].
func (Solo) Poll() []run.Seen { return nil }

var (
	_ Ledger = Solo{}
	_ Store  = (*journal.Journal)(nil)
)
