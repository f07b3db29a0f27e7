package engine

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// spawn starts the agent of an attempt, and watches it.
func (h *Host) spawn(e run.Spawn) {
	a, err := h.start(e)
	if unsaved, ok := errors.AsType[*storeError](err); ok {
		h.hold(e.Lane, e.Attempt, unsaved, func() { h.spawn(e) })
		return
	}
	if err != nil && h.passing(e.Attempt, err) {
		h.hold(e.Lane, e.Attempt, &startError{err}, func() { h.spawn(e) })
		return
	}
	if _, was := h.heldSince[e.Attempt]; was {
		delete(h.heldSince, e.Attempt)
		h.tell(nil, false)
	}
	if cut, ok := errors.AsType[*cutError](err); ok {
		h.busy--
		h.step(run.HandoffCut{Lane: e.Lane, Attempt: e.Attempt, Bytes: cut.left})
		return
	}
	if err != nil {
		h.ports.Log.Error("spawn", "target", e.Target.String(), "error", err)
		h.lost(e.Lane, e.Attempt, run.ClassFailed, "spawn", err.Error())
		return
	}
	h.has(a)
	if a.handed > 0 {
		h.step(run.HandedOver{Lane: e.Lane, Attempt: e.Attempt, Bytes: a.handed})
	}
	h.step(run.Spawned{
		Lane: e.Lane, Attempt: e.Attempt, Worker: a.worker.Name, PID: a.process.PID(),
		PIDStart: a.process.StartTime(), Command: a.argv,
	})
	h.follow(a)
}

// start starts the agent of an attempt, or takes up what an earlier owner started and
// had no time to record.
func (h *Host) start(e run.Spawn) (*attempt, error) {
	l := h.state.Lane(e.Lane)
	task := h.state.Program.Tasks[l.Job.Task]
	session := e.Resume
	if e.Summarise {
		session = ""
	}
	a, config, err := h.attempt(l, e.Attempt, e.Target, session)
	if err != nil {
		return nil, err
	}
	a.worker, err = h.ports.Store.Worker(h.state.Label(l), workerHex(h.launch.Seed, e.Attempt))
	if err != nil {
		return nil, &storeError{err}
	}
	taken, err := h.taken(e, a)
	if err != nil {
		return nil, err
	}
	made := h.handoff(e, a.preset, task.Prompt)
	if e.Ask && made.left > 0 && !taken {
		return nil, &cutError{made.left}
	}
	start := agent.Start{
		Session: session, Model: e.Target.Model, Prompt: task.Prompt, Handoff: made.note,
		Args: config.Args, Probe: e.Probe, Dir: task.Dir, MaxCostUSD: e.MaxCostUSD,
	}
	if e.Summarise {
		start.Prompt, start.Handoff = made.older.Request(task.Prompt), ""
	}
	a.handed = len(start.Handoff)
	c := a.preset.Command(start)
	if err := h.keep(a.worker, start.Handoff, c.Stdin); err != nil {
		return nil, &storeError{err}
	}
	argv := c.Argv
	if len(config.Command) > 0 {
		argv = append(append([]string(nil), config.Command...), c.Argv[1:]...)
	}
	for _, arg := range argv {
		a.argv = append(a.argv, h.ports.Redact(arg))
	}
	s := h.orders(a.worker, e.Deadline)
	s.Argv, s.Dir, s.Stdin = argv, c.Dir, c.Stdin
	s.Stdout, s.Stderr = a.worker.Stdout, a.worker.Stderr
	s.Env = slices.Concat(h.ports.Environ, h.ports.Ledger.Environ(l.AttemptOf(e.Attempt).Permits), c.Env)
	if taken {
		return a, nil
	}
	a.process, err = h.ports.Start(s)
	if errors.Is(err, proc.ErrNotFound) {
		return nil, &missingError{target: e.Target, command: argv[0]}
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", e.Target, err)
	}
	return a, nil
}

// cutError says that a handoff leaves something out, and that this is to be decided about.
type cutError struct{ left int }

func (e *cutError) Error() string { return fmt.Sprintf("%d bytes of the work are left out", e.left) }

// taken takes up the agent of an attempt if an earlier owner has started it.
func (h *Host) taken(e run.Spawn, a *attempt) (bool, error) {
	if e.Attempt > h.before {
		return false, nil
	}
	err := h.takeUp(a)
	if err != nil && !errors.Is(err, proc.ErrNoTrace) {
		return false, &storeError{err} // it must not be started twice
	}
	return err == nil, nil
}

// keep keeps beside an agent's output what it was told, without secrets, and the
// part of it that tells what others have done.
func (h *Host) keep(w journal.Worker, note string, told []byte) error {
	if note != "" {
		if err := w.WriteFile("handoff.md", []byte(note)); err != nil {
			return err
		}
	}
	return w.WriteFile("prompt.md", []byte(h.ports.Redact(string(told))))
}

// missingError says that an agent's command is not there.
type missingError struct {
	target  run.Target
	command string
}

func (e *missingError) Error() string {
	return fmt.Sprintf("start %s: there is no command %q; install it or set agents.%s.command", e.target, e.command, e.target.Agent)
}

// Is makes the error match [proc.ErrNotFound].
func (e *missingError) Is(target error) bool { return target == proc.ErrNotFound }

// attempt makes what is known of an agent before its process.
func (h *Host) attempt(l *run.Lane, id run.AttemptID, t run.Target, resumed string) (*attempt, run.Agent, error) {
	config := h.state.Program.Agents[t.Agent]
	preset, ok := agent.Lookup(config.Preset)
	if !ok {
		return nil, config, fmt.Errorf("there is no preset %q", config.Preset)
	}
	if len(config.Command) > 0 {
		preset.Executable = config.Command[0]
	}
	a := &attempt{lane: l.ID, id: id, preset: preset, model: t.Model, rules: config.Rules}
	if preset.Cumulative {
		a.before = h.usedBefore(l, resumed)
	}
	a.heard.Store(h.ports.Clock.Now().UnixNano())
	return a, config, nil
}

// guardSlack is how much longer a guard waits than we do: the owner of a run acts
// first, and says why.
const guardSlack = 5 * time.Second

// orders is what a guard must keep, whatever it starts. It knows no clock but the
// machine's.
func (h *Host) orders(w journal.Worker, deadline time.Time) proc.GuardSpec {
	p := h.state.Program
	s := proc.GuardSpec{Lock: w.Lock, Exit: w.Exit, OnDeath: proc.OnDeath(p.OnDeath), MaxOutput: p.Limits.MaxOutputBytes}
	s.Grace = p.Limits.KillGrace.D()
	if h.real() && !deadline.IsZero() {
		s.Deadline = deadline.Add(guardSlack)
	}
	if h.real() && p.Limits.StallTimeout > 0 {
		s.Stall = p.Limits.StallTimeout.D() + guardSlack
	}
	return s
}

// usedBefore is what the attempts of a lane, and of the lanes before it that worked on
// the same job, used of a session.
func (h *Host) usedBefore(l *run.Lane, session string) run.Usage {
	var u run.Usage
	for _, before := range h.state.Lanes[:l.ID] {
		if session == "" || before.Job.Task != l.Job.Task || before.Job.Iteration != l.Job.Iteration {
			continue
		}
		for _, a := range before.Attempts {
			if a.Session == session && !a.EndedAt.IsZero() {
				u = u.Add(a.Usage)
			}
		}
	}
	return u
}

// workerHex names a worker within the run, the same for the same seed.
func workerHex(seed uint64, n run.AttemptID) string {
	f := fnv.New64a()
	_, _ = fmt.Fprintf(f, "%d/%d", seed, n)
	return fmt.Sprintf("%012x", f.Sum64()&(1<<48-1))
}
