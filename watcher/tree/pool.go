package tree

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/layover/watcher/tail"
)

const (
	// slice is what one look reads at most, in bytes: others wait no longer than that
	// takes.
	slice = 4 << 20
	// few is how many live files the owner looks at itself, a chunk of each: to wake
	// another goroutine takes longer.
	few = 16
	// openFiles is how many files are held open, those that were read last, so that
	// what is written just before a file is replaced or removed is read.
	openFiles = 128
	// firstRetry and longestRetry bound the time after a read error; each is twice the
	// one before.
	firstRetry   = 50 * time.Millisecond
	longestRetry = time.Minute
)

// pool is the workers and what waits for them. Only the owner uses it.
type pool struct {
	buffers tail.Buffers
	workers int
	jobs    chan *follow // as many as there are workers: the owner never waits
	done    chan *follow // as many as there are workers: no worker waits
	flying  int          // jobs given and not come back
	firsts  int          // first reads given and not told yet
	live    []*follow
	first   []*follow // in the order asked for
	ended   []*follow // to be told
	open    *list.List
	retries map[*follow]time.Time
	retry   time.Time // the first of them, or earlier; zero if there is none
	broken  error     // a sink panicked
}

func (p *pool) start(ctx context.Context, workers int, group *sync.WaitGroup) {
	p.workers = workers
	p.jobs = make(chan *follow, workers)
	p.done = make(chan *follow, workers)
	for range workers {
		group.Go(func() {
			for {
				select {
				case <-ctx.Done():
					p.drain()
					return
				case f := <-p.jobs:
					f.look(ctx, slice)
					p.done <- f
				}
			}
		})
	}
}

// drain gives back what was not begun.
func (p *pool) drain() {
	for {
		select {
		case f := <-p.jobs:
			p.done <- f
		default:
			return
		}
	}
}

// panicked is the error of a sink that panicked.
type panicked struct{ error }

// look is what a worker does, or the owner.
func (f *follow) look(ctx context.Context, limit int64) {
	defer func() {
		if r := recover(); r != nil {
			f.err = panicked{fmt.Errorf("the sink of %q panicked: %v", f.path, r)}
		}
	}()
	f.more, f.err = f.file.Look(ctx, limit)
}

// queue has a file looked at in its turn. A first read that is not done keeps its place.
func (p *pool) queue(f *follow) {
	f.queued = true
	switch {
	case !f.first:
		p.live = append(p.live, f)
	case f.looked:
		p.first = append([]*follow{f}, p.first...)
	default:
		p.first = append(p.first, f)
	}
}

// next takes what is to be looked at next; nil if nothing is, or only first reads and
// the others are not to wait for them.
func (p *pool) next() *follow {
	for len(p.live) > 0 {
		f := p.live[0]
		p.live[0] = nil // it is not kept by the list
		if p.live = p.live[1:]; !f.left {
			return f
		}
	}
	for len(p.first) > 0 && p.firsts < p.workers-1 {
		f := p.first[0]
		p.first[0] = nil
		if p.first = p.first[1:]; !f.left {
			f.behind = true
			p.firsts++
			return f
		}
	}
	return nil
}

// dispatch gives the workers what they have time for.
func (o *owner) dispatch() {
	p := &o.pool
	here := len(p.live) <= few
	for p.flying < p.workers && o.life.Err() == nil {
		f := p.next()
		if f == nil {
			return
		}
		f.queued, f.dirty, f.busy = false, false, true
		f.bytes, f.restarted, f.more, f.err = 0, false, false, nil
		p.flying++
		if here && !f.first {
			f.look(o.life, tail.MaxChunk)
			o.result(f)
			continue
		}
		p.jobs <- f
	}
}

// hold keeps a file open that was read, and closes the one that was read longest ago.
func (p *pool) hold(f *follow) {
	if bad, ok := f.err.(panicked); ok {
		p.broken = bad
	}
	if !f.file.Opened() {
		p.unlist(f)
		return
	}
	switch {
	case f.open != nil && !f.first:
		p.open.MoveToFront(f.open)
	case f.open != nil:
	case f.first: // is likely to be at rest
		f.open = p.open.PushBack(f)
	default:
		f.open = p.open.PushFront(f)
	}
	for e := p.open.Back(); e != nil && p.open.Len() > openFiles; {
		old := e.Value.(*follow)
		e = e.Prev()
		if !old.busy || old == f {
			p.shut(old)
		}
	}
}

// shut closes a file that no worker has.
func (p *pool) shut(f *follow) {
	f.file.Close()
	p.unlist(f)
}

func (p *pool) unlist(f *follow) {
	if f.open != nil {
		p.open.Remove(f.open)
		f.open = nil
	}
}

// later has a file looked at again after a while.
func (p *pool) later(f *follow, now time.Time) {
	f.delay = min(max(2*f.delay, firstRetry), longestRetry)
	f.dirty = false
	at := now.Add(f.delay)
	p.retries[f] = at
	if p.retry.IsZero() || at.Before(p.retry) {
		p.retry = at
	}
}

// waits reports whether a file is looked at after a while only.
func (p *pool) waits(f *follow) bool {
	_, waits := p.retries[f]
	return waits
}

// calm forgets an error.
func (p *pool) calm(f *follow) {
	f.delay = 0
	delete(p.retries, f)
}

// retry looks at a file that could not be read, at once.
func (o *owner) retry(f *follow) {
	delete(o.pool.retries, f)
	o.dirty(f)
}

func (o *owner) retryDue(now time.Time) {
	p := &o.pool
	if p.retry.IsZero() || now.Before(p.retry) {
		return
	}
	p.retry = time.Time{}
	for f, at := range p.retries {
		switch {
		case !now.Before(at):
			o.retry(f)
		case p.retry.IsZero() || at.Before(p.retry):
			p.retry = at
		}
	}
}

func (o *owner) closeAll() {
	for _, f := range o.follows {
		f.file.Close()
	}
}
