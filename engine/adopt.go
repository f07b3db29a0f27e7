package engine

import (
	"errors"
	"fmt"
	"io"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// resume takes up the run of an earlier owner. The permits that its agents hold are
// taken again before anything is started, as an agent is told of those that we hold;
// one that another process has taken since is not: both probe then. What that owner
// may have had no time to share is told again.
func (h *Host) resume() {
	for _, w := range h.state.Windows {
		if w.Sort == run.SortLimit {
			h.ports.Ledger.Merge(*w, false)
		}
		if w.Permit == nil {
			continue
		}
		if granted, holder := h.ports.Ledger.TryPermit([]run.WindowKey{w.WindowKey}); !granted {
			h.ports.Log.Warn("permit", "window", w.String(), "holder", holder)
		}
	}
	h.step(run.Resume{Missing: h.launch.Missing, Seen: h.ports.Ledger.Poll()})
	h.tellStrays()
}

// adopt takes up the agent of an attempt that an earlier owner started.
func (h *Host) adopt(e run.Adopt) {
	l, r := h.state.LaneOfAttempt(e.Lane, e.Attempt)
	a, _, err := h.attempt(l, r.ID, r.Target, r.Resume)
	if err == nil {
		a.worker, err = h.ports.Store.OpenWorker(r.Worker)
	}
	if err == nil {
		err = h.takeUp(a)
		if err != nil && !errors.Is(err, proc.ErrNoTrace) { // it may live, so nobody takes its place
			h.hold(e.Lane, e.Attempt, &startError{err}, func() { h.adopt(e) })
			return
		}
	}
	if err != nil {
		h.ports.Log.Error("adopt", "target", r.Target.String(), "error", err)
		h.lost(e.Lane, e.Attempt, run.ClassIncomplete, "guard_lost", err.Error())
		return
	}
	h.has(a)
	h.follow(a)
}

// takeUp finds the process of an attempt that an earlier owner started. It fails with
// [proc.ErrNoTrace] if that never was.
func (h *Host) takeUp(a *attempt) error {
	p, live, err := h.find(a.worker)
	if err == nil {
		h.takeOver(a, p, live)
	}
	return err
}

// find finds what an earlier owner may have started in a directory.
func (h *Host) find(w journal.Worker) (p Process, live bool, err error) {
	p, live, err = h.ports.Adopt(proc.AdoptSpec{
		Lock: w.Lock, Exit: w.Exit, Stdout: w.Stdout, Grace: h.state.Program.Limits.KillGrace.D(),
	})
	if err != nil {
		return nil, false, fmt.Errorf("take up worker %s: %w", w.Name, err)
	}
	return p, live, nil
}

// takeOver makes a process that was found that of an attempt. What it was started with
// stands beside it, whatever would be given to it now.
func (h *Host) takeOver(a *attempt, p Process, live bool) {
	a.process, a.adopted, a.told = p, live, h.sizeOf(a.worker.Stdout)
	a.since = h.ports.Clock.Now().UTC().Round(0)
	if e := errandOf(a.worker); e.Attempt > 0 {
		a.resumed, a.handed, a.argv = e.Resume, e.Handed, e.Command
	}
}

// follow watches an agent that runs, or has ended while nobody owned the run.
func (h *Host) follow(a *attempt) {
	if a.adopted {
		h.step(run.Adopted{Lane: a.lane, Attempt: a.id})
	}
	h.guard("an agent's watch", func() { h.watch(a) })
}

// sizeOf is how long a file is; zero if it cannot be read.
func (h *Host) sizeOf(path string) int64 {
	f, err := h.ports.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	if s, ok := f.(io.Seeker); ok {
		if n, err := s.Seek(0, io.SeekEnd); err == nil {
			return n
		}
	}
	n, _ := io.Copy(io.Discard, f)
	return n
}
