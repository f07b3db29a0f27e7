package agent

import (
	"hash/fnv"

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
}

// add takes what the message of that id used so far and reports whether the id is
// new.
func (t *tally) add(id string, u run.Usage) bool {
	key := keyOf(id)
	old, known := t.byID[key]
	t.sum = minus(t.sum.Add(u), old)
	if !known {
		if t.byID == nil {
			t.byID = make(map[uint64]run.Usage)
		}
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
func (t *tally) of(id string) run.Usage { return t.byID[keyOf(id)] }

// keyOf stands for an id, which may be of any length.
func keyOf(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // a hash never fails
	return h.Sum64()
}

func minus(u, v run.Usage) run.Usage {
	return u.Add(run.Usage{Input: -v.Input, Output: -v.Output, CacheRead: -v.CacheRead, CacheWrite: -v.CacheWrite, CostUSD: -v.CostUSD})
}
