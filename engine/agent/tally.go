package agent

import (
	"hash/maphash"

	"example.com/layover/engine/run"
)

// maxTally bounds how many messages a tally can still correct: those that agents write at
// the same time, with all that work below one.
const maxTally = 64

// tally sums the usage of messages, each once: a message may come in several
// lines, of which the last one tells what it used. Its memory is bounded; of very
// many messages only the latest can still be corrected. The zero value is empty.
type tally struct {
	sum run.Usage
	// keys stand for the ids of messages, which may be of any length; used is what each of
	// them used. Both are rings, in which next is the oldest once they are full.
	keys []uint64
	used []run.Usage
	next int
	seed maphash.Seed
}

// add takes what the message of that id used so far and reports whether the id is
// new, and whether the sum is another one now.
func (t *tally) add(id []byte, u run.Usage) (fresh, moved bool) {
	if t.keys == nil {
		t.seed = maphash.MakeSeed()
	}
	key := maphash.Bytes(t.seed, id)
	i := t.find(key)
	if i < 0 {
		t.sum = t.sum.Add(u)
		t.keep(key, u)
		return true, u != run.Usage{}
	}
	if t.used[i] == u {
		return false, false
	}
	t.sum = minus(t.sum.Add(u), t.used[i])
	t.used[i] = u
	return false, true
}

// find looks for a message, from the newest on; negative if it is not there.
func (t *tally) find(key uint64) int {
	for i := t.next - 1; i >= 0; i-- {
		if t.keys[i] == key {
			return i
		}
	}
	for i := len(t.keys) - 1; i >= t.next; i-- {
		if t.keys[i] == key {
			return i
		}
	}
	return -1
}

func (t *tally) keep(key uint64, u run.Usage) {
	if len(t.keys) < maxTally {
		t.keys, t.used = append(t.keys, key), append(t.used, u)
		t.next = len(t.keys)
		return
	}
	t.next %= maxTally
	t.keys[t.next], t.used[t.next] = key, u
	t.next++
}

// of is what the message of that id used so far.
func (t *tally) of(id []byte) run.Usage {
	if t.keys == nil {
		return run.Usage{}
	}
	if i := t.find(maphash.Bytes(t.seed, id)); i >= 0 {
		return t.used[i]
	}
	return run.Usage{}
}

func minus(u, v run.Usage) run.Usage {
	return u.Add(run.Usage{Input: -v.Input, Output: -v.Output, CacheRead: -v.CacheRead, CacheWrite: -v.CacheWrite, CostUSD: -v.CostUSD})
}
