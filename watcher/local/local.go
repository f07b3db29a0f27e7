package local

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/ledger"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
	"example.com/layover/watcher"
	"example.com/layover/watcher/foreign"
)

// Options say what is watched. Getenv and Now must be set.
type Options struct {
	// Paths are watched instead of what this user's agents and tools keep, More beside it.
	// They are absolute.
	Paths, More []string
	// Once is for one look at all there is.
	Once bool
	// Since is how old a file may be to be read by itself; zero reads everything.
	Since  time.Duration
	Getenv func(name string) string
	// Dir is the working directory; empty if it is not known.
	Dir  string
	Now  func() time.Time
	Zone *time.Location
	// Keep takes secrets out of foreign text; nil leaves it as it is.
	Keep func(text string) string
}

// maxWatches is how many directories are watched by notices at most: the user's other
// programs need some, too. The rest is looked at once a second, and a line says so.
const maxWatches = 32 << 10

// Machine is what is watched of this machine. It is made by [New]. Its methods may be
// called from any goroutine.
type Machine struct {
	// Roots are the directories and files that are watched.
	Roots   []watcher.Root
	watcher *watcher.Watcher
	now     func() time.Time
	feeds   feeds
}

// New finds out where runs are. Nothing is read before Run.
func New(o Options) *Machine {
	state, err := journal.Root(o.Getenv)
	if err != nil {
		state = "" // then there is none of ours
	}
	var roots []watcher.Root
	named := append(slices.Clone(o.Paths), o.More...)
	for _, path := range named {
		roots = append(roots, watcher.RootsOf(path)...)
	}
	if len(o.Paths) == 0 {
		roots = append(watcher.DefaultRoots(o.Getenv, state, o.Dir), roots...)
	}
	m := &Machine{Roots: roots, now: o.Now}
	m.watcher = watcher.New(watcher.Options{
		Roots: roots, Named: named, Once: o.Once, Since: o.Since, Now: o.Now, Zone: o.Zone, Keep: o.Keep,
		Windows:    func() ([]run.Window, error) { return ledger.All(state) },
		Alive:      alive,
		Held:       journal.Running,
		Watches:    maxWatches,
		Checkpoint: checkpoint(o.Getenv, roots),
	})
	return m
}

// gcPercent is how much a watcher's memory may grow between two collections: it is there
// for days, and does next to nothing most of the time.
const gcPercent = 60

// Run watches until ctx ends, and tells what has changed. It blocks; tell should return
// soon. It sets how the memory of the whole process is collected, and gives back what the
// first read took, a while after that is over.
func (m *Machine) Run(ctx context.Context, tell func(run.Changes)) error {
	debug.SetGCPercent(gcPercent)
	defer m.feeds.end()
	var once sync.Once
	return m.watcher.Run(ctx, func(c run.Changes) {
		if tell(c); c.Complete {
			once.Do(func() { time.AfterFunc(2*time.Second, debug.FreeOSMemory) })
		}
	}, m.feeds.take)
}

// checkpoint is where what was read below the roots is kept that are there: by the XDG rules
// a cache. It is the same in whatever directory somebody stands. Empty if there is no place.
func checkpoint(getenv func(string) string, roots []watcher.Root) string {
	dir := getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(dir) {
		if dir = getenv("HOME"); !filepath.IsAbs(dir) {
			return ""
		}
		dir = filepath.Join(dir, ".cache")
	}
	there := slices.DeleteFunc(slices.Clone(roots), func(r watcher.Root) bool {
		_, err := os.Stat(r.Path)
		return err != nil
	})
	return filepath.Join(dir, "layover", watcher.CheckpointName(there))
}

// alive tells whether a process is there. Others name its start in their own units: one
// that is no number of the kernel's is not compared.
func alive(pid int, start string) foreign.Alive {
	is := proc.StartTime(pid)
	_, err := strconv.ParseUint(start, 10, 64)
	switch {
	case is == "":
		return foreign.Gone
	case err != nil, len(start) > len(is)+1:
		start = "" // seconds since 1970, or a fraction of one
	}
	if proc.Alive(pid, start) {
		return foreign.Living
	}
	return foreign.Gone
}
