package foreign

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

// picture is a run as it is known now.
type picture struct {
	id    string
	name  string
	began time.Time
	// lanes are in the order of the file.
	lanes []lane
	// words are those of the run itself, not of one of its lanes; others are those of others.
	words, others []Word
	// bound are the families and models that are limited for runs of Layover's.
	bound []run.Suspicion
	// over is set once the run has ended, at ended with the status exit.
	over   bool
	ended  time.Time
	exit   int
	why    string
	notice string
	// usage is that of all, own that of the run itself, of none of its agents.
	usage, own run.Usage
	// hidden are the agents that are not shown since there are too many.
	hidden []hidden
}

// keeper is what is known of who keeps a run.
type keeper struct {
	start, end time.Time
	over, gone bool
	// now is zero if it is not asked what is over by then.
	now    time.Time
	unseen string
}

// outcome is what became of an agent. One of which its keeper has told no end is lost with
// that, but as long as its log shows that it is at work still; the account is zero if that
// was not read.
func (k keeper) outcome(a *runfile.Agent, acc stream.Account) outcome {
	how := outcomeOf(a)
	writes := acc.Turn == stream.TurnOpen && !k.now.IsZero() && k.now.Sub(acc.At) < run.SilentWork
	if how == outWorking && (k.over || k.gone && !writes) {
		return outLost
	}
	return how
}

func keeperOf(o run.Origin, f *runfile.File, alive Alive, now time.Time) keeper {
	k := keeper{start: f.Start, now: now, unseen: o.String() + " has not told its end"}
	if !f.End.Before(f.Start) { // else it is no end
		k.end = f.End
	}
	if k.over = !k.end.IsZero() || f.Error != "" || f.Failure != ""; !k.over && alive == Gone {
		k.gone, k.unseen = true, o.String()+", which kept it, is gone"
	}
	return k
}

// ofFile is the picture of a run.json.
func ofFile(o run.Origin, key string, f *runfile.File, logs map[string]stream.Account, alive Alive, now time.Time) picture {
	k := keeperOf(o, f, alive, now)
	p := picture{
		id: word(f.RunID), name: string(runName(key, f.RunID)), words: WordsOf(o, f), own: turns(f),
	}
	keys := keysOf(f.Agents)
	at, left := shown(f.Agents)
	p.lanes = make([]lane, 0, len(at))
	for _, i := range at {
		p.lanes = append(p.lanes, ofAgent(keys[i], &f.Agents[i], logs, k))
	}
	for _, i := range left {
		p.hidden = append(p.hidden, hiddenOf(keys[i], &f.Agents[i], logs, k))
	}
	p.notice = p.unshown()
	p.began = k.start
	for i := range p.lanes {
		p.began = sooner(p.began, p.lanes[i].began)
		p.usage = p.usage.Add(p.lanes[i].usage)
	}
	for i := range p.hidden {
		p.usage = p.usage.Add(p.hidden[i].usage)
	}
	p.usage = p.usage.Add(p.own)
	p.end(o, f, k)
	return p
}

// omits reports whether lanes that were told of and are not in the picture have ended and
// are left out because there are too many.
func (p *picture) omits(told map[string]*told) bool {
	if len(p.hidden) == 0 {
		return false
	}
	open := 0
	for _, x := range told {
		if !x.state.Final() {
			open++
		}
	}
	for i := range p.lanes {
		if x := told[p.lanes[i].key]; x != nil && !x.state.Final() {
			open--
		}
	}
	return open == 0
}

// end says whether the run is over, and how it ended.
func (p *picture) end(o run.Origin, f *runfile.File, k keeper) {
	last := k.start
	for i := range p.lanes {
		last = later(last, p.lanes[i].last())
	}
	switch {
	case k.over:
		p.over, p.ended = true, first(k.end, last)
		p.why = cut(string(f.Error), longestText)
		if f.Error != "" || f.Failure != "" {
			p.exit = exitFailed
			if p.why == "" {
				p.why = cut(string(f.Failure), longestText)
			}
		}
	case k.gone: // nobody will tell what becomes of its agents
		if p.notice = orphaned(o); len(p.hidden) > 0 {
			p.notice += "; " + p.unshown()
		}
		if !slices.ContainsFunc(p.lanes, func(l lane) bool { return !l.state.Final() }) {
			p.over, p.ended, p.exit, p.why = true, last, run.ExitUnseen, orphaned(o)
		}
	}
}

// last is the end of a run that is over, or that of an agent that has outlived it.
func (p *picture) last() time.Time {
	at := p.ended
	for i := range p.lanes {
		at = later(at, p.lanes[i].ended)
	}
	return at
}

// exitFailed is the status of a run that did not end well.
const exitFailed = 1

func orphaned(o run.Origin) string { return o.String() + ", which kept the run, is gone" }
