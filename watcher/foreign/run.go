package foreign

import (
	"cmp"
	"slices"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

// Run is how a run of another tool stands, by its run.json and the logs of its agents as
// in [Known]. One that has not ended is orphaned if the process that keeps it is Gone.
func Run(key string, o run.Origin, f *runfile.File, logs map[string]stream.Account, alive Alive) run.Watched {
	w, _ := watched(Known{Key: key, Origin: o, File: f, Logs: logs}, alive, time.Time{})
	return w
}

// watched is how a run of another tool stands of whose process that is believed.
func watched(k Known, alive Alive, now time.Time) (run.Watched, Crew) {
	o, f := k.Origin, k.File
	p := ofFile(o, k.Key, f, k.Logs, alive, now)
	p.others = k.Others
	w := run.Watched{
		Key: k.Key, Origin: o, ID: p.id, Name: run.Untrusted(p.name), Began: p.began, At: later(f.Start, f.End),
		Usage: p.usage, Unheard: unheard(o, ""),
	}
	var last *lane
	crew := Crew{}
	for i := range p.lanes {
		l := &p.lanes[i]
		w.At = later(w.At, later(l.last(), l.words.Suspicion.Since))
		if last == nil || l.newer(last) {
			last = l
		}
		if count(&w.Lanes, l.state); l.state == run.LaneWorking {
			crew[l.family]++
		}
	}
	for _, h := range p.hidden {
		if count(&w.Lanes, h.state); h.state == run.LaneWorking {
			crew[h.family]++
		}
	}
	for _, word := range p.words {
		w.At = later(w.At, word.Suspicion.Since)
	}
	if last != nil {
		w.Family, w.Model, w.Dir = last.family, cmp.Or(last.model, last.target.Model), last.dir
		w.Doing = cut(last.doing.Now(), longestText)
	}
	stand(&w, &p, keeperOf(o, f, alive, now))
	if said := p.unshown(); said != "" && w.Why != "" {
		w.Why += run.Untrusted("; " + said)
	} else if said != "" {
		w.Why = run.Untrusted(said)
	}
	return w, crew
}

// newer reports whether a lane tells more of what is done now than one before it.
func (l *lane) newer(than *lane) bool {
	rank := func(s run.LaneState) int {
		switch {
		case s == run.LaneWorking:
			return 2
		case s.Final():
			return 0
		}
		return 1
	}
	if a, b := rank(l.state), rank(than.state); a != b {
		return a > b
	}
	return !l.last().Before(than.last())
}

func count(c *run.LaneCounts, s run.LaneState) {
	switch s {
	case run.LaneWorking:
		c.Working++
	case run.LaneWaiting, run.LaneParked:
		c.Waiting++
	case run.LaneDone:
		c.Done++
	default:
		c.Failed++
	}
}

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
			switch l := &p.lanes[i]; l.state {
			case run.LaneParked:
				limit(w, l.words.Suspicion)
			case run.LaneWaiting:
				if w.State == run.StandingIdle {
					w.Why = run.Untrusted(l.hold.why)
				}
			}
		}
		served, at := servedOf(slices.Concat(p.said(), p.others)), first(k.now, w.At)
		for _, word := range p.words {
			if w.Lanes.Waiting == 0 && served.holds(word.Suspicion, at) {
				limit(w, word.Suspicion)
			}
		}
	}
}

// limit makes a run a limited one, until the first of its limits is over.
func limit(w *run.Watched, s run.Suspicion) {
	if w.State != run.StandingLimited {
		w.State, w.Why = run.StandingLimited, ""
	}
	if w.Until.IsZero() || s.Until.Before(w.Until) {
		w.Why, w.Until, w.How = run.Untrusted(s.Why), s.Until, run.HowAssumed
		if !s.Until.Equal(s.Since.Add(suspectFor)) {
			w.How = run.HowText
		}
	}
}
