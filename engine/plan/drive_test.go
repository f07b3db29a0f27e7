package plan_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// play is what one attempt of a played agent does.
type play struct {
	// served is when a model first answers, from the start; negative for never.
	served time.Duration
	// suspect is when a sign of a limit shows; zero for never.
	suspect time.Duration
	// after is when the attempt ends.
	after   time.Duration
	verdict run.Verdict
}

// works is an attempt that is served at once and ends with success.
func works(d time.Duration) play {
	return play{served: time.Second, after: d, verdict: run.Verdict{Class: run.ClassSuccess}}
}

// fails is an attempt that ends with a class after two seconds, unserved.
func fails(c run.Class) play {
	return play{served: -1, after: 2 * time.Second, verdict: run.Verdict{Class: c}}
}

// limited is a refusal of a usage limit with a stated reset; zero is unknown.
func limited(reset time.Time) play {
	v := run.Verdict{Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily}
	if !reset.IsZero() {
		v.Reset, v.How = reset, run.HowStated
	}
	return play{served: -1, after: 2 * time.Second, verdict: v}
}

// bare is a 429 about which nothing is known.
func bare() play {
	return play{served: -1, after: 2 * time.Second, verdict: run.Verdict{
		Class: run.ClassRateLimited, Kind: run.KindThrottle, Scope: run.ScopeFamily,
	}}
}

// tester is what a drive needs of a test, or of a property.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// drive runs a program in made-up time. It carries effects out in the order of the
// shell, answers permits as one process does, holds the rules that must hold in every
// run, and stops at the run's end.
type drive struct {
	t     tester
	state *run.State
	rules *sim.Rules
	now   time.Time
	facts []run.Fact
	queue []event
	n     int
	// agent plays the attempts; spawn counts those of each target.
	agent func(d *drive, sp run.Spawn) play
	spawn map[run.Target]int
	gone  map[run.AttemptID]bool
	exit  int
	ended bool
	seed  uint64
	// seen are the windows that other runs had told of at the start.
	seen []run.Seen
	// refuse, if set, tells which permits another process holds.
	refuse func(run.AskPermit) bool
	// lose, if set, tells which effects a crash keeps from being carried out.
	lose func(run.Effect) bool
	// dies, if positive, counts the effects until the owner dies, with the last of
	// them; torn lets that one be carried out, but nobody hears of it.
	dies int
	torn bool
	// halts, if positive, counts the facts until the owner dies instead of saving that
	// one: those of its decision before it are on the disk. If torn, what the decision
	// wanted ended is ended all the same, as on a full disk.
	halts int
	// left are the facts that each decision left as the last.
	left []uint64
	// away is how long it takes until a new owner comes.
	away time.Duration
	dead bool
	// pending is what is still to be carried out of what was decided.
	pending  []run.Effect
	carrying bool
	started  map[run.AttemptID]bool
	// forgets is set if each decision asks all lanes that wait, as the first one of a new
	// owner does.
	forgets bool
	// jumps is set if a clock step moves the clock, as it does outside.
	jumps bool
	// until, if set, answers the program's command.
	until func(iteration int) bool
	// brokeOff is what attempts have used that are asked to end.
	brokeOff run.Usage
}

type event struct {
	at time.Time
	n  int
	h  run.Happening
	do func() // instead of h: what the test does
}

func program(order ...string) run.Program {
	p := run.Defaults()
	p.Name = "test"
	p.Agents = map[string]run.Agent{}
	for _, o := range order {
		var t run.Target
		if err := t.UnmarshalText([]byte(o)); err != nil {
			panic(err)
		}
		p.Order = append(p.Order, t)
		p.Agents[t.Agent] = run.Agent{Preset: t.Agent, Family: t.Agent}
	}
	p.Tasks = []run.Task{{Name: "one", Prompt: "do it", Wait: run.WaitPark}}
	return p
}

func begin(t tester, p run.Program, agent func(d *drive, sp run.Spawn) play, set ...func(*drive)) *drive {
	d := &drive{
		t: t, state: &run.State{}, rules: sim.NewRules(start), now: start, agent: agent, seed: 1,
		spawn: map[run.Target]int{}, gone: map[run.AttemptID]bool{}, started: map[run.AttemptID]bool{},
	}
	for _, do := range set {
		do(d)
	}
	d.decide(run.Begin{RunID: "test", Program: p, Seed: d.seed, Epoch: start, Speed: 1, Seen: d.seen})
	return d
}

// at puts a happening into the future.
func (d *drive) at(after time.Duration, h run.Happening) {
	d.n++
	d.queue = append(d.queue, event{at: start.Add(after), n: d.n, h: h})
}

// when does something to the drive itself at an instant.
func (d *drive) when(after time.Duration, do func()) {
	d.n++
	d.queue = append(d.queue, event{at: start.Add(after), n: d.n, do: do})
}

func (d *drive) decide(h run.Happening) {
	d.t.Helper()
	d.rules.Begin(h)
	if d.forgets {
		d.state.Unsettle()
	}
	facts, effects := plan.Decide(d.state, h, d.now)
	if d.halts > 0 && d.halts <= len(facts) {
		d.halve(h, facts[:d.halts-1], effects)
		return
	}
	d.halts -= len(facts)
	d.left = append(d.left, d.state.Seq)
	d.save(facts)
	for _, e := range effects {
		if ask, ok := e.(run.AskPermit); !ok || !ask.In(d.pending) {
			d.pending = append(d.pending, e)
		}
	}
	if d.carrying {
		return // after the rest, as the shell does
	}
	d.carrying = true
	for len(d.pending) > 0 && !d.dead {
		e := d.pending[0]
		d.pending = d.pending[1:]
		d.carryOut(e)
	}
	d.carrying, d.pending = false, nil
	if !d.ended && !d.dead && d.lose == nil {
		d.rules.Decided(d.state)
		d.rules.Settled(d.state, d.now)
	}
	d.held()
}

// save takes over facts and holds the rules over them.
func (d *drive) save(facts []run.Fact) {
	for _, f := range facts {
		d.rules.Fact(f)
	}
	d.facts = append(d.facts, facts...)
}

// held fails the test if a rule is broken.
func (d *drive) held() {
	d.t.Helper()
	if err := d.rules.Err(); err != nil {
		d.t.Fatalf("rules broken:\n%v\n%s", err, d.story())
	}
}

// carryOut does what the core asks for, unless the owner dies at it.
func (d *drive) carryOut(e run.Effect) {
	d.t.Helper()
	if d.lose != nil && d.lose(e) {
		return
	}
	if d.dies--; d.dies == 0 {
		if d.dead = true; d.torn {
			d.lastDeed(e)
		}
		return
	}
	switch e := e.(type) {
	case run.Spawn:
		d.start(e)
		d.decide(run.Spawned{Lane: e.Lane, Attempt: e.Attempt, PID: int(e.Attempt)})
	case run.Adopt:
		d.decide(run.Adopted(e))
	case run.End:
		if !d.gone[e.Attempt] {
			d.gone[e.Attempt] = true
			d.decide(run.Ended{Lane: e.Lane, Attempt: e.Attempt, Exit: run.Exit{Code: -1, Signal: "terminated"}, Verdict: run.Verdict{Class: run.ClassIncomplete, Usage: d.brokeOff}})
		}
	case run.AskPermit:
		refused := d.refuse != nil && d.refuse(e)
		d.decide(run.PermitAnswered{Lane: e.Lane, Target: e.Target, Keys: e.Keys, Granted: !refused, Why: e.Why, Holder: "another"})
	case run.CheckUntil:
		d.decide(run.UntilAnswered{Iteration: e.Iteration, Done: d.until != nil && d.until(e.Iteration)})
	case run.Finish:
		d.exit, d.ended = e.Exit, true
	}
}

func (d *drive) start(sp run.Spawn) {
	if d.started[sp.Attempt] {
		return // it is adopted
	}
	d.started[sp.Attempt] = true
	d.spawn[sp.Target]++
	p := d.agent(d, sp)
	since := d.now.Sub(start)
	if p.suspect > 0 {
		d.at(since+p.suspect, run.Suspected{Lane: sp.Lane, Attempt: sp.Attempt, Why: "retry notice"})
	}
	if p.served >= 0 && p.served <= p.after {
		d.at(since+p.served, run.Served{Lane: sp.Lane, Attempt: sp.Attempt, Sign: "text"})
	}
	if p.verdict.Class == 0 {
		return // it never ends by itself
	}
	v := p.verdict
	if v.Session == "" {
		v.Session = fmt.Sprintf("session-%d", sp.Attempt)
		if sp.Resume != "" {
			v.Session = sp.Resume
		}
	}
	d.at(since+p.after, run.Ended{Lane: sp.Lane, Attempt: sp.Attempt, Verdict: v})
}

// run goes on until the run has ended, or until something takes too long.
func (d *drive) run() *drive {
	d.t.Helper()
	for steps := 0; !d.ended; steps++ {
		if d.dead {
			d.reborn()
			continue
		}
		if steps > 200_000 || d.now.Sub(start) > 60*24*time.Hour {
			d.t.Fatalf("no end after %d steps at %s\n%s", steps, d.now, d.story())
		}
		sort.SliceStable(d.queue, func(i, j int) bool {
			if !d.queue[i].at.Equal(d.queue[j].at) {
				return d.queue[i].at.Before(d.queue[j].at)
			}
			return d.queue[i].n < d.queue[j].n
		})
		due := d.state.NextDue(d.now)
		if len(d.queue) > 0 && (due.IsZero() || !d.queue[0].at.After(due)) {
			e := d.queue[0]
			d.queue = d.queue[1:]
			if e.at.After(d.now) {
				d.now = e.at
			}
			if e.do != nil {
				e.do()
				continue
			}
			if end, ok := e.h.(run.Ended); ok {
				if d.gone[end.Attempt] {
					continue
				}
				d.gone[end.Attempt] = true
			}
			if s, ok := e.h.(run.Stepped); ok && d.jumps {
				d.now = d.now.Add(s.By)
			}
			d.decide(e.h)
			continue
		}
		if due.IsZero() {
			d.t.Fatalf("stuck at %s: nothing is due\n%s", d.now.Sub(start), d.story())
		}
		if due.After(d.now) {
			d.now = due
		}
		before := len(d.facts)
		d.decide(run.Tick{})
		if due := d.state.NextDue(d.now); len(d.facts) == before && !due.IsZero() && !due.After(d.now) && !d.ended && !d.dead {
			d.t.Fatalf("at %s %s is due but nothing is decided\n%s", d.now.Sub(start), due.Sub(start), d.story())
		}
	}
	d.rules.Replayed(d.state)
	d.rules.Ended(d.exit)
	d.held()
	return d
}

// names lists the names of the facts of a lane, or of all for zero.
func (d *drive) names(lane run.LaneID) []string {
	var names []string
	for _, f := range d.facts {
		if lane == 0 || f.Lane == lane {
			names = append(names, f.Body.Name())
		}
	}
	return names
}

func (d *drive) count(name string) int {
	n := 0
	for _, f := range d.facts {
		if f.Body.Name() == name {
			n++
		}
	}
	return n
}

// all lists the bodies of one kind.
func all[T run.Body](d *drive) []T {
	var bs []T
	for _, f := range d.facts {
		if b, ok := f.Body.(T); ok {
			bs = append(bs, b)
		}
	}
	return bs
}

func (d *drive) story() string {
	var b strings.Builder
	for _, f := range d.facts[max(0, len(d.facts)-40):] {
		fmt.Fprintf(&b, "%9s %4d L%d %s %+v\n", f.At.Sub(start), f.Seq, f.Lane, f.Body.Name(), f.Body)
	}
	return b.String()
}

// before checks that facts of these names come in this order, each after the one
// before it.
func (d *drive) before(names ...string) {
	d.t.Helper()
	all := d.names(0)
	from := 0
	for _, n := range names {
		i := slices.Index(all[from:], n)
		if i < 0 {
			d.t.Fatalf("no %s after the others of %v in\n%s", n, names, d.story())
		}
		from += i + 1
	}
}
