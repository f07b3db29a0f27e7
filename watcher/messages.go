package watcher

import (
	"encoding/binary"
	"math"

	"example.com/layover/engine/run"
)

// messages sums up what messages have used, each once, however many files hold it: a
// session that goes on in another file takes its messages along. A message counts with
// the greatest usage that any file tells of it, so that the order does not matter in which
// files are read. Its memory grows with the number of messages, by some 50 bytes each. Of those that stand
// in more than two files only two are known.
// The zero value holds none.
type messages struct {
	used map[uint64]counted
	// asleep are those of files that an earlier process read, packed, until somebody asks
	// for a message; their sum counts already.
	asleep []packed
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

// packed are messages of one file: each is its id and its four counts.
type packed struct {
	file int32
	raw  []byte
}

const packedSize = 8 + 4*4

// add takes what a message has used, as a file tells it.
func (m *messages) add(file int32, id uint64, t tokens) {
	m.wake()
	was, known := m.used[id]
	if known && t.total() <= was.total() {
		if was.other == 0 && file != was.file {
			was.other = file
			m.used[id] = was
		}
		return
	}
	is := counted{tokens: t, file: file, other: was.other}
	if known && was.file != file {
		is.other = was.file
	}
	m.used[id] = is
	m.sum = plus(m.sum, t.usage(), 1)
	if known {
		m.sum = plus(m.sum, was.usage(), -1)
	}
}

// session takes what a session has used in all, as a file tells it.
func (m *messages) session(file int32, id string, u run.Usage) {
	was := m.whole[id]
	if u.Tokens() <= was.used.Tokens() {
		return
	}
	if m.whole == nil {
		m.whole = map[string]session{}
	}
	m.whole[id] = session{u, file}
	m.sum = plus(plus(m.sum, u, 1), was.used, -1)
}

// sleep takes the messages of a file that were packed by pack, and their sum.
func (m *messages) sleep(file int32, raw []byte, sum run.Usage) {
	if m.used == nil && len(raw)%packedSize == 0 {
		m.asleep = append(m.asleep, packed{file, raw})
		m.sum = plus(m.sum, sum, 1)
		return
	}
	for ; len(raw) >= packedSize; raw = raw[packedSize:] {
		id, t := unpack(raw)
		m.add(file, id, t)
	}
}

// wake makes those that are asleep ready to be compared with.
func (m *messages) wake() {
	if m.used != nil {
		return
	}
	n := 0
	for _, p := range m.asleep {
		n += len(p.raw) / packedSize
	}
	m.used = make(map[uint64]counted, n)
	for _, p := range m.asleep {
		for raw := p.raw; len(raw) >= packedSize; raw = raw[packedSize:] {
			id, t := unpack(raw)
			m.used[id] = counted{tokens: t, file: p.file}
		}
	}
	m.asleep = nil
}

// drop forgets what a file has told, and no other.
func (m *messages) drop(file int32) {
	m.wake()
	for id, c := range m.used {
		switch {
		case c.other == file:
			c.other = 0
			m.used[id] = c
		case c.file == file && c.other != 0:
			c.file, c.other = c.other, 0
			m.used[id] = c
		case c.file == file:
			delete(m.used, id)
			m.sum = plus(m.sum, c.usage(), -1)
		}
	}
	for id, x := range m.whole {
		if x.file == file {
			delete(m.whole, id)
			m.sum = plus(m.sum, x.used, -1)
		}
	}
}

// pack gives the messages of each file, and their sums.
func (m *messages) pack() (map[int32][]byte, map[int32]run.Usage) {
	m.wake()
	many := map[int32]int{}
	for _, c := range m.used {
		many[c.file]++
	}
	raw, sums := make(map[int32][]byte, len(many)), make(map[int32]run.Usage, len(many))
	for file, n := range many {
		raw[file] = make([]byte, 0, n*packedSize)
	}
	for id, c := range m.used {
		b := binary.LittleEndian.AppendUint64(raw[c.file], id)
		for _, n := range []uint32{c.input, c.output, c.read, c.written} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		raw[c.file], sums[c.file] = b, plus(sums[c.file], c.usage(), 1)
	}
	return raw, sums
}

func unpack(raw []byte) (uint64, tokens) {
	n := func(i int) uint32 { return binary.LittleEndian.Uint32(raw[8+4*i:]) }
	return binary.LittleEndian.Uint64(raw), tokens{n(0), n(1), n(2), n(3)}
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
