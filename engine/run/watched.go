package run

import "time"

// Origin is who keeps a run that is watched.
type Origin int

const (
	// OriginLayover is a run of Layover's.
	OriginLayover Origin = iota + 1
	// OriginHarness is a run of team-harness.
	OriginHarness
	// OriginLoop is a run of loopy-loop.
	OriginLoop
	// OriginSession is a session that an agent keeps on disk.
	OriginSession
	// OriginStream is an agent's output in a file of its own.
	OriginStream
)

var originNames = []string{"layover", "team-harness", "loopy-loop", "session", "stream"}

func (o Origin) String() string { return enumName(originNames, int(o)) }

// MarshalText writes the word.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (o *Origin) UnmarshalText(b []byte) error {
	v, err := enumValue("origin", originNames, b)
	*o = Origin(v)
	return err
}

// Standing is where a run stands that is watched, as far as its files tell.
type Standing int

const (
	// StandingListed is known by its name: it has not been read.
	StandingListed Standing = iota + 1
	// StandingWorking has an agent at work.
	StandingWorking
	// StandingLimited waits until a limit lifts.
	StandingLimited
	// StandingAsking waits for its operator: the agent's turn is over.
	StandingAsking
	// StandingIdle has nothing at work and waits for no limit, such as for a retry.
	StandingIdle
	// StandingDone ended well, or fell silent after an answer.
	StandingDone
	// StandingFailed ended otherwise.
	StandingFailed
	// StandingStopped was ended by its operator.
	StandingStopped
	// StandingSilent has said nothing for long in the middle of its work: a session does not
	// say that it has ended.
	StandingSilent
	// StandingOrphaned has not ended, but the process that kept it is gone.
	StandingOrphaned
	// StandingUnreadable cannot be read; Watched.Why says why.
	StandingUnreadable
)

var standingNames = []string{"listed", "working", "limited", "your turn", "waiting", "done", "failed", "stopped", "silent", "orphaned", "unreadable"}

func (s Standing) String() string { return enumName(standingNames, int(s)) }

// MarshalText writes the word.
func (s Standing) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (s *Standing) UnmarshalText(b []byte) error {
	v, err := enumValue("standing", standingNames, b)
	*s = Standing(v)
	return err
}

// Live reports whether the run has not ended: something may still happen in it.
func (s Standing) Live() bool { return s >= StandingWorking && s <= StandingIdle }

// How long a session may be silent before it counts as ended, since none says that it is.
const (
	// SilentWork is for one whose turn is under way: tools can run for long.
	SilentWork = 30 * time.Minute
	// SilentTurn is for one whose turn is over.
	SilentTurn = time.Hour
)

// Watched is a run as one sees it who looks on: of Layover, of another tool, or a session
// of an agent. All its text is foreign. The zero value is no run.
type Watched struct {
	// Key names it among all that are watched: the path of its directory or file.
	Key    string `json:"path"`
	Origin Origin `json:"origin"`
	// ID is what its keeper calls it; a session's id of a session.
	ID string `json:"id,omitempty"`
	// Name is what people may call it: the program, or the directory of work.
	Name Untrusted `json:"name,omitempty"`
	// Dir is the directory that the work is done in; empty if no file says so.
	Dir Untrusted `json:"dir,omitempty"`
	// Family and Model are those of the agent at work, or of the last one.
	Family string `json:"family,omitempty"`
	Model  string `json:"model,omitempty"`
	// State is where the run stood when its files last changed; see [Watched.Standing].
	State Standing `json:"state"`
	// Why says why it is limited, failed, orphaned or unreadable; empty if nothing says so.
	Why Untrusted `json:"why,omitempty"`
	// Stop is how it is asked to end; zero if it is not, or if no file says so.
	Stop Stop `json:"stop,omitempty"`
	// Until is when the limit lifts that it waits for; zero if that is not known.
	Until time.Time `json:"until,omitzero"`
	How   How       `json:"how,omitempty"`
	// Began and At are when it began and when it last showed a sign of life; zero if no
	// file says so.
	Began time.Time `json:"began,omitzero"`
	At    time.Time `json:"at,omitzero"`
	// Doing is what its agent does, or has said last.
	Doing Untrusted `json:"doing,omitempty"`
	// Lanes counts them by how they stand.
	Lanes LaneCounts `json:"lanes"`
	Usage Usage      `json:"usage,omitzero"`
	// Unheard says why the run takes no orders from here; empty if it does.
	Unheard string `json:"unheard,omitempty"`
}

// LaneCounts counts the lanes of a run by how they stand.
type LaneCounts struct {
	Working int `json:"working,omitempty"`
	Waiting int `json:"waiting,omitempty"` // inline or parked
	Queued  int `json:"queued,omitempty"`
	Done    int `json:"done,omitempty"`
	Failed  int `json:"failed,omitempty"` // or stopped
}

// Standing is where the run stands at an instant. A session does not say that it has
// ended: one that is silent for long counts as silent, or as done if its turn was over. A limit that has lifted is over.
func (w Watched) Standing(now time.Time) Standing {
	silent := now.Sub(w.At)
	alone := w.Origin == OriginSession || w.Origin == OriginStream
	switch {
	case w.State == StandingLimited && !w.Until.IsZero() && !now.Before(w.Until) && alone:
		if silent >= SilentTurn { // it ended at that limit
			return StandingFailed
		}
		return StandingAsking
	case w.State == StandingLimited && !w.Until.IsZero() && !now.Before(w.Until) && w.Origin != OriginLayover:
		if w.Lanes.Working+w.Lanes.Waiting > 0 {
			return StandingWorking
		}
		return StandingIdle
	case !alone:
		return w.State
	case (w.State == StandingWorking || w.State == StandingIdle) && silent >= SilentWork:
		return StandingSilent
	case w.State == StandingAsking && silent >= SilentTurn:
		return StandingDone
	}
	return w.State
}

// AsOf is the run as it stands at an instant. A session that counts as ended has nobody at
// work; one that ended at a limit has failed.
func (w Watched) AsOf(now time.Time) Watched {
	w.State = w.Standing(now)
	if w.Origin == OriginSession || w.Origin == OriginStream {
		switch w.State {
		case StandingSilent, StandingDone:
			w.Lanes = LaneCounts{}
		case StandingFailed:
			w.Lanes = LaneCounts{Failed: 1}
		}
	}
	return w
}

// Turns is when the run may next stand otherwise by the passing of time alone, which is
// after now; zero if never.
func (w Watched) Turns(now time.Time) time.Time {
	if w.Origin == OriginLayover {
		return time.Time{}
	}
	var next time.Time
	for _, at := range []time.Time{w.Until, w.At.Add(SilentWork), w.At.Add(SilentTurn)} {
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// FamilySeen is what is known of a family on this machine by one who looks on.
type FamilySeen struct {
	Name string `json:"family"`
	// Windows are those that Layover's runs share; they bind.
	Windows []Window `json:"windows,omitempty"`
	// Suspicions are on the word of files of others: they bind nobody. One of a model
	// stands beside that of the family.
	Suspicions []Suspicion `json:"suspected,omitempty"`
	Readings   []Reading   `json:"gauges,omitempty"`
	// Working is how many agents of it are at work.
	Working int `json:"working,omitempty"`
}

// Changes is what is new to one who looks on. The zero value says nothing.
type Changes struct {
	// Runs are those that are new or have changed, and Gone the keys of those that are no
	// more.
	Runs []Watched
	Gone []string
	// Families are all families; nil if nothing has changed of them.
	Families []FamilySeen
	// Usage is that of all that was read, each message once. It is told each time, and so is
	// all that follows.
	Usage Usage
	// Reading is how far the first read has come.
	Reading Progress
	// Notes say what is not watched as it should be, each in a line; nil if all is well.
	Notes []string
	// Complete is set once everything has been read that is to be.
	Complete bool
}

// Progress is how far something has come. Both are zero before it begins.
type Progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// Over reports whether there is nothing left to do.
func (p Progress) Over() bool { return p.Done >= p.Total }
