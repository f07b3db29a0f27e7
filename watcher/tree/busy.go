package tree

import "time"

const (
	// hot is in how many beats in a row a directory must be written to, to be busy.
	hot = 4
	// busyMost bounds the names in all busy directories: each is looked at in every beat.
	busyMost = 512
	// looksAll is in which of the beats all of a busy directory is looked at; in the others
	// only those files are that had changed by then.
	looksAll = 4
	// calm is how long nothing may have changed in a directory that is busy no more.
	calm = time.Second
)

// heat takes that something in a directory was written. One that is written to in beat
// after beat becomes busy: it is not watched by notices any more, but looked at beat by
// beat, since each notice wakes the process, whether it is taken or not.
func (o *owner) heat(d *directory) {
	switch o.beats - d.beat {
	case 0:
		return
	case 1:
		d.heat++
	default:
		d.heat = 1
	}
	d.beat = o.beats
	if d.heat < o.tree.hot || !d.watched || o.isBusy(d) || o.busyNames()+d.names() > busyMost {
		return
	}
	_ = o.notifier.Remove(d.path) // the notifier may have dropped it itself
	o.busy[d] = &busy{changed: time.Now()}
	o.queue(d) // what has changed before that is not told any more
}

// busy is what is known of a busy directory.
type busy struct {
	changed time.Time // when something in it was seen to have changed last
	files   []*follow // that had changed when all was looked at last
}

// news takes that a file has changed.
func (b *busy) news(f *follow) {
	if b == nil {
		return
	}
	if b.changed = time.Now(); f != nil {
		b.files = append(b.files, f)
	}
}

func (o *owner) isBusy(d *directory) bool { return o.busy[d] != nil }

func (d *directory) names() int { return len(d.files) + len(d.dirs) }

func (o *owner) busyNames() int {
	n := 0
	for d := range o.busy {
		n += d.names()
	}
	return n
}

// lookDue looks at what is busy, if it is time, and sets the next time. What has been calm
// for a while, or has grown too large, is watched by notices again.
func (o *owner) lookDue(now time.Time) {
	if len(o.busy) == 0 {
		o.look = time.Time{}
		return
	}
	if now.Before(o.look) {
		return
	}
	o.look = now.Add(beat)
	names := o.busyNames()
	o.looks++
	for d, b := range o.busy {
		switch {
		case now.Sub(b.changed) > calm || names > busyMost:
			names -= d.names()
			delete(o.busy, d)
			d.watched, o.bare[d] = false, true // until it is looked at, which begins with that
		case o.looks%looksAll == 0:
			b.files = b.files[:0]
		default:
			for _, f := range b.files {
				o.dirty(f)
			}
			continue
		}
		o.queue(d)
	}
}
