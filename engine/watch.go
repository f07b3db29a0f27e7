package engine

import (
	"context"
	"io"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/handoff"
	"example.com/layover/engine/run"
)

// has takes an agent that runs, or has run, into the host's care.
func (h *Host) has(a *attempt) {
	a.reading, a.hurry = context.WithCancel(h.ctx)
	l, r := h.state.LaneOfAttempt(a.lane, a.id)
	a.served, a.began = !r.ServedAt.IsZero(), r.StartedAt
	if a.preset.Cumulative {
		a.before = h.usedBefore(l, a.resumed)
	}
	h.agents[a.id] = a
	delete(h.heldSince, a.id)
}

// watch follows an agent's output until it ends, and judges the end.
func (h *Host) watch(a *attempt) {
	defer a.hurry()
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
	e := run.Ended{Lane: a.lane, Attempt: a.id, Exit: exit, Verdict: h.judge(a, exit)}
	if at := h.endedAt(a); at.Before(a.since) {
		e.At = at
	}
	h.send(e)
}

// hurry lets the owner of a stopped agent wait no longer for what it has printed.
func (h *Host) hurry(a *attempt) {
	select {
	case <-a.process.Done():
	case <-h.ctx.Done():
		return
	}
	select {
	case <-time.After(hurryAfter):
	case <-h.ctx.Done():
		return
	}
	a.hurry()
}

// endedAt is when an agent has ended, by the run's clock.
func (h *Host) endedAt(a *attempt) time.Time {
	if at := a.process.EndedAt(); h.real() && !at.IsZero() {
		return at.UTC().Round(0)
	}
	return h.ports.Clock.Now()
}

// real reports whether the run goes by the machine's own time.
func (h *Host) real() bool { return h.launch.Speed == 1 }

// judge reads the whole stream of an agent that has ended.
func (h *Host) judge(a *attempt, exit run.Exit) run.Verdict {
	end := agent.End{Exit: exit, Stderr: h.lastWords(a.worker.Stderr)}
	end.Cause = a.process.Cause() // the words are the same
	if c := a.cause.Load(); c != nil {
		end.Cause = *c
	}
	ref := h.reference(a)
	ref.Now = h.endedAt(a)
	v := agent.Judge(a.reading, func() (io.ReadCloser, error) { return h.ports.Open(a.worker.Stdout) },
		a.preset.Dialect, ref, end, nil)
	v.Usage = v.Usage.Less(a.before)
	return v
}

// kept is foreign text as facts keep it.
func (h *Host) kept(text string) run.Untrusted {
	return run.Untrusted(handoff.Kept(text, h.ports.Redact))
}

func (h *Host) reference(a *attempt) agent.Reference {
	return agent.Reference{
		Now: h.ports.Clock.Now(), Zone: h.ports.Zone, File: a.worker.Name + "/stdout.jsonl", Model: a.model, Rules: a.rules,
		Keep: func(text string) string { return handoff.Kept(text, h.ports.Redact) },
	}
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
