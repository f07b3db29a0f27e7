package engine

import (
	"context"
	"errors"

	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// ask runs the program's until command under a guard, or takes up the answer that an
// earlier owner was waiting for. The command has no shell, and its output is kept
// nowhere.
func (h *Host) ask(e run.CheckUntil) {
	w, err := h.ports.Store.Worker("until", workerHex(h.launch.Seed, run.AttemptID(-e.Iteration), 0))
	if err != nil {
		h.step(run.UntilAnswered{Iteration: e.Iteration, Error: h.kept(err.Error())})
		return
	}
	s := h.orders(w, h.state.Deadline())
	s.Argv, s.Env = h.state.Program.Until, h.ports.Environ
	h.guard("until", func() {
		answer := run.UntilAnswered{Iteration: e.Iteration}
		done, err := h.answer(s)
		switch {
		case errors.Is(err, errNoAnswer):
			return
		case err != nil:
			answer.Error = h.kept(err.Error())
		default:
			answer.Done = done
		}
		h.send(answer)
	})
}

// errNoAnswer says that the host ended before the command did.
var errNoAnswer = errors.New("no answer")

// answer waits for the command. If the run is left, so is the command.
func (h *Host) answer(s proc.GuardSpec) (done bool, err error) {
	if h.launch.State != nil {
		p, _, err := h.ports.Adopt(proc.AdoptSpec{Lock: s.Lock, Exit: s.Exit, Grace: s.Grace})
		if err == nil {
			if err := h.outlast(p); err != nil {
				return false, err
			}
			if exit := p.Wait(); !exit.Lost && p.Cause() == "" {
				return exit == proc.Exit{}, nil
			}
		}
	}
	p, err := h.ports.Start(s)
	if err != nil {
		return false, err
	}
	if err := h.outlast(p); err != nil {
		return false, err
	}
	return p.Wait() == proc.Exit{}, nil
}

// outlast waits for the end of a process, or of the host: then the process is ended
// if the run is over, and left if the run is.
func (h *Host) outlast(p Process) error {
	select {
	case <-p.Done():
		return nil
	case <-h.ctx.Done():
		if errors.Is(context.Cause(h.ctx), errOver) {
			p.End()
		}
		return errNoAnswer
	}
}
