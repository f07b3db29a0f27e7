package tree

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"example.com/layover/watcher/tail"
)

const (
	// grace is how long a file may be away before it is called gone: a rename is two
	// notices, and many files are replaced by removing them.
	grace = 50 * time.Millisecond
	// scansATurn is how many directories are read before notices are taken again.
	scansATurn = 16
)

// owner is what the goroutine of Run knows; nobody else touches it.
type owner struct {
	Options
	tree     *Tree
	life     context.Context
	notifier *fsnotify.Watcher // nil if there is none
	noneFor  error             // why there is none
	full     error             // why no more directories can be watched for now
	ear      *ear
	names    map[string]fsnotify.Op // empty, to be filled by the ear

	roots     map[string]*root
	dirs      map[string]*directory // by path
	known     map[tail.Identity]*directory
	bare      map[*directory]bool  // those not watched by notices alone
	bareOne   *directory           // one of them; nil if none was asked for
	busy      map[*directory]*busy // looked at beat by beat
	looks     int                  // at them
	beats     int                  // that the ear has counted
	told      map[string]string    // errors told, by path
	scans     []*directory         // to be read
	files     int
	overflows int

	follows map[string]*follow
	places  map[tail.Identity]*follow // who reads, or has just read, a file
	leaving []departure
	away    map[string]time.Time // when a file that is away is called gone
	pool    pool

	batch   Batch
	settled bool // told
	timer   *time.Timer
	armed   time.Time // when timer goes off; zero if it does not
	poll    time.Time // the next; zero if nothing is polled
	look    time.Time // the next at what is busy; zero if nothing is
	safety  time.Time
}

// departure is a file that is away, and until when it may come back.
type departure struct {
	path string
	at   time.Time
}

func newOwner(t *Tree) *owner {
	return &owner{
		Options: t.options, tree: t, ear: t.ear, names: map[string]fsnotify.Op{},
		roots: map[string]*root{}, dirs: map[string]*directory{}, known: map[tail.Identity]*directory{},
		bare: map[*directory]bool{}, busy: map[*directory]*busy{}, told: map[string]string{},
		follows: map[string]*follow{}, places: map[tail.Identity]*follow{}, away: map[string]time.Time{},
		pool: pool{open: list.New(), retries: map[*follow]time.Time{}},
	}
}

func (o *owner) run(ctx context.Context, tell func(Batch)) error {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	o.life = ctx
	o.pool.start(ctx, o.Workers, &group)
	defer o.disarm(nil)
	o.arm(&group)
	o.timer = time.NewTimer(time.Hour)
	defer o.timer.Stop()
	o.safety = time.Now().Add(o.Safety)
	for ctx.Err() == nil && o.pool.broken == nil {
		o.wait(ctx)
		o.collect()
		o.obey()
		o.hear(&group)
		o.scanSome()
		o.expire(time.Now(), &group)
		o.turn(tell)
	}
	cancel()
	for o.pool.flying > 0 {
		o.result(<-o.pool.done)
	}
	o.turn(tell)
	o.closeAll()
	return o.pool.broken
}

// wait waits until there is something to do.
func (o *owner) wait(ctx context.Context) {
	if len(o.scans) > 0 || len(o.pool.ended) > 0 {
		return
	}
	o.setTimer()
	select {
	case <-ctx.Done():
	case <-o.tree.wake:
	case f := <-o.pool.done:
		o.result(f)
	case <-o.timer.C:
		o.armed = time.Time{}
	}
}

// collect takes the results that are there.
func (o *owner) collect() {
	for {
		select {
		case f := <-o.pool.done:
			o.result(f)
		default:
			return
		}
	}
}

func (o *owner) obey() {
	for _, c := range o.tree.take() {
		switch c := c.(type) {
		case addCommand:
			if o.roots[c.root] == nil {
				o.roots[c.root] = &root{path: c.root}
				o.attach(o.roots[c.root])
			}
		case followCommand:
			o.follow(c)
		case leaveCommand:
			o.leave(c.path)
		}
	}
}

// turn has files read and tells what has happened.
func (o *owner) turn(tell func(Batch)) {
	o.dispatch()
	settled := len(o.scans) == 0 && len(o.roots) > 0
	if b := &o.batch; !b.empty() || settled && !o.settled {
		o.settled = o.settled || settled
		b.Settled = o.settled
		o.publish()
		batch := *b
		o.batch = Batch{}
		tell(batch)
	}
	o.release()
	o.dispatch()
}

// hear looks at what notices were about.
func (o *owner) hear(group *sync.WaitGroup) {
	names, beats, lost, ended := o.ear.take(o.names)
	o.beats = beats
	for path, op := range names {
		o.notice(path, op)
	}
	clear(names)
	o.names = names
	if ended && o.notifier != nil {
		o.disarm(errors.New("the notifier has ended"))
		o.arm(group)
		lost++
	}
	if lost > 0 {
		o.overflows += lost
		o.sweep()
	}
}

// expire does what is due.
func (o *owner) expire(now time.Time, group *sync.WaitGroup) {
	if !now.Before(o.safety) {
		o.safety = now.Add(o.Safety)
		o.full = nil
		o.arm(group)
		o.sweep()
	}
	o.pollDue(now)
	o.lookDue(now)
	for len(o.leaving) > 0 && !now.Before(o.leaving[0].at) {
		d := o.leaving[0]
		o.leaving = o.leaving[1:]
		if o.away[d.path].Equal(d.at) {
			o.gone(d.path, now)
		}
	}
	o.retryDue(now)
}

// setTimer has the owner woken for what is due next.
func (o *owner) setTimer() {
	next := o.safety
	sooner := func(t time.Time) {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	sooner(o.poll)
	sooner(o.look)
	sooner(o.pool.retry)
	if len(o.leaving) > 0 {
		sooner(o.leaving[0].at)
	}
	if !next.Equal(o.armed) {
		o.armed = next
		o.timer.Reset(time.Until(next))
	}
}
