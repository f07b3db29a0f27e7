package foreign

import (
	"fmt"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

// lane is an agent as it is known now, made of its entry in a run.json and its log, or
// a session.
type lane struct {
	key, name string
	dir       run.Untrusted
	target    run.Target
	family    string
	// turn is set if the agent has been asked for something.
	turn bool

	began, served, ended time.Time
	seen                 time.Time // the last sign of it in its log
	pid                  int
	pidStart             string
	session, model       string

	// state is LaneWorking; LaneWaiting or LaneParked as hold has it; LaneOpen between the
	// turns of a session; or final.
	state   run.LaneState
	hold    hold
	exit    run.Exit
	verdict run.Verdict
	why     string

	usage  run.Usage
	words  Word
	doing  run.Activity
	gauges []run.Reading
}

// outcome is what a run.json says became of an agent.
type outcome int

const (
	outWorking outcome = iota
	outDone
	outFailed
	outStopped
	// outLost has ended, but nobody saw how.
	outLost
)

// outcomes are the words for it that are known.
var outcomes = map[string]outcome{
	"done": outDone, "completed": outDone, "complete": outDone, "success": outDone, "succeeded": outDone,
	"finished": outDone, "failed": outFailed, "error": outFailed, "errored": outFailed, "crashed": outFailed,
	"timeout": outFailed, "timed_out": outFailed, "killed": outStopped, "cancelled": outStopped,
	"canceled": outStopped, "interrupted": outStopped, "stopped": outStopped, "terminated": outStopped,
	"reaped": outStopped, "drain_timed_out_then_reaped": outStopped, "drained": outLost,
}

func outcomeOf(a *runfile.Agent) outcome {
	if o, known := outcomes[strings.ToLower(string(a.Status))]; known {
		return o
	}
	switch {
	case a.ExitCode != nil && *a.ExitCode == 0:
		return outDone
	case a.ExitCode != nil:
		return outFailed
	case !a.FinishedAt.IsZero():
		return outLost
	}
	return outWorking
}

// ofAgent is the lane of an agent of a run.json; keeper says what is known of the run.
func ofAgent(key string, a *runfile.Agent, logs map[string]stream.Account, k keeper) lane {
	acc, read := logOf(logs, a)
	acc = Before(acc, first(a.FinishedAt, k.end))
	l := lane{
		key: key, name: label(key), dir: run.Untrusted(cut(a.CWD, longestText)),
		family: agentFamily(a, acc), turn: true,
		began: first(a.SpawnedAt, acc.Began, k.start), served: acc.ServedAt,
		pid: a.PID, pidStart: word(a.PIDStart), session: word(a.Session), model: modelOf(acc),
		usage: sane(acc.Activity.Usage), doing: acc.Activity, gauges: readings(acc),
		seen: later(later(acc.At, acc.ServedAt), acc.SuspectedAt),
	}
	l.target.Agent = kind(a.Type)
	switch {
	case l.target.Agent == "":
		l.target.Agent = l.family
	case familyOf(l.target.Agent) != l.family: // a target is of one family
		l.target.Agent += "/" + l.family
	}
	l.target.Model = word(a.RequestedModel)
	if l.target.Model == "" {
		l.target.Model = word(a.EffectiveModel)
	}
	if l.session == "" {
		l.session = word(acc.Session)
	}
	if l.model == "" {
		l.model = word(a.EffectiveModel)
	}
	how := k.outcome(a, acc)
	l.settle(how, a, acc, k)
	if read {
		l.words = wordOf(l.family, acc, later(l.ended, acc.ServedAt))
		l.waits(holdOf(acc, l.words.Suspicion, later(acc.ServedAt, l.began), k.now), k.now)
	}
	return l
}

// Before is an account none of whose signs are after an end, zero for none: what dates them
// may be when a copy of the log was written.
func Before(acc stream.Account, end time.Time) stream.Account {
	for _, at := range []*time.Time{&acc.At, &acc.ServedAt, &acc.SuspectedAt} {
		if !end.IsZero() && at.After(end) {
			*at = end
		}
	}
	return acc
}

// waits makes one at work wait for what its agent does. A limit that has lifted is none.
func (l *lane) waits(h hold, now time.Time) {
	lifted := h.state == run.LaneParked && !now.IsZero() && !now.Before(h.wake)
	if l.state != run.LaneWorking || h.state == 0 || lifted {
		return
	}
	l.state, l.hold, l.ended = h.state, h, h.since
	l.verdict = run.Verdict{Class: h.class}
	if h.state == run.LaneParked {
		l.verdict.Message = run.Untrusted(h.why)
	}
}

// settle says how the lane ended, by what its keeper says and what its log says: a log's
// refusal stands against the word of a keeper that has not seen it.
func (l *lane) settle(how outcome, a *runfile.Agent, acc stream.Account, k keeper) {
	if how == outWorking {
		l.state = run.LaneWorking
		return
	}
	v := run.Verdict{}
	if acc.Turn == stream.TurnOver {
		v = acc.Verdict
	}
	refused := limited(v.Class) || v.Class == run.ClassAuth || v.Class == run.ClassBilling
	switch {
	case how == outStopped:
		l.state = run.LaneStopped
		if !refused {
			v = run.Verdict{Class: run.ClassCancelled}
		}
	case how == outDone && !refused, how == outLost && v.Class == run.ClassSuccess:
		l.state = run.LaneDone
		if v.Class != run.ClassSuccess {
			v = run.Verdict{Class: run.ClassSuccess}
		}
	case how == outLost && v.Class == 0:
		l.state, v = run.LaneFailed, run.Verdict{Class: run.ClassIncomplete}
		l.why = k.unseen
	default:
		l.state = run.LaneFailed
		if v.Class == 0 || v.Class == run.ClassSuccess {
			v = run.Verdict{Class: run.ClassFailed}
		}
		if v.Class == run.ClassFailed && v.Message == "" && a.ExitCode != nil {
			l.why = fmt.Sprintf("ended with exit code %d", *a.ExitCode)
		}
	}
	v.Usage, v.Evidence = run.Usage{}, nil
	v.Message = cut(v.Message, longestText)
	v.Model, v.Session = word(v.Model), word(v.Session)
	l.verdict = v
	l.exit = exitOf(a, how)
	l.ended = first(a.FinishedAt, k.end, acc.At, acc.ServedAt, l.began)
}

func exitOf(a *runfile.Agent, how outcome) run.Exit {
	switch {
	case a.ExitCode == nil && how == outDone:
		return run.Exit{}
	case a.ExitCode == nil:
		return run.Exit{Code: -1, Lost: true}
	}
	return run.Exit{Code: *a.ExitCode}
}

// last is the last sign of life of the lane.
func (l *lane) last() time.Time { return later(later(l.began, l.seen), l.ended) }

func readings(a stream.Account) []run.Reading {
	return a.Readings[:min(len(a.Readings), run.MaxReadings)]
}
