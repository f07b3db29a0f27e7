package engine

import (
	"encoding/json"
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
	if stray, ok := errors.AsType[*strayError](err); ok {
		h.wait(e, stray)
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
		h.step(run.HandedOver{Lane: e.Lane, Attempt: e.Attempt, Bytes: a.handed, Summary: a.summed})
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
	if err := h.findStrays(); err != nil {
		return nil, &storeError{err}
	}
	s, err := h.claim(e, l.Job)
	if err != nil {
		return nil, err
	}
	if s != nil {
		a.worker = s.worker
		h.takeOver(a, s.process, s.works())
		return a, nil
	}
	if err := h.beside(l.Job, e.Target); err != nil {
		return nil, err
	}
	a.worker, err = h.worker(h.state.Label(l), e.Attempt)
	if err != nil {
		return nil, &storeError{err}
	}
	made := h.handoff(e, a.preset, task.Prompt)
	if e.Ask && made.left > 0 {
		return nil, &cutError{made.left}
	}
	start := agent.Start{
		Session: session, Model: e.Target.Model, Prompt: task.Prompt, Handoff: made.note,
		Args: config.Args, Probe: e.Probe, Dir: task.Dir, MaxCostUSD: e.MaxCostUSD,
	}
	if e.Summarise {
		start.Prompt, start.Handoff = made.older.Request(task.Prompt), ""
	}
	a.handed, a.summed = len(start.Handoff), made.summary
	c := a.preset.Command(start)
	argv := c.Argv
	if len(config.Command) > 0 {
		argv = append(append([]string(nil), config.Command...), c.Argv[1:]...)
	}
	for _, arg := range argv {
		a.argv = append(a.argv, h.ports.Redact(arg))
	}
	if err := h.keep(a, e, l.Job, start.Handoff, c.Stdin); err != nil {
		return nil, &storeError{err}
	}
	o := h.orders(a.worker, e.Deadline)
	o.Argv, o.Dir, o.Stdin = argv, c.Dir, c.Stdin
	o.Stdout, o.Stderr = a.worker.Stdout, a.worker.Stderr
	o.Env = slices.Concat(h.ports.Environ, h.ports.Ledger.Environ(l.AttemptOf(e.Attempt).Permits), c.Env)
	a.process, err = h.ports.Start(o)
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

// keep keeps beside an agent's output what it is started for and what it is told,
// without secrets, and the part of that which tells what others have done.
func (h *Host) keep(a *attempt, e run.Spawn, job run.Job, note string, told []byte) error {
	w := a.worker
	text, err := json.Marshal(errand{
		Attempt: e.Attempt, Task: job.Task, Iteration: job.Iteration, Target: e.Target, Summary: e.Summarise,
		Resume: a.resumed, Handed: a.handed, Command: a.argv,
	})
	if err != nil {
		return err
	}
	if err := w.WriteFile(errandFile, append(text, '\n')); err != nil {
		return err
	}
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
	a := &attempt{lane: l.ID, id: id, family: h.state.Program.FamilyOf(t), preset: preset, model: t.Model, resumed: resumed, rules: config.Rules}
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

// workerHex names a worker within the run, the same for the same seed. Other is how
// many numbers of that attempt are not to be had.
func workerHex(seed uint64, n run.AttemptID, other int) string {
	f := fnv.New64a()
	_, _ = fmt.Fprintf(f, "%d/%d", seed, n)
	if other > 0 {
		_, _ = fmt.Fprintf(f, "/%d", other)
	}
	return fmt.Sprintf("%012x", f.Sum64()&(1<<48-1))
}
