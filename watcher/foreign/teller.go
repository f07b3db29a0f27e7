package foreign

import (
	"time"

	"example.com/layover/engine/run"
)

// Teller tells a run as facts that [run.State.Apply] accepts, and tells what is new as it
// becomes known. It is for one run. The zero value has told nothing. It is not safe for
// use by several goroutines.
type Teller struct {
	seq      uint64
	last     time.Time
	id, name string
	lanes    map[string]*told
	opened   run.LaneID
	tasks    int
	agents   map[string]run.Agent
	attempts run.AttemptID
	doubts   []run.Suspicion // of the run, not of a lane
	notice   string
	over     bool
	exit     int
	why      string
	own      run.Usage // counted of none of the lanes
}

// Told is what is new. The zero value is nothing.
type Told struct {
	Facts []run.Fact
	// Seen is what the agents do now, and how full their accounts are.
	Seen []run.Observation
	// Restarted is set if what was told before is not so: it is to be dropped, and Facts
	// begin with the first.
	Restarted bool
}

// Tell tells what is new of what is known now. The first call tells all; Seq has no gaps
// from 1 on.
func (t *Teller) Tell(k Known, now time.Time) Told {
	p := k.picture(now)
	restarted := t.seq > 0 && t.contradicts(&p)
	if restarted {
		*t = Teller{}
	}
	d := draft{t: t, now: now, late: now}
	if p.over { // nothing in it is younger
		d.late = past(p.last(), now)
	}
	if t.seq == 0 {
		d.begin(&p, now)
	}
	for i := range p.lanes {
		l := &p.lanes[i]
		if t.lanes[l.key] == nil {
			d.open(l, nil)
		}
		d.lane(l)
	}
	d.spend(&p)
	d.suspect(&p)
	facts := d.facts()
	facts = append(facts, t.end(&p, now, d.late)...)
	return Told{Facts: facts, Seen: t.see(&p, now), Restarted: restarted}
}

// Over reports whether it was told that the run has ended.
func (t *Teller) Over() bool { return t.over }

// picture is the run as it is known, or the session as one of a single lane.
func (k Known) picture(now time.Time) picture {
	var p picture
	if k.File == nil {
		p = ofSession(k, now)
	} else {
		p = ofFile(k.Origin, k.Key, k.File, k.Logs, k.believed(now), now)
	}
	p.own, p.usage = p.own.Add(k.Beside), p.usage.Add(k.Beside)
	p.others, p.bound = k.Others, boundBy(k.Bound)
	if k.Removed && !p.over {
		p.remove(now)
	}
	return p
}

// remove ends what has not ended, since nothing more will be told of it.
func (p *picture) remove(now time.Time) {
	p.over, p.ended, p.exit, p.why, p.notice = true, now, run.ExitUnseen, removed, removed
	for i := range p.lanes {
		if l := &p.lanes[i]; !l.state.Final() {
			l.state, l.hold, l.ended, l.why = run.LaneFailed, hold{}, now, removed
			l.verdict = run.Verdict{Class: run.ClassIncomplete}
		}
	}
}

// contradicts reports whether a picture cannot have come of what was told.
func (t *Teller) contradicts(p *picture) bool {
	if p.id != t.id || p.name != t.name {
		return true
	}
	if t.over && (!p.over || p.exit != t.exit || p.why != t.why) {
		return true
	}
	if !covers(t.ownOf(p), t.own) {
		return true
	}
	known := 0
	for i := range p.lanes {
		l := &p.lanes[i]
		x := t.lanes[l.key]
		a, described := t.agents[l.target.Agent]
		switch {
		case x != nil && x.contradicts(l):
			return true
		case x != nil:
			known++
		case t.over || !described || a.Family != l.family:
			return true
		}
	}
	return known < len(t.lanes) && !p.omits(t.lanes)
}

// fact makes the next fact. Facts do not go back in time.
func (t *Teller) fact(at time.Time, lane run.LaneID, b run.Body) run.Fact {
	t.seq++
	t.last = later(t.last, at)
	return run.Fact{Seq: t.seq, At: t.last, Lane: lane, Body: b}
}

// end tells what concerns the run as a whole, after all else.
func (t *Teller) end(p *picture, now, late time.Time) []run.Fact {
	var facts []run.Fact
	if p.notice != t.notice {
		t.notice = p.notice
		facts = append(facts, t.fact(late, 0, run.Notice{Message: p.notice}))
	}
	if p.over && !t.over {
		t.over, t.exit, t.why = true, p.exit, p.why
		facts = append(facts, t.fact(past(p.ended, now), 0, run.RunEnded{Exit: p.exit, Why: p.why, Usage: p.usage}))
	}
	return facts
}

// past is an instant that is not ahead of now; now itself if there is none.
func past(at, now time.Time) time.Time {
	if at.IsZero() || at.After(now) {
		return now
	}
	return at
}
