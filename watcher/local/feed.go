package local

import (
	"context"
	"slices"
	"sync"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/watcher"
	"example.com/layover/watcher/tail"
)

// Way takes what is new of a run that is open.
type Way interface {
	// Restart says that the facts begin anew.
	Restart()
	Observe(o run.Observation)
	Tale
}

// feeds are the ways of the runs that are open, by key.
type feeds struct {
	mu  sync.Mutex
	all map[string]*feed
}

type feed struct {
	way   Way
	pace  *watcher.Pace // of a run of ours
	leave context.CancelFunc
	done  chan struct{}
}

// Open begins to feed a run. Of one of Layover's that is all facts it has written, and what
// it writes.
func (m *Machine) Open(key string, o run.Origin, way Way) {
	ctx, cancel := context.WithCancel(context.Background())
	f := &feed{way: way, leave: cancel, done: make(chan struct{})}
	if o == run.OriginLayover {
		f.pace = watcher.NewPace(m.now)
		go func() { // ends when the run is left
			defer close(f.done)
			Follow(ctx, key, way, f.pace)
		}()
	} else {
		close(f.done)
		m.watcher.Open(key)
	}
	m.feeds.mu.Lock()
	defer m.feeds.mu.Unlock()
	if m.feeds.all == nil {
		m.feeds.all = map[string]*feed{}
	}
	m.feeds.all[key] = f
}

// Leave ends what Open began; it waits until no more comes by the way.
func (m *Machine) Leave(key string) {
	m.feeds.mu.Lock()
	f := m.feeds.all[key]
	delete(m.feeds.all, key)
	m.feeds.mu.Unlock()
	if f != nil {
		m.watcher.Close(key)
		f.leave()
		<-f.done
	}
}

// Clock is the time of a run's own clock: a demo's goes faster.
func (m *Machine) Clock(key string) time.Time {
	m.feeds.mu.Lock()
	f := m.feeds.all[key]
	m.feeds.mu.Unlock()
	if f == nil || f.pace == nil {
		return m.now()
	}
	return f.pace.Now()
}

// Send asks something of a run of Layover's. It waits for the disk.
func (*Machine) Send(key string, c run.Command) error { return journal.Send(key, journal.Wish(c)) }

// take hands on what the watcher has seen of a run that is open.
func (f *feeds) take(x watcher.Feed) {
	f.mu.Lock()
	open := f.all[x.Key]
	f.mu.Unlock()
	if open == nil {
		return
	}
	if x.Restarted {
		open.way.Restart()
	}
	open.way.Facts(x.Facts)
	for _, o := range x.Observations {
		open.way.Observe(o)
	}
}

// end leaves all runs.
func (f *feeds) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, open := range f.all {
		open.leave()
		<-open.done
	}
}

// Tale takes the facts of a run, and their end.
type Tale interface {
	Facts(facts []run.Fact)
	Ended(exit int, err error)
}

// Follow tells a run of Layover's: all facts it has written, and what it writes, until ctx
// ends. The tale ends with the run, or with a [GoneError] once nobody holds it, after which
// it may still go on. It blocks.
func Follow(ctx context.Context, dir string, to Tale, pace *watcher.Pace) {
	follower := tail.New()
	defer follower.Close()
	held, over := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { watcher.Held(held, dir, func() { to.Ended(1, &GoneError{Dir: dir}) }) })
	err := watcher.Facts(ctx, dir, follower, func(facts []run.Fact) {
		pace.Seen(facts)
		to.Facts(facts)
		if slices.ContainsFunc(facts, ended) {
			over()
			to.Ended(0, nil)
		}
	})
	over()
	beside.Wait()
	if err != nil {
		to.Ended(1, err)
	}
}

func ended(f run.Fact) bool { _, is := f.Body.(run.RunEnded); return is }
