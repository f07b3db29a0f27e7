package fleet

import (
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
)

// Options are what the screen needs of the program around it.
type Options struct {
	// Styles say how things look, and hold the glyphs; they must not be nil.
	Styles *styles.Styles
	// Zone is where instants are shown; nil is UTC.
	Zone *time.Location
	// Now is the clock; nil is the wall clock. It is called by commands only.
	Now func() time.Time
	// Tick is how often the screen looks at the clock; below one it is [tui.TickEvery].
	Tick time.Duration
	// Roots are the directories that are looked in, for a screen without any run.
	Roots []string
	// Send takes what the operator asks of the run of a key; an error is shown. It is called
	// by a command and may block for a short while. Nil drops it.
	Send func(key string, c run.Command) error
}

// WithDefaults returns the options with those that are nil or zero set.
func (o Options) WithDefaults() Options {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tick < 1 {
		o.Tick = tui.TickEvery
	}
	if o.Send == nil {
		o.Send = func(string, run.Command) error { return nil }
	}
	return o
}
