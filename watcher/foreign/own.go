package foreign

import (
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

// Own is how a run of Layover's stands, by the run.json in its directory; held tells
// whether its lock is. It also gives who is at work in it. A file without our section
// stands as that of another tool does.
func Own(key string, f *runfile.File, held bool) (run.Watched, Crew) {
	o := f.Layover
	if o == nil {
		alive := Gone
		if held {
			alive = Living
		}
		w, crew := watched(Known{Key: key, Origin: run.OriginLayover, File: f}, alive, time.Time{})
		w.Unheard = "its run.json is not one of Layover's"
		return w, crew
	}
	w := run.Watched{
		Key: key, Origin: run.OriginLayover, ID: word(f.RunID), Name: run.Untrusted(cut(o.Program, longestText)),
		Began: f.Start, At: later(f.Start, f.End), Usage: turns(f),
	}
	w.Usage.CostUSD, w.Usage.Unpriced = o.CostUSD, o.Unpriced
	if w.Name == "" {
		w.Name = runName(key, f.RunID)
	}
	at, crew := ownAgents(&w, f), Crew{}
	for _, l := range o.Lanes {
		if ownLane(&w, l, at); l.State == run.LaneWorking && at[l.Agent] != nil {
			crew[kind(at[l.Agent].Type)]++
		}
	}
	switch {
	case ended(f):
		w.Unheard = "the run has ended"
		ownEnd(&w, o)
		crew = nil
	case !held:
		w.State = run.StandingOrphaned
		w.Why = run.Untrusted("nobody holds it: layover resume " + w.ID + " takes it up again")
		w.Unheard = string(w.Why)
	default:
		ownGoing(&w, o)
	}
	return w, crew
}

func ended(f *runfile.File) bool {
	return f.Layover.Phase == run.PhaseEnded || f.Layover.Exit != nil || !f.End.IsZero()
}

// ownAgents looks at the agents, and gives them by id.
func ownAgents(w *run.Watched, f *runfile.File) map[string]*runfile.Agent {
	at := make(map[string]*runfile.Agent, len(f.Agents))
	for i := range f.Agents {
		a := &f.Agents[i]
		at[a.ID] = a
		w.At = later(w.At, later(a.SpawnedAt, a.FinishedAt))
		w.Dir = run.Untrusted(cut(a.CWD, longestText))
		w.Family, w.Model = kind(a.Type), word(a.EffectiveModel)
	}
	return at
}

// ownLane counts a lane; the agent of one at work is that of the run.
func ownLane(w *run.Watched, l runfile.Lane, agents map[string]*runfile.Agent) {
	switch l.State {
	case run.LaneWorking, run.LaneOpen:
		w.Lanes.Working++
		if a := agents[l.Agent]; a != nil {
			w.Family, w.Model, w.Dir = kind(a.Type), word(a.EffectiveModel), run.Untrusted(cut(a.CWD, longestText))
		}
	case run.LaneWaiting, run.LaneParked:
		w.Lanes.Waiting++
	case run.LaneDone:
		w.Lanes.Done++
	case run.LaneFailed, run.LaneStopped:
		w.Lanes.Failed++
	}
}

func ownEnd(w *run.Watched, o *runfile.Layover) {
	w.Until = o.ResetsAt
	if !w.Until.IsZero() {
		w.How = run.HowText
	}
	w.State = run.StandingFailed
	if o.Exit != nil {
		switch *o.Exit {
		case exitDone:
			w.State = run.StandingDone
			return
		case exitStopped, exitHard:
			w.State = run.StandingStopped
		}
	}
	w.Why = cut(o.ExitWhy, longestText)
}

// The exit statuses of Layover's own that stand otherwise than as failed.
const (
	exitDone    = 0
	exitStopped = 3
	exitHard    = 130
)

// ownGoing says what a run waits for that nobody works in.
func ownGoing(w *run.Watched, o *runfile.Layover) {
	w.Stop = o.Stop
	if w.Lanes.Working > 0 {
		w.State = run.StandingWorking
		return
	}
	w.State = run.StandingIdle
	var next time.Time
	for _, l := range o.Lanes {
		next = sooner(next, l.WakeAt)
	}
	for _, x := range o.Windows {
		if x.Sort == run.SortHealth {
			continue
		}
		if w.State = run.StandingLimited; w.Why == "" || !x.Until.IsZero() && x.Until.Before(w.Until) {
			w.Why, w.Until, w.How = cut(x.Reason, longestText), x.Until, x.How
		}
		if w.Family == "" {
			w.Family = kind(x.Family)
		}
	}
	if w.State == run.StandingLimited && w.Until.IsZero() {
		w.Until = next
	}
}
