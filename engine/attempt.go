package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// attempt is one agent that runs.
type attempt struct {
	lane    run.LaneID
	id      run.AttemptID
	preset  agent.Preset
	argv    []string
	model   string
	worker  journal.Worker
	process Process
	cause   atomic.Pointer[string]
	excess  string // what made it a runaway; for the owner only
	// handed is how long the handoff is that it was given; zero if none.
	handed int
	// before is what earlier attempts used of the session that it resumes, if its
	// stream tells that once more.
	before run.Usage

	// The follower writes these, the owner reads them.
	heard atomic.Int64 // when the last byte came, in unix nanoseconds
	bytes atomic.Int64
	idle  atomic.Int64 // steps in a row without tokens
	blind atomic.Bool  // its output cannot be followed, so silence means nothing
}

// idleSteps is how many steps without tokens make a runaway (design.md §9).
const idleSteps = 50

// runaway reports whether an agent has been silent for too long, prints without
// end, or takes step after step without any tokens. It remembers which.
func (a *attempt) runaway(now time.Time, l run.Limits) bool {
	switch silent := now.UnixNano() - a.heard.Load(); {
	case l.StallTimeout > 0 && silent > int64(l.StallTimeout) && !a.blind.Load():
		a.excess = agent.CauseStall
	case l.MaxOutputBytes > 0 && a.bytes.Load() > l.MaxOutputBytes:
		a.excess = agent.CauseOutput
	case a.idle.Load() >= idleSteps:
		a.excess = agent.CauseRunaway
	default:
		return false
	}
	return true
}

// stepped takes a step of the clock out of the time that the agent was silent.
func (a *attempt) stepped(by time.Duration, now time.Time) {
	heard := a.heard.Load()
	moved := min(heard+int64(max(by, 0)), now.UnixNano())
	a.heard.CompareAndSwap(heard, moved) // else it was heard just now
}

// end asks the process to end, and remembers why for the verdict.
func (a *attempt) end(why run.Ending) {
	cause := agent.CauseStop
	switch why {
	case run.EndingDeadline:
		cause = agent.CauseDeadline
	case run.EndingStall:
		cause = a.excess
	}
	a.cause.Store(&cause)
	a.process.End()
}

// spawn starts the agent of an attempt, and watches it.
func (h *Host) spawn(e run.Spawn) {
	a, err := h.start(e)
	if unsaved, ok := errors.AsType[*storeError](err); ok {
		// The disk is at fault, not the agent: it is tried again each second.
		h.held = append(h.held, e)
		h.tell(unsaved, false)
		return
	}
	if err != nil {
		h.ports.Log.Error("spawn", "target", e.Target.String(), "error", err)
		h.step(run.Ended{Lane: e.Lane, Attempt: e.Attempt, Exit: run.Exit{Code: -1, Lost: true}, Verdict: run.Verdict{
			Class: run.ClassFailed, Message: h.kept(err.Error()),
			Evidence: []run.Evidence{{Rule: "spawn", Excerpt: h.kept(err.Error())}},
		}})
		return
	}
	h.agents[a.id] = a
	delete(h.workers, a.id)
	if a.handed > 0 {
		h.step(run.HandedOver{Lane: e.Lane, Attempt: e.Attempt, Bytes: a.handed})
	}
	h.step(run.Spawned{
		Lane: e.Lane, Attempt: e.Attempt, Worker: a.worker.Name, PID: a.process.PID(),
		PIDStart: a.process.StartTime(), Command: a.argv,
	})
	h.guard("an agent's watch", func() { h.watch(a) })
}

func (h *Host) start(e run.Spawn) (*attempt, error) {
	l := h.state.Lane(e.Lane)
	task := h.state.Program.Tasks[l.Job.Task]
	config := h.state.Program.Agents[e.Target.Agent]
	preset, ok := agent.Lookup(config.Preset)
	if !ok {
		return nil, fmt.Errorf("there is no preset %q", config.Preset)
	}
	if len(config.Command) > 0 {
		preset.Executable = config.Command[0]
	}
	w, err := h.worker(h.state.Label(l), e.Attempt)
	if err != nil {
		return nil, &storeError{err}
	}
	prompt, handed, err := h.prompt(e, task, w)
	if err != nil {
		return nil, &storeError{err}
	}
	c := preset.Command(agent.Start{
		Session: e.Resume, Model: e.Target.Model, Prompt: prompt, Args: config.Args, Probe: e.Probe, Dir: task.Dir,
	})
	argv := c.Argv
	if len(config.Command) > 0 {
		argv = append(append([]string(nil), config.Command...), c.Argv[1:]...)
	}
	a := &attempt{lane: e.Lane, id: e.Attempt, preset: preset, model: e.Target.Model, worker: w, handed: handed}
	if preset.Cumulative {
		a.before = usedBefore(l, e.Resume)
	}
	for _, arg := range argv {
		a.argv = append(a.argv, h.ports.Redact(arg))
	}
	a.heard.Store(h.ports.Clock.Now().UnixNano())
	env := append(append([]string(nil), h.ports.Environ...), c.Env...)
	a.process, err = h.ports.Start(proc.Spec{
		Argv: argv, Dir: c.Dir, Env: env, Stdin: c.Stdin, Stdout: w.Stdout, Stderr: w.Stderr,
		Grace: h.state.Program.Limits.KillGrace.D(),
	})
	if errors.Is(err, proc.ErrNotFound) {
		return nil, fmt.Errorf("start %s: there is no command %q; install it or set agents.%s.command", e.Target, argv[0], e.Target.Agent)
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", e.Target, err)
	}
	return a, nil
}

// usedBefore is what the attempts of a lane used of a session.
func usedBefore(l *run.Lane, session string) run.Usage {
	var u run.Usage
	for _, a := range l.Attempts {
		if session != "" && a.Session == session && !a.EndedAt.IsZero() {
			u = u.Add(a.Usage)
		}
	}
	return u
}

// prompt is what the agent is told, and is kept beside its output. A resumed
// session is told to go on instead; the preset sees to that.
func (h *Host) prompt(e run.Spawn, task run.Task, w journal.Worker) (prompt string, handed int, err error) {
	prompt = task.Prompt
	if e.Handoff != 0 {
		note := h.handoff(e)
		if err := w.WriteFile("handoff.md", []byte(note)); err != nil {
			return "", 0, err
		}
		prompt, handed = prompt+"\n\n"+note, len(note)
	}
	if err := w.WriteFile("prompt.md", []byte(h.ports.Redact(prompt))); err != nil {
		return "", 0, err
	}
	return prompt, handed, nil
}

// handoff tells an agent that takes over that another has worked before it.
func (h *Host) handoff(e run.Spawn) string {
	l := h.state.Lane(e.Lane)
	before := l.AttemptOf(e.Handoff)
	var b strings.Builder
	b.WriteString("Another agent has worked on this task in the same directory and could not finish it.\n")
	b.WriteString("Look at what is there before you change anything, and go on from it.\n")
	if before != nil {
		fmt.Fprintf(&b, "It was %s, from %s to %s.\n", before.Target,
			before.StartedAt.Format(time.RFC3339), before.EndedAt.Format(time.RFC3339))
	}
	return b.String()
}

// watch follows an agent's output until it ends, and judges the end.
func (h *Host) watch(a *attempt) {
	follow, stop := context.WithCancel(h.ctx)
	defer stop()
	followed := make(chan struct{})
	h.group.Go(func() {
		defer close(followed)
		defer h.rescue("a follower")
		if err := h.ports.Follower.Follow(follow, a.worker.Stdout, newTracker(h, a)); err != nil && h.ctx.Err() == nil {
			h.ports.Log.Error("follow", "file", a.worker.Stdout, "error", err)
			a.blind.Store(true)
		}
	})
	select {
	case <-a.process.Done():
	case <-h.ctx.Done():
		<-followed
		return
	}
	exit := run.Exit(a.process.Wait())
	stop()
	<-followed
	h.send(run.Ended{Lane: a.lane, Attempt: a.id, Exit: exit, Verdict: h.judge(a, exit)})
}

// judge reads the whole stream of an agent that has ended.
func (h *Host) judge(a *attempt, exit run.Exit) run.Verdict {
	end := agent.End{Exit: exit, Stderr: h.lastWords(a.worker.Stderr)}
	if c := a.cause.Load(); c != nil {
		end.Cause = *c
	}
	v := agent.Judge(h.ctx, func() (io.ReadCloser, error) { return h.ports.Open(a.worker.Stdout) },
		a.preset.Dialect, h.reference(a), end, nil)
	v.Usage = v.Usage.Less(a.before)
	v.Message = h.kept(string(v.Message))
	for i := range v.Evidence {
		v.Evidence[i].Excerpt = h.kept(string(v.Evidence[i].Excerpt))
	}
	return v
}

// kept is foreign text as facts keep it: without secrets, and valid, so that it
// reads back as it was written.
func (h *Host) kept(text string) run.Untrusted {
	return run.Untrusted(strings.ToValidUTF8(h.ports.Redact(text), "\uFFFD"))
}

func (h *Host) reference(a *attempt) agent.Reference {
	return agent.Reference{Now: h.ports.Clock.Now(), Zone: h.ports.Zone, File: a.worker.Name + "/stdout.jsonl", Model: a.model}
}

// stderrTail bounds what is read of an agent's stderr.
const stderrTail = 16 << 10

// lastWords is the end of an agent's stderr; empty if it cannot be read.
func (h *Host) lastWords(path string) []byte {
	f, err := h.ports.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if s, ok := f.(io.Seeker); ok {
		if _, err := s.Seek(-stderrTail, io.SeekEnd); err != nil {
			_, _ = s.Seek(0, io.SeekStart)
		}
	}
	b, _ := io.ReadAll(io.LimitReader(f, stderrTail))
	return b
}

// workerHex names a worker within the run, the same for the same seed.
func workerHex(seed uint64, n run.AttemptID) string {
	f := fnv.New64a()
	_, _ = fmt.Fprintf(f, "%d/%d", seed, n)
	return fmt.Sprintf("%012x", f.Sum64()&(1<<48-1))
}
