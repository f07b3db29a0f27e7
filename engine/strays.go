package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// errandFile is where a worker keeps what its agent was started for.
const errandFile = "attempt.json"

// errand is what an agent was started for, as its own directory tells it: the facts about
// it may be cut off.
type errand struct {
	Attempt   run.AttemptID `json:"attempt"`
	Task      int           `json:"task"`
	Iteration int           `json:"iteration"`
	Target    run.Target    `json:"target"`
	Summary   bool          `json:"summary,omitempty"`
	// Resume is the session that it was started with, Handed how long its handoff is, and
	// Command what was run; the last holds no secrets.
	Resume  string   `json:"resume_id,omitempty"`
	Handed  int      `json:"handed_bytes,omitempty"`
	Command []string `json:"command,omitempty"`
}

// errandOf reads what an agent was started for; the zero value if that is not told.
func errandOf(w journal.Worker) errand {
	var e errand
	text, err := w.ReadFile(errandFile)
	if err != nil || json.Unmarshal(text, &e) != nil || e.Attempt <= 0 {
		return errand{}
	}
	return e
}

// stray is an agent that an earlier owner started and no fact tells of: the last facts
// were cut off.
type stray struct {
	errand
	worker  journal.Worker
	process Process
	live    bool // when it was found
	asked   bool // a lane was to be sent to its target
}

// works reports whether the agent is still at work.
func (s *stray) works() bool {
	select {
	case <-s.process.Done():
		return false
	default:
		return s.live
	}
}

// strays are the agents that no fact tells of. The zero value is that of a run that
// nobody owned before.
type strays struct {
	listed, told bool
	unasked      []journal.Worker
	all          []*stray // of those that nobody has taken up, the earliest attempt first
	// used are the numbers, as their names end, of workers that hold what some agent left.
	used map[string]bool
}

// findStrays finds the agents that no fact tells of. While it fails nothing may be
// started.
func (h *Host) findStrays() error {
	s := &h.strays
	if h.launch.State == nil {
		return nil
	}
	if !s.listed {
		workers, err := h.ports.Store.Workers()
		if err != nil {
			return err
		}
		s.used, s.listed = h.recorded(), true
		s.unasked = slices.DeleteFunc(workers, func(w journal.Worker) bool { return s.used[numberOf(w.Name)] })
	}
	for len(s.unasked) > 0 {
		w := s.unasked[0]
		p, live, err := h.find(w)
		if err != nil && !errors.Is(err, proc.ErrNoTrace) {
			return err
		}
		if s.unasked = s.unasked[1:]; err == nil {
			s.used[numberOf(w.Name)] = true
			s.all = append(s.all, &stray{errand: errandOf(w), worker: w, process: p, live: live})
		}
	}
	slices.SortStableFunc(s.all, func(a, b *stray) int { return cmp.Compare(a.Attempt, b.Attempt) })
	return nil
}

// recorded are the numbers of the workers that facts tell of.
func (h *Host) recorded() map[string]bool {
	numbers := map[string]bool{}
	for _, l := range h.state.Lanes {
		for _, a := range l.Attempts {
			numbers[numberOf(a.Worker)] = true
		}
	}
	for i := range h.state.UntilAsked {
		numbers[workerHex(h.launch.Seed, run.AttemptID(-i-1), 0)] = true
	}
	return numbers
}

// numberOf is how the name of a worker ends, see [workerHex].
func numberOf(name string) string { return name[max(0, len(name)-12):] }

// claim takes the agent that has been started before for what is to be started now;
// nil if there is none. The earliest comes first, so that what was decided before the
// facts were cut off is gone through once more. If that one was started on another
// target, and no window is open there, claim fails once, so that the lane may be sent there.
func (h *Host) claim(e run.Spawn, job run.Job) (*stray, error) {
	for i, s := range h.strays.all {
		if s.Attempt == 0 || s.Task != job.Task || s.Iteration != job.Iteration {
			continue
		}
		switch {
		case s.Target == e.Target && s.Summary == e.Summarise:
			h.strays.all = slices.Delete(h.strays.all, i, i+1)
			return s, nil
		case s.Target == e.Target && e.Ask: // a summary; it is to be decided about first, as it was
			return nil, nil
		case s.Target != e.Target && !s.Summary && !e.Summarise && !s.asked && len(h.state.WindowsOn(s.Target)) == 0:
			s.asked = true
			return nil, &strayError{target: e.Target, worker: s.worker.Name, elsewhere: s.Target}
		}
	}
	return nil, nil
}

// beside fails if an agent that no fact tells of must end before another is started for
// a job: one of the same task, or one too many.
func (h *Host) beside(job run.Job, target run.Target) error {
	places := h.state.Program.Parallel - len(h.agents)
	for _, s := range h.strays.all {
		if !s.works() {
			continue
		}
		if places--; places <= 0 || s.Attempt == 0 || s.Task == job.Task {
			return &strayError{target: target, worker: s.worker.Name}
		}
	}
	return nil
}

// strayError says that an agent is not started because of one that no fact tells of: it
// is still at work, or it has worked elsewhere on the same.
type strayError struct {
	target    run.Target
	worker    string
	elsewhere run.Target // zero if it does not matter where
}

func (e *strayError) Error() string {
	does := "is still at work"
	if !e.elsewhere.IsZero() {
		does = "was started on " + e.elsewhere.String()
	}
	return fmt.Sprintf("start %s: %s %s, and no fact tells of it", e.target, e.worker, does)
}

// wait holds an agent back because of one that no fact tells of, and asks for its lane to
// be sent to where that was started, as the operator might. If the lane cannot go there
// it stays.
func (h *Host) wait(e run.Spawn, why *strayError) {
	h.hold(e.Lane, e.Attempt, &startError{why}, func() { h.spawn(e) })
	if !why.elsewhere.IsZero() {
		h.step(run.Command{Verb: run.VerbSwap, Lane: e.Lane, From: "resume"})
	}
}

// worker makes the directory of an agent that is to be started. What some other agent
// has left is never written over, and no two have one number: an attempt whose number
// was used before, by one that no fact tells of, has another.
func (h *Host) worker(label string, id run.AttemptID) (journal.Worker, error) {
	n := 0
	for h.strays.used[workerHex(h.launch.Seed, id, n)] {
		n++
	}
	return h.ports.Store.Worker(label, workerHex(h.launch.Seed, id, n))
}

// toldAtOnce is how many agents one notice tells of.
const toldAtOnce = 20

// tellStrays tells of the agents that no fact tells of and that were not taken up at
// once.
func (h *Host) tellStrays() {
	if h.strays.told || h.findStrays() != nil {
		return
	}
	h.strays.told = true
	var words []string
	for _, s := range h.strays.all {
		if does := h.tells(s); does != "" {
			words = append(words, s.worker.Name+" ("+does+")")
		}
	}
	for some := range slices.Chunk(words, toldAtOnce) {
		h.step(run.Noted{Message: "no fact tells of " + strings.Join(some, ", ") +
			"; what is not taken up when its task comes to its target is not counted"})
	}
}

// tells says what is known of an agent; empty if there is nothing to be told.
func (h *Host) tells(s *stray) string {
	does := "ended"
	if s.works() {
		does = "at work"
	}
	switch {
	case s.Attempt > 0:
		return fmt.Sprintf("attempt %d on %s, %s", s.Attempt, s.Target, does)
	case s.works() || h.sizeOf(s.worker.Stdout) > 0:
		return does
	}
	return "" // an until command, or what printed nothing
}

// endStrays ends the agents that nobody has taken up when the run is over, and waits
// for that.
func (h *Host) endStrays() {
	for _, s := range h.strays.all {
		if does := h.tells(s); does != "" {
			h.ports.Log.Warn("no fact tells of an agent", "worker", s.worker.Name, "which", does)
		}
		if s.works() {
			s.process.End()
		}
	}
	for _, s := range h.strays.all {
		if s.live {
			<-s.process.Done()
		}
	}
}
