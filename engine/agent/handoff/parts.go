package handoff

import (
	"bytes"

	"example.com/layover/engine/agent/record"
)

// maxSaying is how long a text that comes in parts may get before it is told in several
// items, in bytes: the oldest of them can then be left out. It is ended between lines,
// and never within a key, so that no secret is split: four times that long at most.
const maxSaying = 16 << 10

// part adds a part of a text that the model says.
func (t *Transcript) part(text string) {
	t.saying = append(t.saying, text...)
	if len(t.saying) < maxSaying {
		return
	}
	end := bytes.LastIndexByte(t.saying, '\n') + 1
	if key := bytes.LastIndex(t.saying, []byte("-----BEGIN")); key >= 0 && !bytes.Contains(t.saying[key:], []byte("-----END")) {
		end = min(end, key)
	}
	if end == 0 && len(t.saying) >= 4*maxSaying {
		end = len(t.saying)
	}
	t.say(ItemText, string(t.saying[:end]))
	t.saying = append(t.saying[:0], t.saying[end:]...)
}

// said ends a text that has come in parts.
func (t *Transcript) said() {
	text := string(t.saying)
	t.saying = t.saying[:0]
	t.say(ItemText, text)
}

// words takes a line that is no record: all that is printed is what was said. It is not
// cut, so that no secret is split.
func (t *Transcript) words(l record.Line) {
	if l.Long {
		t.unread++
		return
	}
	if text := record.PrintedLast(string(l.Text)); text != "" {
		t.part(text + "\n")
	}
}
