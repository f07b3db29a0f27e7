package foreign

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// told is what was told of a lane.
type told struct {
	id       run.LaneID
	attempt  run.AttemptID
	last     time.Time
	target   run.Target
	family   string
	state    run.LaneState
	verdict  run.Verdict
	why      string
	served   bool
	pid      int
	session  string
	model    string
	counted  run.Usage // in all its attempts
	began    time.Time // of the attempt
	spawned  bool
	hold     hold
	doubt    run.Suspicion
	doubtOf  run.AttemptID // the attempt on whose word it is
	activity run.Activity
	gauges   []run.Reading
}

func (x *told) contradicts(l *lane) bool {
	ended := x.state.Final() && (l.state != x.state || l.why != x.why || l.turn && !x.spawned)
	return ended || x.spawned && !l.turn || x.target != l.target || x.family != l.family || !covers(l.usage, x.counted)
}

// note is a fact that has no place in the order yet. Which lane and attempt it is about
// is known once those before it have theirs.
type note struct {
	at   time.Time
	lane *told
	body func() run.Body
}

// draft collects the facts of one telling.
type draft struct {
	t   *Teller
	now time.Time
	// late dates what says nothing of its own instant, and is the latest of all dates: now,
	// or the last end in a run that is over.
	late  time.Time
	notes []note
	begun []run.Fact
}

// begin tells the start of the run, with all its tasks queued.
func (d *draft) begin(p *picture, now time.Time) {
	t := d.t
	prog := programOf(p)
	t.id, t.name, t.lanes, t.tasks, t.agents = p.id, p.name, map[string]*told{}, len(p.lanes), prog.Agents
	at := past(p.began, now)
	d.begun = []run.Fact{
		t.fact(at, 0, run.RunStarted{Format: run.Format, RunID: p.id, Program: prog, Epoch: at, Speed: 1}),
		t.fact(at, 0, run.IterationStarted{Iteration: 1}),
	}
	for i := range p.lanes {
		d.open(&p.lanes[i], &run.Job{Task: i, Iteration: 1})
	}
}

// open tells of a new lane, for a job that is queued, or else for a task that is new.
func (d *draft) open(l *lane, queued *run.Job) {
	t := d.t
	x := &told{target: l.target, family: l.family, state: run.LaneOpen, last: t.last}
	t.lanes[l.key] = x
	d.add(x, l.began, func() run.Body {
		t.opened++
		x.id = t.opened
		if queued != nil {
			return run.LaneStarted{Task: l.name, Job: *queued}
		}
		task := taskOf(l)
		t.tasks++
		return run.LaneStarted{Task: l.name, Job: run.Job{Task: t.tasks - 1, Iteration: 1}, New: &task}
	})
	d.say(x, l.began, run.LaneRouted{Why: "start", To: l.target})
}

// add puts a note after all that was told of its lane.
func (d *draft) add(x *told, at time.Time, body func() run.Body) {
	x.last = later(x.last, past(first(at, x.last), d.late))
	d.notes = append(d.notes, note{x.last, x, body})
}

func (d *draft) say(x *told, at time.Time, b run.Body) {
	d.add(x, at, func() run.Body { return b })
}

// facts puts all notes in the order of time.
func (d *draft) facts() []run.Fact {
	slices.SortStableFunc(d.notes, func(a, b note) int { return a.at.Compare(b.at) })
	facts := d.begun
	for _, n := range d.notes {
		body := n.body()
		id := run.LaneID(0)
		if n.lane != nil {
			id = n.lane.id
		}
		facts = append(facts, d.t.fact(n.at, id, body))
	}
	return facts
}

// lane tells what is new of a lane.
func (d *draft) lane(l *lane) {
	x := d.t.lanes[l.key]
	if !x.state.Final() && l.turn {
		d.start(x, l)
		d.learn(x, l)
	}
	d.count(x, l)
	d.close(x, l)
}

// start tells of the beginning of an attempt, if there is a new one.
func (d *draft) start(x *told, l *lane) {
	ends := x.state == run.LaneWaiting && l.state == run.LaneOpen // what was tried again
	if x.spawned && !ends && (x.state == run.LaneWorking || l.state != run.LaneWorking) {
		return
	}
	at := l.began
	if x.spawned { // another turn of a session
		if at = d.late; l.served.After(x.last) {
			at = l.served
		}
		if x.state == run.LaneParked {
			d.wake(x, at)
		}
	} else {
		d.say(x, at, run.TurnStarted{})
	}
	d.add(x, at, func() run.Body {
		d.t.attempts++
		x.attempt = d.t.attempts
		return run.AttemptStarted{Attempt: x.attempt, Target: l.target}
	})
	x.spawned, x.state, x.hold, x.began = true, run.LaneWorking, hold{}, x.last
	x.served, x.pid, x.verdict = false, 0, run.Verdict{}
}

func (d *draft) wake(x *told, at time.Time) {
	at = past(at, d.late)
	waited := at.Sub(x.last)
	d.say(x, at, run.TurnWoken{Reason: run.WokenDue, WaitedMs: run.MillisOf(max(0, waited))})
	x.state, x.hold = run.LaneOpen, hold{}
}

// learn tells what has become known of an attempt.
func (d *draft) learn(x *told, l *lane) {
	if l.pid != 0 && l.pid != x.pid {
		x.pid = l.pid
		d.add(x, x.began, func() run.Body {
			return run.AgentSpawned{Attempt: x.attempt, Worker: l.name, PID: l.pid, PIDStart: l.pidStart}
		})
	}
	if l.session != "" && (l.session != x.session || l.model != x.model) {
		x.session, x.model = l.session, l.model
		d.add(x, x.last, func() run.Body {
			return run.SessionLearned{Attempt: x.attempt, Session: l.session, Model: l.model}
		})
	}
	if !x.served && !l.served.Before(x.began) && !l.served.IsZero() {
		x.served = true
		d.add(x, l.served, func() run.Body { return run.AttemptServed{Attempt: x.attempt, Sign: "text"} })
	}
}
