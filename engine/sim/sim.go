package sim

import (
	"container/heap"
	"math/rand/v2"
	"time"

	"example.com/layover/engine/run"
)

// World is everything that surrounds a run. It may be simulated again and again.
type World struct {
	// Seed draws what is not written here, and is that of the run.
	Seed    uint64
	Program run.Program
	// Start is when the run begins.
	Start time.Time
	// Span cuts the run off; zero lets it come to its end.
	Span      time.Duration
	Providers map[string]*Provider
	Agents    Agents
	// Calls is how many calls a job needs; nil means one.
	Calls func(Job) int
	// Fan is the time between the starts of as many agents as may work at once.
	Fan time.Duration
	// Events are what happens by itself, at instants counted from the start.
	Events []Event
	// Deaths are after how many facts and effects the owner of the run dies, each
	// counted from the last; Away is how long it takes until a new one comes.
	Deaths []int
	Away   []time.Duration
	// Until answers the program's command; nil says no.
	Until func(iteration int) bool
	// Held is the share of the permits that another process holds.
	Held float64
	// Missing are agents that are not installed.
	Missing []string
}

// Event is something that happens by itself.
type Event struct {
	At time.Duration
	// Happening is told to the owner, if there is one then.
	Happening run.Happening
	// Step moves the wall clock; Sleep suspends the machine.
	Step, Sleep time.Duration
}

// Sim is one run of a world.
type Sim struct {
	world     World
	providers map[string]*Provider
	state     *run.State
	now       time.Duration
	offset    time.Duration
	draw      *rand.Rand
	queue     events
	n         int
	processes map[run.AttemptID]*process
	done      map[Job]int
	rules     *Rules

	facts  []run.Fact
	keep   bool
	dead   bool
	life   int // facts and effects until the next death; zero means none
	deaths []int
	away   []time.Duration
	ended  bool
	exit   int
	// missed are the commands that nobody was there to obey.
	missed []run.Command
	// pending is what is still to be carried out of what was decided.
	pending  []run.Effect
	carrying bool

	Tally
}

// Tally sums up what a run has cost.
type Tally struct {
	// Useful are the calls of the jobs that were done, Lost those of others.
	Useful, Lost int
	// Done are the jobs that were done.
	Done int
	// Spawns are the processes that were started, Wasted those of them in which no
	// call was answered to its end, Failed those that ended without success.
	Spawns, Wasted, Failed int
	// Refused are the calls that were not answered.
	Refused int
	// Swaps and Aborted are the swaps of lanes and the turns that ended without
	// success.
	Swaps, Aborted int
	// LaneTime is how long lanes were open, in all.
	LaneTime time.Duration
	// Steps counts the decisions, Recorded the facts that they made.
	Steps, Recorded int
}

type event struct {
	at time.Duration
	n  int
	p  *process // of whom it is; nil if of nobody
	do func()
}

type events []event

func (q events) Len() int { return len(q) }
func (q events) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].n < q[j].n
}
func (q events) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *events) Push(x any)   { *q = append(*q, x.(event)) }
func (q *events) Pop() any {
	old := *q
	e := old[len(old)-1]
	old[len(old)-1] = event{}
	*q = old[:len(old)-1]
	return e
}

// New prepares a run of a world.
func New(w World) *Sim {
	s := &Sim{
		world: w, providers: map[string]*Provider{}, state: &run.State{}, draw: rand.New(rand.NewPCG(w.Seed, 1)),
		processes: map[run.AttemptID]*process{}, done: map[Job]int{}, deaths: w.Deaths, away: w.Away, keep: len(w.Deaths) > 0,
	}
	s.rules = NewRules(w.Start)
	for name, p := range w.Providers {
		s.providers[name] = p.Clone()
	}
	for _, e := range w.Events {
		s.at(e.At, nil, func() { s.happen(e) })
	}
	return s
}

// Keep makes the run remember its facts, for [Sim.Facts].
func (s *Sim) Keep() *Sim { s.keep = true; return s }

// Facts are those of the run, if they were kept.
func (s *Sim) Facts() []run.Fact { return s.facts }

// State is that of the run. It must not be changed.
func (s *Sim) State() *run.State { return s.state }

// Exit is the exit status of a run that has come to its end.
func (s *Sim) Exit() (status int, ended bool) { return s.exit, s.ended }

func (s *Sim) wall() time.Time { return s.wallAt(s.now) }

func (s *Sim) wallAt(at time.Duration) time.Time { return s.world.Start.Add(at + s.offset) }

func (s *Sim) at(at time.Duration, p *process, do func()) {
	s.n++
	heap.Push(&s.queue, event{at: at, n: s.n, p: p, do: do})
}

func (s *Sim) after(d time.Duration, p *process, do func()) { s.at(s.now+d, p, do) }

// drawn is a uniform length below another.
func (s *Sim) drawn(below time.Duration) time.Duration {
	return time.Duration(s.draw.Float64() * float64(below))
}

// did counts a call of a job, and reports whether it was the last.
func (s *Sim) did(j Job) bool {
	s.done[j]++
	return s.done[j] >= s.needs(j)
}

func (s *Sim) needs(j Job) int {
	if s.world.Calls == nil {
		return 1
	}
	return s.world.Calls(j)
}

// left sums up a process that has ended.
func (s *Sim) left(p *process) {
	if p.ended.Verdict.Class != run.ClassSuccess {
		s.Failed++
		if p.calls == 0 {
			s.Wasted++
		}
	}
}

// happen does what happens by itself.
func (s *Sim) happen(e Event) {
	switch {
	case e.Sleep > 0: // processes sleep too, providers do not
		for i := range s.queue {
			if s.queue[i].p != nil {
				s.queue[i].at += e.Sleep
			}
		}
		heap.Init(&s.queue)
		s.now += e.Sleep
		s.tell(run.Stepped{By: e.Sleep})
	case e.Step != 0:
		s.offset += e.Step
		s.tell(run.Stepped{By: e.Step})
	default:
		s.tell(e.Happening)
	}
}
