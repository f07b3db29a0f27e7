package tui

import (
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
)

// TickEvery is how often the screen looks at the clock if nobody says otherwise.
const TickEvery = 250 * time.Millisecond

// Options are what the screen needs of the program around it.
type Options struct {
	// Styles say how things look, and hold the glyphs; they must not be nil.
	Styles *styles.Styles
	// Zone is where instants are shown; nil is UTC.
	Zone *time.Location
	// Now is the run's clock; nil is the wall clock. It is called by commands only.
	Now func() time.Time
	// Tick is how often, in real time, the screen looks at the clock; below one it
	// is [TickEvery].
	Tick time.Duration
	// Send takes what the operator asks for; an error is shown. It must not block; it is
	// called by a command. Nil drops it.
	Send func(run.Command) error
	// Watching is set if the engine is another process: to quit is to look away, and
	// is not asked about.
	Watching bool
	// Listed is set if the screen was opened from the list of all runs: to quit is to go
	// back there. Nobody is asked then, as with Watching.
	Listed bool
	// Name is what the run is called until its facts tell; empty if nobody knows.
	Name run.Untrusted
	// Unheard says why the run takes no orders; empty if it does. Nothing is sent to it
	// then, and a key that would says so.
	Unheard string
	// Leave tells the engine that the operator leaves and the agents go on. It may
	// block for a short while; it is called by a command, once, before the program
	// quits. Nil does nothing.
	Leave func()
}

func (o Options) withDefaults() Options {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tick < 1 {
		o.Tick = TickEvery
	}
	if o.Send == nil {
		o.Send = func(run.Command) error { return nil }
	}
	if o.Leave == nil {
		o.Leave = func() {}
	}
	return o
}

// Outcome is how the screen was left. The zero value means that the operator has
// chosen nothing: the program still runs, or was ended by somebody else.
type Outcome int

const (
	// OutcomeFinished is a run that had ended when the screen closed.
	OutcomeFinished Outcome = iota + 1
	// OutcomeLeft is an operator who left while agents go on.
	OutcomeLeft
)

func (o Outcome) String() string {
	switch o {
	case OutcomeFinished:
		return "finished"
	case OutcomeLeft:
		return "left"
	}
	return ""
}
