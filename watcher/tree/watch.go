package tree

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
)

// arm asks for a notifier if there is none.
func (o *owner) arm(group *sync.WaitGroup) {
	if o.notifier != nil || o.Once {
		return
	}
	n, err := o.tree.create()
	if err != nil {
		o.noneFor = fmt.Errorf("the system gives no notifier: %w", err)
		return
	}
	o.notifier, o.noneFor, o.full = n, nil, nil
	o.ear.listen(o.life, n, group)
}

// disarm gives the notifier up; every directory is bare then.
func (o *owner) disarm(why error) {
	if o.notifier == nil {
		return
	}
	_ = o.notifier.Close() // nothing is written through it
	o.notifier, o.noneFor = nil, why
	clear(o.busy)
	for _, d := range o.dirs {
		d.watched, d.why = false, why
		o.bare[d] = true
	}
}

// watch begins to watch a directory, or makes sure that it is watched still: what was
// removed and made again may have the same identity.
func (o *owner) watch(d *directory) {
	if o.Once || o.isBusy(d) {
		return
	}
	err := o.full
	if d.watched {
		err = nil
	}
	switch {
	case o.notifier == nil:
		err = o.noneFor
	case err == nil && !d.watched && o.Watches > 0 && o.watched() >= o.Watches:
		err = fmt.Errorf("no more than %d directories are to be watched", o.Watches)
	case err == nil:
		if err = o.notifier.Add(d.path); err != nil {
			err = o.refused(d.path, err)
		}
	}
	if d.watched = err == nil; d.watched {
		err = d.remote
	}
	if d.why = err; err == nil {
		delete(o.bare, d)
	} else {
		o.bare[d] = true
	}
}

// refused says why a directory is not watched, and keeps from asking for the others if
// the system has no more to give.
func (o *owner) refused(path string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		o.full = fmt.Errorf("the system allows no more watches (fs.inotify.max_user_watches): %w", err)
		return o.full
	case errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM):
		o.full = fmt.Errorf("the system allows no more watches: %w", err)
		return o.full
	}
	return fmt.Errorf("watch %q: %w", path, err)
}

func (o *owner) unwatch(d *directory) {
	if d.watched && o.notifier != nil && !o.isBusy(d) {
		_ = o.notifier.Remove(d.path) // the notifier may have dropped it itself
		o.full = nil
	}
	d.watched = false
	delete(o.bare, d)
	delete(o.busy, d)
}

func (o *owner) watched() int { return len(o.dirs) - len(o.bare) }

// sweep has everything looked at.
func (o *owner) sweep() {
	for _, d := range o.dirs {
		o.queue(d)
	}
	o.attachMissing()
}

// pollDue looks at what is not watched, if it is time, and sets the next time.
func (o *owner) pollDue(now time.Time) {
	switch {
	case o.Once, len(o.bare) == 0 && o.missing() == 0:
		o.poll = time.Time{}
		return
	case o.poll.IsZero():
	case now.Before(o.poll):
		return
	default:
		o.attachMissing()
		for d := range o.bare {
			o.queue(d)
		}
	}
	o.poll = now.Add(o.Poll)
}

// publish sets what Status tells.
func (o *owner) publish() {
	s := Status{
		Directories: len(o.dirs), Watched: o.watched(), Polled: len(o.bare) + o.missing(),
		Files: o.files, Followed: len(o.follows), Overflows: o.overflows,
	}
	if o.Once {
		s.Polled = 0 // nothing is looked at again
	} else if d := o.example(); d != nil {
		s.Reason = fmt.Sprintf("what the system does not tell of is looked at every %s: %v", o.Poll, d.why)
	}
	o.tree.mu.Lock()
	defer o.tree.mu.Unlock()
	o.tree.status = s
}

// example is a directory that is not watched, the same one as long as it is; nil if there is
// none. While directories are still to be read, it may miss it.
func (o *owner) example() *directory {
	if !o.bare[o.bareOne] {
		o.bareOne = nil
		for d := range o.bare {
			if d.why != nil { // it has been tried
				o.bareOne = d
			}
			break // the others are alike
		}
	}
	return o.bareOne
}
