package watcher

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"sort"

	"example.com/layover/engine/run"
)

// messages sums up what messages have used, each once, however many files hold it: a
// session that goes on in another file takes its messages along. A message counts with
// the greatest usage that any file tells of it, so that the order does not matter in which
// files are read. Of those that stand in more than two files only two are known. It takes
// 32 bytes for each. The zero value holds none.
type messages struct {
	// settled are messages as they are packed, by id; fresh is what has come since, which
	// outweighs them. One without a file is none any more.
	settled []byte
	fresh   map[uint64]counted
	// asleep are files of which an earlier process has told, and nobody since: what is
	// settled of them does not count. It holds their sums.
	asleep map[int32]run.Usage
	// whole are sessions that tell what they have used in all, by their ids.
	whole map[string]session
	sum   run.Usage
}

// session is what a session has used in all, as a file tells it.
type session struct {
	used run.Usage
	file int32
}

// counted is the usage of a message, the file that told of it, and another one that did,
// if there is one: files are numbered from one.
type counted struct {
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

// maxFresh is how many messages are kept loose.
const maxFresh = 1 << 14

// add takes what a message has used, as a file tells it.
func (m *messages) add(file int32, id uint64, t tokens) {
	was := m.find(id)
	switch {
	case was.file != 0 && t.total() <= was.total():
		if was.other == 0 && file != was.file {
			was.other = file
			m.put(id, was)
		}
		return
	case was.file == 0 || was.file == file:
		m.put(id, counted{tokens: t, file: file, other: was.other})
	default:
		m.put(id, counted{tokens: t, file: file, other: was.file})
	}
	m.sum = plus(m.sum, t.usage(), 1)
	if was.file != 0 {
		m.sum = plus(m.sum, was.usage(), -1)
	}
}

func (m *messages) put(id uint64, c counted) {
	if m.fresh == nil {
		m.fresh = make(map[uint64]counted, maxFresh)
	}
	if m.fresh[id] = c; len(m.fresh) >= maxFresh {
		m.settle()
	}
}

// find gives a message that counts; its file is zero if there is none.
func (m *messages) find(id uint64) counted {
	if c, ok := m.fresh[id]; ok {
		return c
	}
	at := m.search(id)
	if at == len(m.settled)/packedSize || m.id(at) != id {
		return counted{}
	}
	return m.awake(m.at(at))
}

// awake is a settled message as far as it counts: what sleeping files tell does not.
func (m *messages) awake(c counted) counted {
	if _, sleeps := m.asleep[c.other]; sleeps {
		c.other = 0
	}
	if _, sleeps := m.asleep[c.file]; sleeps {
		return counted{}
	}
	return c
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

// wake lets what an earlier process was told by a file count.
func (m *messages) wake(file int32) {
	sum, sleeps := m.asleep[file]
	if !sleeps {
		return
	}
	if len(m.fresh) == 0 {
		delete(m.asleep, file)
		m.sum = plus(m.sum, sum, 1)
		return
	}
	// Others may have told of the same messages meanwhile: it is as if it were read again.
	var again []int
	for i := range len(m.settled) / packedSize {
		if m.at(i).file == file {
			again = append(again, i)
		}
	}
	was := m.settled
	for _, i := range again {
		id, c := unpack(was[i*packedSize:])
		m.add(file, id, c.tokens)
	}
	delete(m.asleep, file)
}

// drop forgets what a file has told, and no other.
func (m *messages) drop(file int32) {
	m.settle()
	for i := range len(m.settled) / packedSize {
		c := m.at(i)
		if c.file != file && c.other != file {
			continue
		}
		if c = m.awake(c); c.file == file && c.other == 0 {
			m.sum = plus(m.sum, c.usage(), -1)
		}
		if c.file == file {
			c.file = c.other
		}
		c.other = 0
		pack(m.settled[i*packedSize:], m.id(i), c)
	}
	for id, x := range m.whole {
		if x.file == file {
			delete(m.whole, id)
			m.sum = plus(m.sum, x.used, -1)
		}
	}
}

// settle packs all there are, in place from the end on. One that is none any more stays, as
// one without a file.
func (m *messages) settle() {
	if len(m.fresh) == 0 {
		return
	}
	ids := slices.Sorted(maps.Keys(m.fresh))
	n := len(m.settled) / packedSize
	more := len(ids)
	for _, id := range ids {
		if at := m.search(id); at < n && m.id(at) == id {
			more--
		}
	}
	m.settled = slices.Grow(m.settled, more*packedSize)[:(n+more)*packedSize]
	from, to := n-1, n+more-1
	for j := len(ids) - 1; j >= 0; to-- {
		if from >= 0 && m.id(from) > ids[j] {
			copy(m.settled[to*packedSize:], m.settled[from*packedSize:(from+1)*packedSize])
			from--
			continue
		}
		if from >= 0 && m.id(from) == ids[j] {
			from--
		}
		pack(m.settled[to*packedSize:], ids[j], m.fresh[ids[j]])
		j--
	}
	clear(m.fresh)
}

// search finds the place of a message among those that are settled.
func (m *messages) search(id uint64) int {
	return sort.Search(len(m.settled)/packedSize, func(i int) bool { return m.id(i) >= id })
}

// packed gives what files have told that are kept, and the sums of what counts as theirs.
func (m *messages) packed(keeps map[int32]bool) ([]byte, map[int32]run.Usage) {
	m.settle()
	all, sums := make([]byte, 0, len(m.settled)), map[int32]run.Usage{}
	for i := range len(m.settled) / packedSize {
		id, c := unpack(m.settled[i*packedSize:])
		if !keeps[c.other] {
			c.other = 0
		}
		if !keeps[c.file] {
			c.file, c.other = c.other, 0
		}
		if c.file != 0 {
			all = all[:len(all)+packedSize]
			pack(all[len(all)-packedSize:], id, c)
			sums[c.file] = plus(sums[c.file], c.usage(), 1)
		}
	}
	return all, sums
}

// packedSize is how long a message is: its id, its four counts and its two files.
const packedSize = 8 + 4*4 + 2*4

func (m *messages) id(i int) uint64 { return binary.LittleEndian.Uint64(m.settled[i*packedSize:]) }

func (m *messages) at(i int) counted {
	_, c := unpack(m.settled[i*packedSize:])
	return c
}

func pack(b []byte, id uint64, c counted) {
	binary.LittleEndian.PutUint64(b, id)
	for i, n := range [...]uint32{c.input, c.output, c.read, c.written, uint32(c.file), uint32(c.other)} {
		binary.LittleEndian.PutUint32(b[8+4*i:], n)
	}
}

func unpack(b []byte) (uint64, counted) {
	n := func(i int) uint32 { return binary.LittleEndian.Uint32(b[8+4*i:]) }
	return binary.LittleEndian.Uint64(b), counted{tokens{n(0), n(1), n(2), n(3)}, int32(n(4)), int32(n(5))}
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
