package board

import (
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
	"example.com/layover/tui/fleet"
	"example.com/layover/tui/words"
)

// Options are what the screen needs of the program around it.
type Options struct {
	fleet.Options
	// Open begins to feed the screen with a run: its facts and observations follow as
	// [tui.RunMsg]s with its key, the first a [tui.RestartMsg]; see package tui/relay. An
	// error is shown, and the run is left. It is called by a command and may block for a
	// short while. Nil feeds nothing.
	Open func(key string, o run.Origin) error
	// Leave ends what Open began; a screen that is quit leaves that to the program. It is
	// called by a command and may block for a short while. Neither is called before the
	// other has returned. Nil does nothing.
	Leave func(key string)
	// Clock is the time of an open run's own clock; nil is Now. It is called by commands.
	Clock func(key string) time.Time
}

func (o Options) withDefaults() Options {
	o.Options = o.Options.WithDefaults()
	if o.Open == nil {
		o.Open = func(string, run.Origin) error { return nil }
	}
	if o.Leave == nil {
		o.Leave = func(string) {}
	}
	if o.Clock == nil {
		now := o.Now
		o.Clock = func(string) time.Time { return now() }
	}
	return o
}

// screenOf makes the screen of a run.
func (o Options) screenOf(w run.Watched) tui.Model {
	key := w.Key
	return tui.New(tui.Options{
		Styles: o.Styles, Zone: o.Zone, Tick: o.Tick, Listed: true, Unheard: w.Unheard, Name: run.Untrusted(words.Watched(w)),
		Now:  func() time.Time { return o.Clock(key) },
		Send: func(c run.Command) error { return o.Send(key, c) },
	})
}
