package agent

import (
	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/run"
)

const (
	// maxTally bounds how many messages a tally can still correct: those that agents write at
	// the same time, with all that work below one.
	maxTally = 64
	// maxSavedTally is how many of them are saved, the newest.
	maxSavedTally = 16
)

// tally sums the usage of messages, each once: a message may come in several
// lines, of which the last one tells what it used. Its memory is bounded; of very
// many messages only the latest can still be corrected. The zero value is empty.
type tally struct {
	sum run.Usage
	// all are the messages that can be corrected: a ring, in which next is the oldest once
	// it is full.
	all  []counted
	next int
}

// counted is what a message used so far. The key stands for its id, which may be of any
// length, and is the same in all readers.
type counted struct {
	key  uint64
	used run.Usage
}

// messageKey is the FNV-1a hash of an id.
func messageKey(id []byte) uint64 {
	key := uint64(14695981039346656037)
	for _, b := range id {
		key = (key ^ uint64(b)) * 1099511628211
	}
	return key
}

// add takes what the message of that id used so far and reports whether the id is
// new, and whether the sum is another one now. If it is, tell is told of the message.
func (t *tally) add(id []byte, u run.Usage, tell func(uint64, run.Usage)) (fresh, moved bool) {
	key := messageKey(id)
	i := t.find(key)
	switch {
	case i < 0:
		t.sum = t.sum.Add(u)
		t.keep(counted{key, u})
		fresh, moved = true, u != run.Usage{}
	case t.all[i].used != u:
		t.sum = t.sum.Add(u).Less(t.all[i].used)
		t.all[i].used = u
		moved = true
	}
	if moved && tell != nil && len(id) > 0 {
		tell(key, u)
	}
	return fresh, moved
}

// find looks for a message, from the newest on; negative if it is not there.
func (t *tally) find(key uint64) int {
	for i := t.next - 1; i >= 0; i-- {
		if t.all[i].key == key {
			return i
		}
	}
	for i := len(t.all) - 1; i >= t.next; i-- {
		if t.all[i].key == key {
			return i
		}
	}
	return -1
}

func (t *tally) keep(m counted) {
	if len(t.all) < maxTally {
		t.all = append(t.all, m)
		t.next = len(t.all)
		return
	}
	t.next %= maxTally
	t.all[t.next] = m
	t.next++
}

// of is what the message of that id used so far.
func (t *tally) of(id []byte) run.Usage {
	if i := t.find(messageKey(id)); i >= 0 {
		return t.all[i].used
	}
	return run.Usage{}
}

func (t *tally) visit(c *pack.Codec) {
	visitUsage(c, &t.sum)
	newest := t.newest(maxSavedTally)
	pack.List(c, &newest, maxSavedTally, func(c *pack.Codec, m *counted) {
		c.Bits(&m.key)
		visitUsage(c, &m.used)
	})
	if c.Reading() {
		t.all, t.next = newest, len(newest)
	}
}

// newest are the last messages that were new, the oldest first.
func (t *tally) newest(most int) []counted {
	all := append(append([]counted(nil), t.all[t.next:]...), t.all[:t.next]...)
	return all[max(0, len(all)-most):]
}
