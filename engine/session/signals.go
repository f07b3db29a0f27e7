package session

import (
	"os"
	"os/signal"
	"syscall"

	"example.com/layover/engine"
	"example.com/layover/engine/run"
)

// Attend waits for the end of a run that has no screen, and obeys signals meanwhile. It
// reports whether one of them ended it.
func Attend(h *engine.Host) (terminated bool) {
	signals := make(chan os.Signal, 2) // two interrupts in a row both count
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	var stop Interrupts
	for {
		select {
		case caught := <-signals:
			switch caught {
			case os.Interrupt:
				stop.Ask(h)
			case syscall.SIGTERM, syscall.SIGQUIT:
				h.Leave()
				terminated = true
			} // at SIGHUP the terminal went away; the run goes on
		case <-h.Done():
			return terminated
		}
	}
}

// Interrupts counts the interrupts from outside: the first stops softly, the
// second hard.
type Interrupts int

// Ask asks for a stop, as often as it was called.
func (n *Interrupts) Ask(h *engine.Host) {
	verb := run.VerbHardStop
	if *n == 0 {
		verb = run.VerbSoftStop
	}
	*n++
	_ = h.Command(run.Command{Verb: verb, From: "interrupt"}) // without a run there is nothing to stop
}
