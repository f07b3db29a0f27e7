package foreign

import (
	"path/filepath"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

// Alive is what is known of the process that keeps a run. The zero value is nothing.
type Alive int

const (
	// Unknown is one that nothing can be said of.
	Unknown Alive = iota
	// Living runs: its pid and its start time are those that the run names.
	Living
	// Gone does not run any more.
	Gone
)

// After is what is believed of the process of a run that has given no sign of life for a
// time: one that nothing else is known of counts as gone after [run.SilentTurn].
func (a Alive) After(silent time.Duration) Alive {
	if a == Unknown && silent >= run.SilentTurn {
		return Gone
	}
	return a
}

// Known is what is known of a run or session at an instant.
type Known struct {
	// Key names it as in [run.Watched].
	Key    string
	Origin run.Origin
	// File is its run.json; nil if it is a session.
	File *runfile.File
	// Logs are the accounts of the agents of the File, by stdout_log as the file has it, or
	// else by the agent's id. One that is missing has not been read yet.
	Logs map[string]stream.Account
	// Alive is what is known of the process that keeps it; Living of a run of Layover's is
	// one whose lock is held.
	Alive Alive
	// Account is that of a session.
	Account stream.Account
	// Modified is when the file was last written; zero if that is not known.
	Modified time.Time
	// Removed is set once its file is no more: what is known of it is what that said last.
	Removed bool
	// Beside is what the sub-agents of a session have used.
	Beside run.Usage
	// Others are the words of other files about limits, and Bound the windows that bind runs
	// of Layover's: a family that is limited elsewhere is suspected here, too.
	Others []Word
	Bound  []run.Window
}

// Watched is how the run stands. A process that nothing is known of counts as gone if the
// run has been silent for long; no instant is ahead of now.
func (k Known) Watched(now time.Time) run.Watched {
	w, _ := k.See(now)
	return w
}

// See is how the run stands, and how many agents of each family are at work in it.
func (k Known) See(now time.Time) (run.Watched, Crew) {
	var w run.Watched
	var crew Crew
	switch {
	case k.File == nil:
		w, _ = session(k.Key, k.Origin, k.Account, k.Modified, now)
		if w.Standing(now) == run.StandingWorking {
			crew = Crew{w.Family: max(1, w.Lanes.Working)}
		}
	case k.Origin == run.OriginLayover:
		w, crew = Own(k.Key, k.File, k.Alive == Living)
	default:
		w, crew = watched(k, k.believed(now), now)
	}
	w.Usage = w.Usage.Add(k.Beside)
	w.Began, w.At = notAhead(w.Began, now), notAhead(w.At, now)
	if k.Removed && (w.Standing(now).Live() || w.State == run.StandingOrphaned && w.Lanes.Working+w.Lanes.Waiting > 0) {
		w.State, w.Why, w.Until, w.How = run.StandingFailed, removed, time.Time{}, 0
		w.Lanes.Failed += w.Lanes.Working + w.Lanes.Waiting
		w.Lanes.Working, w.Lanes.Waiting = 0, 0
		crew = nil
	}
	return w, crew
}

// Crew counts the agents at work by family. A nil one is of none.
type Crew map[string]int

// removed is why a run is over of which there is nothing left to be read.
const removed = "its file is gone"

// Words is what it says about limits: its history, and each of its agents. A run of
// Layover's says nothing here.
func (k Known) Words() []Word {
	switch {
	case k.Origin == run.OriginLayover: // its windows are shared, and bind
		return nil
	case k.File == nil:
		return spoken([]Word{WordOf(k.Account, k.Modified)})
	}
	p := ofFile(k.Origin, k.Key, k.File, k.Logs, k.Alive, time.Time{})
	return spoken(p.said())
}

// believed is what counts as known of the process that keeps the run.
func (k Known) believed(now time.Time) Alive {
	if k.Alive != Unknown {
		return k.Alive
	}
	w, _ := watched(k, Unknown, time.Time{})
	return k.Alive.After(now.Sub(later(w.At, k.Modified)))
}

func notAhead(at, now time.Time) time.Time {
	if at.After(now) {
		return now
	}
	return at
}

// LogPath is where the stdout of an agent is: a path that is not absolute is meant from
// the directory of the run.json that names it. Empty if there is none.
func LogPath(runJSON string, a runfile.Agent) string {
	if a.StdoutLog == "" || filepath.IsAbs(a.StdoutLog) {
		return a.StdoutLog
	}
	return filepath.Join(filepath.Dir(runJSON), a.StdoutLog)
}

// logOf finds the account of an agent's log.
func logOf(logs map[string]stream.Account, a *runfile.Agent) (stream.Account, bool) {
	if a.StdoutLog != "" {
		if acc, ok := logs[a.StdoutLog]; ok {
			return acc, true
		}
	}
	if a.ID == "" {
		return stream.Account{}, false
	}
	acc, ok := logs[a.ID]
	return acc, ok
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// first is the first instant that is one.
func first(all ...time.Time) time.Time {
	for _, t := range all {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// sooner is the earlier of two instants, where zero is none.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
