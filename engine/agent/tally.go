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
	ids  []uint64
	seed maphash.Seed
	// The latest message, and what it used: most of its lines tell the same.
	last uint64
	used run.Usage
}

// add takes what the message of that id used so far and reports whether the id is
// new.
func (t *tally) add(id []byte, u run.Usage) bool {
	if t.byID == nil {
		t.byID, t.seed = make(map[uint64]run.Usage), maphash.MakeSeed()
	}
	key := maphash.Bytes(t.seed, id) // it stands for an id, which may be of any length
	if key == t.last && u == t.used && len(t.ids) > 0 {
		return false
	}
	t.last, t.used = key, u
	old, known := t.byID[key]
	t.sum = minus(t.sum.Add(u), old)
	if !known {
		if len(t.ids) == maxTally {
			delete(t.byID, t.ids[0])
			t.ids = append(t.ids[:0], t.ids[1:]...)
		}
		t.ids = append(t.ids, key)
	}
	t.byID[key] = u
	return !known
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
