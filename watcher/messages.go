package watcher

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"example.com/layover/engine/run"
)

// messages sums up what messages have used, each once, however many files hold it: a
// session that goes on in another file takes its messages along. A message counts with
// the greatest usage that any file tells of it, so that the order does not matter in which
// files are read. Of the files that tell of a message two are known, one of them the latest:
// the oldest are those that are removed. It takes
// some 36 bytes for each. The zero value holds none.
type messages struct {
	// shelves hold the messages by the first bits of their ids, each shelf in order; nil
	// until there is one. One without a file is none any more.
	shelves [][]counted
	// restored says that they came from an earlier process, and nothing since.
	restored bool
	// asleep are files of which that process has told, and nobody since: what it knew of
	// them does not count. It holds their sums.
	asleep map[int32]run.Usage
	// whole are sessions that tell what they have used in all, by their ids.
	whole map[string]session
	sum   run.Usage
}

// shelfBits is how many bits of an id tell its shelf: with a million messages, one is as
// long as a page or two.
const shelfBits = 10

// session is what a session has used in all, as a file tells it.
type session struct {
	used run.Usage
	file int32
}

// counted is a message: its usage, the file that told of it, and another one that did,
// if there is one. Files are numbered from one.
type counted struct {
	id uint64
	tokens
	file, other int32
}

// tokens is the usage of one message.
type tokens struct{ input, output, read, written uint32 }

func (t tokens) usage() run.Usage {
	return run.Usage{Input: int64(t.input), Output: int64(t.output), CacheRead: int64(t.read), CacheWrite: int64(t.written)}
}

func (t tokens) total() int64 {
	return int64(t.input) + int64(t.output) + int64(t.read) + int64(t.written)
}

func tokensOf(u run.Usage) tokens {
	clip := func(n int64) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }
	return tokens{clip(u.Input), clip(u.Output), clip(u.CacheRead), clip(u.CacheWrite)}
}

// add takes what a message has used, as a file tells it.
func (m *messages) add(file int32, id uint64, t tokens) {
	shelf, i, known := m.find(id)
	if !known {
		*shelf = insert(*shelf, i, counted{id: id})
	}
	c := &(*shelf)[i]
	m.change(c, func() {
		switch more := t.total() > c.total(); {
		case more, !m.counts(*c):
			if c.file != file {
				c.file, c.other = file, c.file
			}
			if more {
				c.tokens = t
			}
		case c.file != file: // the latest of them
			c.other = file
		}
	})
	m.restored = false
}

// counts reports whether a message counts: one that a sleeping file tells does not.
func (m *messages) counts(c counted) bool {
	_, sleeps := m.asleep[c.file]
	return c.file != 0 && !sleeps
}

// change changes a message, and the sum with it.
func (m *messages) change(c *counted, how func()) {
	if m.counts(*c) {
		m.sum = plus(m.sum, c.usage(), -1)
	}
	how()
	if m.counts(*c) {
		m.sum = plus(m.sum, c.usage(), 1)
	}
}

// find gives the shelf of a message and its place there, and whether it is known.
func (m *messages) find(id uint64) (shelf *[]counted, at int, known bool) {
	if m.shelves == nil {
		m.shelves = make([][]counted, 1<<shelfBits)
	}
	shelf = &m.shelves[shelfOf(id)]
	at, known = slices.BinarySearchFunc(*shelf, id, func(c counted, id uint64) int { return cmp.Compare(c.id, id) })
	return shelf, at, known
}

// insert puts a message in its place. A full shelf grows by a quarter: half of what there
// is would stand empty otherwise.
func insert(shelf []counted, at int, c counted) []counted {
	if len(shelf) == cap(shelf) {
		shelf = append(slices.Grow([]counted(nil), len(shelf)+len(shelf)/4+4), shelf...)
	}
	return slices.Insert(shelf, at, c)
}

// all gives each message there is room for, in the order of their ids, to read or change.
func (m *messages) all() iter.Seq[*counted] {
	return func(yield func(*counted) bool) {
		for _, shelf := range m.shelves {
			for i := range shelf {
				if !yield(&shelf[i]) {
					return
				}
			}
		}
	}
}

// session takes what a session has used in all, as a file tells it.
func (m *messages) session(file int32, id string, u run.Usage) {
	was, known := m.whole[id]
	switch {
	case known && u.Tokens() == was.used.Tokens(): // the same file under another name, as far as is known
		m.whole[id] = session{was.used, file}
		return
	case u.Tokens() <= was.used.Tokens():
		return
	case m.whole == nil:
		m.whole = map[string]session{}
	}
	m.whole[id] = session{u, file}
	m.sum = plus(plus(m.sum, u, 1), was.used, -1)
}

// restore takes up what an earlier process knew, in the order of the ids. What it knew of
// a file counts once that is awake. It may be called once, before anything is told.
func (m *messages) restore(all iter.Seq[counted]) {
	var next []counted
	for c := range all {
		if len(next) > 0 && shelfOf(next[0].id) != shelfOf(c.id) {
			m.put(next)
			next = next[:0]
		}
		next = append(next, c)
	}
	m.put(next)
	m.restored = true
}

// put fills the shelf of some messages with them.
func (m *messages) put(next []counted) {
	if len(next) > 0 {
		shelf, _, _ := m.find(next[0].id)
		*shelf = slices.Clone(next)
	}
}

func shelfOf(id uint64) uint64 { return id >> (64 - shelfBits) }

// wake lets what an earlier process was told by a file count.
func (m *messages) wake(file int32) {
	sum, sleeps := m.asleep[file]
	if !sleeps {
		return
	}
	if m.restored {
		delete(m.asleep, file)
		m.sum = plus(m.sum, sum, 1)
		return
	}
	delete(m.asleep, file)
	for c := range m.all() { // others may have told of some of them meanwhile
		if c.file == file {
			m.sum = plus(m.sum, c.usage(), 1)
		}
	}
}

// stand lets messages count that a file tells which is awake, though they were taken for
// those of one that sleeps.
func (m *messages) stand() {
	for c := range m.all() {
		if !m.counts(*c) && m.counts(counted{file: c.other}) {
			m.change(c, func() { c.file, c.other = c.other, c.file })
			m.restored = false
		}
	}
}

// drop forgets what files have told, and no other has.
func (m *messages) drop(files ...int32) {
	if len(files) == 0 {
		return
	}
	gone := map[int32]bool{}
	for _, f := range files {
		gone[f] = true
	}
	for c := range m.all() {
		if gone[c.other] {
			c.other = 0
		}
		if gone[c.file] {
			m.change(c, func() { c.file, c.other = c.other, 0 })
			m.restored = false
		}
		if c.file == 0 {
			c.tokens = tokens{}
		}
	}
	for id, x := range m.whole {
		if gone[x.file] {
			delete(m.whole, id)
			m.sum = plus(m.sum, x.used, -1)
		}
	}
	for _, f := range files {
		delete(m.asleep, f)
	}
}

// kept gives what files have told that are kept, in the order of the ids.
func (m *messages) kept(keeps map[int32]bool) iter.Seq[counted] {
	return func(yield func(counted) bool) {
		for at := range m.all() {
			c := *at
			if !keeps[c.other] {
				c.other = 0
			}
			if !keeps[c.file] {
				c.file, c.other = c.other, 0
			}
			if c.file != 0 && !yield(c) {
				return
			}
		}
	}
}

// plus adds the tokens of v to u, so many times.
func plus(u, v run.Usage, times int64) run.Usage {
	u.Input += times * v.Input
	u.Output += times * v.Output
	u.CacheRead += times * v.CacheRead
	u.CacheWrite += times * v.CacheWrite
	u.Unpriced = u.Tokens()
	return u
}

// counts reports whether the reader of a dialect tells of each message. Others tell what a
// session has used in all.
func counts(dialect string) bool {
	switch dialect {
	case "claude", "claude-transcript", "qwen", "amp":
		return true
	}
	return false
}
