package foreign

import (
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/stream"
)

// Session is how a session on disk or a stream in a file stands, by its account; modified
// is when its file was last written. It waits for its operator once a turn is over; a
// stream has ended then.
func Session(key string, o run.Origin, a stream.Account, modified time.Time) run.Watched {
	w, _ := session(key, o, a, modified, time.Time{})
	return w
}

// session is [Session] at now, with what its agent waits for by itself.
func session(key string, o run.Origin, a stream.Account, modified, now time.Time) (run.Watched, hold) {
	family := familyOf(a.Family)
	w := run.Watched{
		Key: key, Origin: o, ID: word(a.Session), Name: sessionName(key, a), Dir: cut(a.Dir, longestText),
		Family: family, Model: modelOf(a), Began: first(a.Began, a.At, modified), At: seenAt(a, modified),
		Doing: cut(a.Activity.Now(), longestText), Usage: sane(a.Activity.Usage), Unheard: unheard(o, family),
	}
	h := holdOf(a, wordOf(family, a, w.At).Suspicion, w.At, now)
	if h.state == 0 && now.Sub(w.At) >= run.SilentTurn { // if it met a limit, it ended at that
		h = holdOf(a, wordOf(family, a, w.At).Suspicion, w.At, time.Time{})
	}
	switch {
	case h.state == run.LaneParked:
		w.State, w.Lanes.Waiting = run.StandingLimited, 1
		w.Why, w.Until, w.How = run.Untrusted(h.why), h.wake, h.how
	case h.state == run.LaneWaiting:
		w.State, w.Lanes.Waiting = run.StandingIdle, 1
		w.Why = run.Untrusted(h.why)
	case a.Turn == stream.TurnOpen:
		w.State, w.Lanes.Working = run.StandingWorking, 1
	case a.Turn == stream.TurnOver && o == run.OriginStream && a.Verdict.Class != run.ClassSuccess:
		w.State, w.Lanes.Failed = run.StandingFailed, 1
		w.Why = run.Untrusted(class(a.Verdict))
	case a.Turn == stream.TurnOver && o == run.OriginStream:
		w.State, w.Lanes.Done = run.StandingDone, 1
	default:
		w.State, w.Lanes.Waiting = run.StandingAsking, 1
		if c := a.Verdict.Class; c != 0 && c != run.ClassSuccess && c != run.ClassCancelled {
			w.Why = run.Untrusted(class(a.Verdict))
		}
	}
	return w, h
}

// class is a verdict in words.
func class(v run.Verdict) string {
	if v.Message != "" {
		return cut(string(v.Message), longestText)
	}
	return strings.ReplaceAll(v.Class.String(), "_", " ")
}

// seenAt is the last sign of life of a session. The instants of its lines count, which a copy
// of the file keeps, and when the file was written only if they have none. No file is older
// than its lines.
func seenAt(a stream.Account, modified time.Time) time.Time {
	at := later(later(a.At, a.ServedAt), a.SuspectedAt)
	switch {
	case modified.IsZero():
		return at
	case at.IsZero(), at.After(modified):
		return modified
	}
	return at
}
