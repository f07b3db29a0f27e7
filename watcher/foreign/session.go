package foreign

import (
	"fmt"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/stream"
)

// silent is why a session counts as over that does not say so.
var silent = fmt.Sprintf("nothing heard for %d minutes in the middle of its work", int(run.SilentWork.Minutes()))

// ofSession is the picture of a session: a run of one lane, which stays open between the
// turns, and waits while it is limited.
func ofSession(k Known, now time.Time) picture {
	a := k.Account
	w, h := session(k.Key, k.Origin, a, k.Modified, now)
	p := picture{id: w.ID, name: string(w.Name), began: w.Began, usage: w.Usage}
	l := lane{
		key: "session", name: string(w.Name), dir: w.Dir, family: w.Family,
		turn:  a.Turn != 0 || a.Activity.Lines > 0 || w.Usage != (run.Usage{}),
		began: w.Began, served: a.ServedAt, ended: w.At, session: w.ID, model: w.Model,
		state: run.LaneOpen, usage: w.Usage, words: wordOf(w.Family, a, w.At), doing: a.Activity, gauges: readings(a),
	}
	if l.family == "" {
		l.family = "unknown"
	}
	l.target.Agent = l.family
	if a.Turn == stream.TurnOver {
		l.verdict = a.Verdict
		l.verdict.Usage, l.verdict.Evidence = run.Usage{}, nil
		l.verdict.Message = cut(l.verdict.Message, longestText)
		l.verdict.Model, l.verdict.Session = word(l.verdict.Model), word(l.verdict.Session)
	} else if a.Turn == 0 {
		l.verdict.Class = run.ClassSuccess // nothing was asked, and it waits for that
	}
	switch st := w.Standing(now); st {
	case run.StandingWorking:
		l.state = run.LaneWorking
	case run.StandingLimited, run.StandingIdle:
		l.state, l.hold = h.state, h
		if a.Turn == stream.TurnOpen {
			l.verdict, l.ended = run.Verdict{Class: h.class}, h.since
			if h.state == run.LaneParked {
				l.verdict.Message = run.Untrusted(h.why)
			}
		}
	case run.StandingDone:
		p.over, p.ended = true, w.At
		l.state = run.LaneDone
	case run.StandingFailed:
		p.over, p.ended = true, w.At
		l.state = run.LaneFailed
		p.exit, p.why = exitFailed, string(w.Why)
		if w.State == run.StandingLimited { // it ended at a limit, and does not say so
			p.exit = run.ExitUnseen
			l.verdict.Class, l.verdict.Message = h.class, run.Untrusted(h.why)
		}
	case run.StandingSilent: // nobody knows how it went
		p.over, p.ended = true, w.At
		l.state, l.verdict = run.LaneStopped, run.Verdict{Class: run.ClassIncomplete}
		p.exit, p.why = run.ExitUnseen, silent
		l.why = p.why
	}
	p.lanes = []lane{l}
	return p
}
