package sim

import (
	"container/heap"
	"fmt"
	"strconv"
	"time"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
)

// Run simulates the run to its end, or until its span is over, and reports what the
// rules found broken.
func (s *Sim) Run() error {
	s.born()
	s.begin()
	for !s.ended {
		if s.dead {
			s.reborn()
			continue
		}
		if s.rules.Err() != nil || !s.step() {
			break
		}
	}
	s.close()
	return s.rules.Err()
}

// begin asks for the first decision.
func (s *Sim) begin() {
	s.decide(run.Begin{
		RunID: "sim", Program: s.world.Program, Seed: s.world.Seed, Epoch: s.world.Start, Speed: 1, Missing: s.world.Missing,
	})
}

// step goes on to what comes next; it reports false once the span is over.
func (s *Sim) step() bool {
	due := s.due()
	if len(s.queue) > 0 && (due < 0 || s.queue[0].at <= due) {
		if s.cut(s.queue[0].at) {
			return false
		}
		e := heap.Pop(&s.queue).(event)
		s.now = max(s.now, e.at)
		e.do()
		return true
	}
	if due < 0 {
		s.rules.broken("nothing is due", "the run is stuck")
		return false
	}
	if s.cut(due) {
		return false
	}
	s.now = max(s.now, due)
	before := s.state.Seq
	s.decide(run.Tick{})
	if again := s.due(); s.state.Seq == before && again >= 0 && again <= s.now && !s.ended && !s.dead {
		s.rules.broken("nothing is decided of what is due", "at %s", s.wallAt(again))
		return false
	}
	return true
}

func (s *Sim) cut(next time.Duration) bool { return s.world.Span > 0 && next > s.world.Span }

// due is when something is due by itself; negative if nothing is.
func (s *Sim) due() time.Duration {
	at := s.state.NextDue(s.wall())
	if at.IsZero() {
		return -1
	}
	return at.Sub(s.world.Start) - s.offset
}

// tell tells the owner of a run, if there is one. A command lies there until one comes.
func (s *Sim) tell(h run.Happening) {
	switch c, command := h.(run.Command); {
	case s.ended:
	case s.dead && command:
		s.missed = append(s.missed, c)
	case s.dead:
	default:
		s.decide(h)
	}
}

// decide lets the real decider decide, holds the rules, and does what is asked for.
func (s *Sim) decide(h run.Happening) {
	s.Steps++
	s.rules.Begin(h)
	facts, effects := plan.Decide(s.state, h, s.wall())
	if s.life > 0 && s.life <= len(facts) {
		// The owner dies while it saves them: whoever reads the file next cuts half a
		// decision.
		s.dead = true
		if facts = facts[:s.life]; facts[len(facts)-1].More {
			facts = nil
		}
	}
	s.life = max(s.life-len(facts), 0)
	for _, f := range facts {
		s.record(f)
	}
	if s.dead {
		return
	}
	s.rules.Decided(s.state)
	for _, e := range effects {
		if ask, ok := e.(run.AskPermit); !ok || !ask.In(s.pending) {
			s.pending = append(s.pending, e)
		}
	}
	if s.carrying {
		return // after the rest, as the shell does
	}
	s.carrying = true
	for len(s.pending) > 0 && s.rules.Err() == nil && !s.dies() {
		e := s.pending[0]
		s.pending = s.pending[1:]
		s.carryOut(e)
	}
	s.carrying, s.pending = false, nil
	if !s.dead && !s.ended {
		s.rules.Settled(s.state, s.wall())
	}
}

// record saves a fact.
func (s *Sim) record(f run.Fact) {
	s.Recorded++
	s.rules.Fact(f)
	if s.keep {
		s.facts = append(s.facts, f)
	}
	switch b := f.Body.(type) {
	case run.LaneEnded:
		l := s.rules.state.Lane(f.Lane)
		s.LaneTime += l.EndedAt.Sub(l.StartedAt)
		job := jobOf(l.Job)
		switch b.State {
		case run.LaneDone:
			s.Useful += s.needs(job)
			s.Done++
		case run.LaneFailed, run.LaneStopped:
			s.Lost += s.done[job]
			s.Aborted++
		case run.LaneBlocked:
			s.Aborted++
		}
	case run.ProviderFallback:
		s.Swaps++
	}
}

// dies counts an effect down to the death of the owner.
func (s *Sim) dies() bool {
	if s.life > 0 {
		if s.life--; s.life == 0 {
			s.dead = true
		}
	}
	return s.dead
}

// born gives an owner its span of life.
func (s *Sim) born() {
	s.life = 0
	if len(s.deaths) > 0 {
		s.life, s.deaths = s.deaths[0], s.deaths[1:]
	}
}

// reborn lets a new owner come, who reads the saved facts. Meanwhile the agents go on.
func (s *Sim) reborn() {
	back := s.now
	if len(s.away) > 0 {
		back, s.away = s.now+s.away[0], s.away[1:]
	}
	for len(s.queue) > 0 && s.queue[0].at <= back {
		e := heap.Pop(&s.queue).(event)
		s.now = max(s.now, e.at)
		e.do()
	}
	s.now = max(s.now, back)
	s.dead = false
	s.born()
	s.state = &run.State{}
	for _, f := range s.facts {
		if err := s.state.Apply(f); err != nil {
			s.rules.doesNotFit(err)
			return
		}
	}
	if s.state.Phase == 0 { // it died before its first fact: it is begun anew
		s.begin()
		return
	}
	s.rules.Replayed(s.state)
	s.rules.Back(s.wall())
	if s.state.Phase == run.PhaseEnded { // only its end was not carried out
		s.exit, s.ended = s.state.Exit, true
		return
	}
	s.decide(run.Resume{Missing: s.world.Missing})
	missed := s.missed
	s.missed = nil
	for _, c := range missed {
		s.tell(c)
	}
}

// carryOut does what the core asks for.
func (s *Sim) carryOut(e run.Effect) {
	switch e := e.(type) {
	case run.Spawn:
		s.spawn(e)
	case run.Adopt:
		s.adopt(s.processes[e.Attempt])
	case run.End:
		if p := s.processes[e.Attempt]; p != nil {
			p.kill()
		}
	case run.AskPermit:
		held := s.world.Held > 0 && s.draw.Float64() < s.world.Held
		s.decide(run.PermitAnswered{Lane: e.Lane, Target: e.Target, Keys: e.Keys, Granted: !held, Why: e.Why, Holder: "another"})
	case run.CheckUntil:
		s.decide(run.UntilAnswered{Iteration: e.Iteration, Done: s.world.Until != nil && s.world.Until(e.Iteration)})
	case run.Finish:
		s.exit, s.ended = e.Exit, true
	}
}

// spawn starts an agent, or takes up one that an earlier owner started.
func (s *Sim) spawn(e run.Spawn) {
	if p := s.processes[e.Attempt]; p != nil {
		s.adopt(p)
		return
	}
	if e.Ask && s.draw.Float64() < s.world.Agents.Long {
		s.decide(run.HandoffCut{Lane: e.Lane, Attempt: e.Attempt, Bytes: 100_000})
		return
	}
	s.Spawns++
	l := s.state.Lane(e.Lane)
	p := &process{
		s: s, spawn: e, job: jobOf(l.Job), served: -1,
		provider: s.providers[s.world.Program.FamilyOf(e.Target)],
		mute:     s.world.Agents.Mute > 0 && s.draw.Float64() < s.world.Agents.Mute,
	}
	if e.Resume == "" && len(e.Work) == 0 {
		s.Lost += s.done[p.job]
		delete(s.done, p.job) // it knows nothing of what was done before
	}
	s.processes[e.Attempt] = p
	delay := s.world.Agents.Start
	if e.Attempt <= run.AttemptID(s.world.Program.Parallel) {
		delay += time.Duration(e.Attempt-1) * s.world.Fan
	}
	p.later(delay, p.call)
	if len(e.Work) > 0 && !e.Summarise {
		s.decide(run.HandedOver{Lane: e.Lane, Attempt: e.Attempt, Bytes: 100 * len(e.Work)})
	}
	s.decide(run.Spawned{Lane: e.Lane, Attempt: e.Attempt, PID: int(e.Attempt), Worker: "worker-" + strconv.Itoa(int(e.Attempt))})
}

// adopt tells a new owner what has become of an agent.
func (s *Sim) adopt(p *process) {
	id := p.spawn
	if !p.gone {
		s.decide(run.Adopted{Lane: id.Lane, Attempt: id.Attempt})
	}
	if p.told {
		s.tell(run.Served{Lane: id.Lane, Attempt: id.Attempt, Sign: "text"})
	}
	if p.gone {
		h := p.ended
		h.At = s.wallAt(p.endedAt)
		s.tell(h)
	}
}

// spend tells the owner of budgets that are spent once what a process has used is
// added to what was accounted.
func (s *Sim) spend(p *process) {
	if s.dead || s.ended {
		return
	}
	l := s.state.Lane(p.spawn.Lane)
	if own := l.Used().Add(p.used()); l.Spent == nil && s.world.Program.Tasks[p.job.Task].Spent(own) {
		s.tell(run.Overspent{Lane: l.ID, Used: own})
	}
	if all := s.state.Usage.Add(p.used()); s.state.Spent == nil && s.world.Program.Limits.Spent(all) {
		s.tell(run.Overspent{Used: all})
	}
}

// close holds what must be so at the end.
func (s *Sim) close() {
	if s.rules.Err() == nil {
		s.rules.Replayed(s.state)
	}
	if s.ended && s.rules.Err() == nil {
		s.rules.Ended(s.exit)
	}
	for _, id := range s.state.Open {
		s.LaneTime += s.wall().Sub(s.state.Lane(id).StartedAt)
	}
}

// Told says where a run stands, for the report of a broken rule.
func (s *Sim) Told() string {
	return fmt.Sprintf("seed %d, at %s, after %d decisions and %d facts", s.world.Seed, s.now, s.Steps, s.Recorded)
}

// Made adds up how often each fact was made, by its name.
func (s *Sim) Made(counts map[string]int) {
	for name, n := range s.rules.counts {
		counts[name] += n
	}
}
