package watcher

import (
	"context"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/tree"
)

// Options are what a watcher is told. Roots and Now must be set.
type Options struct {
	Roots []Root
	// Named are the paths that somebody has asked for by name: a note tells of those that
	// are not there yet.
	Named []string
	// Since is how old a file may be to be read by itself; what was written to before is
	// only listed, until somebody opens it. Zero reads everything.
	Since time.Duration
	// Now is the wall clock, Zone that of clock times in agents' texts; nil means UTC.
	Now  func() time.Time
	Zone *time.Location
	// Keep takes secrets out of foreign text; nil leaves it as it is.
	Keep func(text string) string
	// Windows reads the windows that Layover's runs share; nil if there are none.
	Windows func() ([]run.Window, error)
	// Alive tells whether the process of another tool is there, by its number and its start
	// time as that tool tells it. Held tells whether somebody holds one of Layover's own
	// runs. Nil does not know.
	Alive func(pid int, start string) foreign.Alive
	Held  func(dir string) bool
	// Checkpoint is the file that a later watcher of the same roots goes on from; empty
	// keeps none.
	Checkpoint string
	// Once is for one look at all there is: the watcher tells of what it finds, and of
	// nothing that happens after.
	Once bool
	// Watches bounds how many directories are watched by notices; zero leaves it to the
	// system.
	Watches int
}

// Feed takes what is new of a run that was opened. Restarted says that what came before is
// void, as when another file has taken the place of the run's: the facts are numbered anew.
type Feed struct {
	Key          string
	Restarted    bool
	Facts        []run.Fact
	Observations []run.Observation
}

// Watcher watches all runs below its roots. It is made by [New]; the methods may be called
// from any goroutine, and none but Run blocks.
type Watcher struct {
	options  Options
	commands *queue[command]
}

// New makes a watcher.
func New(o Options) *Watcher {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	return &Watcher{options: o, commands: newQueue[command]()}
}

// Open begins to feed a run. One that was only listed is read. The facts of one of
// Layover's own are not fed: they are in its directory, see [Facts].
func (w *Watcher) Open(key string) { w.commands.put(command{key, true}) }

// Close ends what Open began.
func (w *Watcher) Close(key string) { w.commands.put(command{key, false}) }

type command struct {
	key  string
	open bool
}

// Run watches until ctx ends. It calls tell with what has changed, and feed with what is
// new of runs that are open, from one goroutine; both should return soon. It blocks. An
// [UnkeptError] says that a later watcher will not go on from where it was.
func (w *Watcher) Run(ctx context.Context, tell func(run.Changes), feed func(Feed)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := newOwner(w.options, tell, feed)
	for _, r := range w.options.Roots {
		o.tree.Add(r.Path)
	}
	batches, handled := make(chan tree.Batch), make(chan struct{})
	ended := make(chan error, 1)
	go func() { // ends with ctx; it is waited for
		ended <- o.tree.Run(ctx, func(b tree.Batch) {
			select {
			case batches <- b:
				<-handled
			case <-ctx.Done():
			}
		})
	}()
	o.restore() // while the files are found
	for {
		select {
		case b := <-batches:
			o.take(b)
			handled <- struct{}{}
		case d := <-o.documents.read:
			o.document(d)
		case <-w.commands.ready:
			for _, c := range w.commands.take() {
				o.obey(c)
			}
		case <-o.look.C:
			o.lookAtProcesses()
		case <-o.turn.C:
			o.turned()
		case <-o.saving.C:
			o.save()
		case <-o.frame.C:
			o.framing = false
		case err := <-ended:
			if o.save(); err == nil {
				err = o.unkept
			}
			return err
		}
		o.pace()
	}
}
