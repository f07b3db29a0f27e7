package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// maxUnread is how many files that are no wishes are named at a time.
const maxUnread = 20

// obey does what other processes have asked for since the last look.
func (h *Host) obey() {
	if h.ports.Controls == nil {
		return
	}
	kept := h.forget()
	wishes, err := h.ports.Controls()
	err = errors.Join(kept, err)
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said != h.deaf && err != nil {
		each := strings.Split(said, "\n")
		for _, line := range each[:min(len(each), maxUnread)] {
			h.step(run.Noted{Message: string(h.kept(line))})
		}
		if n := len(each) - maxUnread; n > 0 {
			h.step(run.Noted{Message: fmt.Sprintf("%d more wishes could not be read either", n)})
		}
	}
	h.deaf = said
	for _, w := range wishes {
		c, err := commandOf(w)
		if err != nil {
			h.step(run.Noted{Message: err.Error()})
			continue
		}
		h.step(c)
	}
	_ = h.forget() // what fails is told after the next look
}

// forget lets go of the wishes that were taken, once the facts about them are saved.
func (h *Host) forget() error {
	if h.ports.Obeyed == nil || len(h.unsaved) > 0 {
		return nil
	}
	return h.ports.Obeyed()
}

// commandOf is the command that a wish means.
func commandOf(w journal.Control) (run.Command, error) {
	c := run.Command{Verb: w.Verb, From: w.From}
	if c.From == "" {
		c.From = "control"
	}
	switch w.Verb {
	case run.VerbPause, run.VerbUnpause:
		if w.Target != "" {
			return c, fmt.Errorf("%s is for the whole run, but names %q", w.Verb, w.Target)
		}
	case run.VerbClear:
		if w.Target == "" {
			return c, fmt.Errorf("%s needs a family", w.Verb)
		}
		c.Family = w.Target
	case run.VerbWake, run.VerbSwap, run.VerbSoftStop, run.VerbHardStop, run.VerbTakeBack:
		if w.Target == "" && (w.Verb == run.VerbWake || w.Verb == run.VerbSwap) {
			return c, fmt.Errorf("%s needs a lane", w.Verb)
		}
		if w.Target != "" {
			n, err := strconv.Atoi(w.Target)
			if err != nil || n < 1 {
				return c, fmt.Errorf("%s: %q is not the number of a lane", w.Verb, w.Target)
			}
			c.Lane = run.LaneID(n)
		}
	}
	return c, nil
}
