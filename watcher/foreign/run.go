package foreign

import (
	"cmp"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

// Run is how a run of another tool stands, by its run.json and the logs of its agents as
// in [Known]. One that has not ended is orphaned if the process that keeps it is Gone.
func Run(key string, o run.Origin, f *runfile.File, logs map[string]stream.Account, alive Alive) run.Watched {
	return watched(key, o, f, logs, alive, time.Time{})
}

func watched(key string, o run.Origin, f *runfile.File, logs map[string]stream.Account, alive Alive, now time.Time) run.Watched {
	p := ofFile(o, key, f, logs, alive, now)
	w := run.Watched{
		Key: key, Origin: o, ID: p.id, Name: run.Untrusted(p.name), Began: p.began, At: later(f.Start, f.End),
		Usage: p.usage, Unheard: unheard(o, ""),
	}
	var last *lane
	for i := range p.lanes {
		l := &p.lanes[i]
		w.At = later(w.At, later(l.last(), l.words.Suspicion.Since))
		if last == nil || l.newer(last) {
			last = l
		}
		count(&w.Lanes, l)
	}
	for _, word := range p.words {
		w.At = later(w.At, word.Suspicion.Since)
	}
	if last != nil {
		w.Family, w.Model, w.Dir = last.family, cmp.Or(last.model, last.target.Model), last.dir
		w.Doing = cut(last.doing.Now(), longestText)
	}
	stand(&w, &p, keeperOf(o, f, alive, now))
	return w
}

// newer reports whether a lane tells more of what is done now than one before it.
func (l *lane) newer(than *lane) bool {
	if works := l.state == run.LaneWorking; works != (than.state == run.LaneWorking) {
		return works
	}
	return !l.last().Before(than.last())
}

func count(c *run.LaneCounts, l *lane) {
	switch {
	case l.state == run.LaneWorking && l.doubted():
		c.Waiting++
	case l.state == run.LaneWorking:
		c.Working++
	case l.state == run.LaneDone:
		c.Done++
	default:
		c.Failed++
	}
}

// doubted reports whether what the agent says makes its family suspected.
func (l *lane) doubted() bool { return !l.words.Suspicion.Until.IsZero() }

// stand says where a run of another tool stands.
func stand(w *run.Watched, p *picture, k keeper) {
	switch {
	case k.gone:
		w.State, w.Why = run.StandingOrphaned, run.Untrusted(orphaned(w.Origin))
	case p.over && p.exit == 0:
		w.State = run.StandingDone
	case p.over:
		w.State, w.Why = run.StandingFailed, run.Untrusted(p.why)
	case w.Lanes.Working > 0:
		w.State = run.StandingWorking
	default:
		w.State = run.StandingIdle
		for i := range p.lanes {
			if l := &p.lanes[i]; l.state == run.LaneWorking && l.doubted() {
				limit(w, l.words.Suspicion)
			}
		}
		for _, word := range p.words {
			if word.Suspicion.Until.After(w.At) && w.Lanes.Waiting == 0 {
				limit(w, word.Suspicion)
			}
		}
	}
}

// limit makes a run a limited one, until the first of its limits is over.
func limit(w *run.Watched, s run.Suspicion) {
	w.State = run.StandingLimited
	if w.Until.IsZero() || s.Until.Before(w.Until) {
		w.Why, w.Until, w.How = run.Untrusted(s.Why), s.Until, run.HowAssumed
		if !s.Until.Equal(s.Since.Add(suspectFor)) {
			w.How = run.HowText
		}
	}
}
