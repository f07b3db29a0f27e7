package agent

import (
	"hash/maphash"

	"example.com/layover/engine/run"
)

// maxTally bounds how many messages a tally can still correct.
const maxTally = 1024

// tally sums the usage of messages, each once: a message may come in several
// lines, of which the last one tells what it used. Its memory is bounded; of very
// many messages only the latest can still be corrected. The zero value is empty.
type tally struct {
	sum  run.Usage
	byID map[uint64]run.Usage
	ids  []uint64 // a ring; next is the oldest once it is full
	next int
	seed maphash.Seed
	// The latest message, and what it used: most of its lines tell the same.
	last uint64
	used run.Usage
}

// add takes what the message of that id used so far and reports whether the id is
// new, and whether the sum is another one now.
func (t *tally) add(id []byte, u run.Usage) (fresh, moved bool) {
	if t.byID == nil {
		t.byID, t.seed = make(map[uint64]run.Usage), maphash.MakeSeed()
	}
	key := maphash.Bytes(t.seed, id) // it stands for an id, which may be of any length
	if key == t.last && u == t.used && len(t.ids) > 0 {
		return false, false
	}
	t.last, t.used = key, u
	old, known := t.byID[key]
	t.sum = minus(t.sum.Add(u), old)
	if !known {
		if len(t.ids) < maxTally {
			t.ids = append(t.ids, key)
		} else {
			delete(t.byID, t.ids[t.next])
			t.ids[t.next] = key
			t.next = (t.next + 1) % maxTally
		}
	}
	t.byID[key] = u
	return !known, u != old
}

// of is what the message of that id used so far.
func (t *tally) of(id []byte) run.Usage {
	if t.byID == nil {
		return run.Usage{}
	}
	return t.byID[maphash.Bytes(t.seed, id)]
}

func minus(u, v run.Usage) run.Usage {
	return u.Add(run.Usage{Input: -v.Input, Output: -v.Output, CacheRead: -v.CacheRead, CacheWrite: -v.CacheWrite, CostUSD: -v.CostUSD})
}
