package stream

import (
	"bytes"

	"example.com/layover/engine/agent"
)

// headLines is after how many lines a dialect counts as known, if none has a mark that no
// other has.
const headLines = 16

// head is the beginning of a stream, while its dialect is not certain.
type head struct {
	text  []byte
	seen  int // how much of it was looked through for lines
	lines int
	over  bool // the dialect is certain, or cannot be told
}

// guess takes the next bytes while the dialect is not certain, and gives what of them the
// reader is still to be fed. The dialect is guessed behind the first, second, fourth, … line
// and once there is no need to read more, however the bytes come.
func (s *Stream) guess(p []byte) (rest []byte) {
	h := &s.head
	h.text = append(h.text, p...)
	for !h.over {
		end := bytes.IndexByte(h.text[h.seen:min(len(h.text), agent.GuessSize)], '\n')
		switch {
		case end >= 0:
			h.seen += end + 1
			if h.lines++; h.lines&(h.lines-1) != 0 {
				continue
			}
		case len(h.text) >= agent.GuessSize:
			h.seen, h.over = agent.GuessSize, true
		default:
			return p
		}
		dialect, sure := agent.GuessSurely(h.text[:h.seen])
		if dialect != "" && dialect != s.account.Dialect {
			s.begin(dialect)
			p = h.text
		}
		h.over = h.over || sure || dialect != "" && h.lines >= headLines
	}
	h.text = nil
	return p
}
