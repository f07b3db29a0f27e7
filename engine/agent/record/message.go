package record

import "bytes"

// Said is what an agent says: the last line of a string of a record that tells something,
// as it stands there. It is nothing if no line does.
func Said(text Raw) Act {
	if len(text) < 2 || text[0] != '"' {
		return Act{}
	}
	text = text[1 : len(text)-1]
	from, to := lastLine(text)
	if to == 0 {
		return Act{}
	}
	return Act{Object: text[from:to], Said: true}
}

// maxBlank is how many lines are passed over that tell nothing.
const maxBlank = 16

// lastLine finds the last line that tells something in the inside of a string of a
// record; nothing if none does.
func lastLine(text []byte) (from, to int) {
	to = len(text)
	for range maxBlank {
		from = lineStart(text[:to])
		if tells(text[from:to]) {
			return from, to
		}
		if to = from - len(`\n`); to < 0 {
			break
		}
	}
	return 0, 0
}

// lineStart is where the last line of a text starts: behind its last line break.
func lineStart(text []byte) int {
	for end := len(text); end > 0; end -= breakWindow {
		part := text[:min(end+1, len(text))] // with all of a break that begins in the window
		last := -1
		for from := max(0, end-breakWindow); ; from++ {
			at := bytes.Index(part[from:], []byte(`\n`))
			if at < 0 {
				break
			}
			if from += at; isBreak(text, from) {
				last = from
			}
		}
		if last >= 0 {
			return last + len(`\n`)
		}
	}
	return 0
}

// breakWindow is how much of a text is looked through at once for its last break, in bytes:
// to look forwards is much faster than backwards.
const breakWindow = 256

// cutLine parts a text at its first line break; false if it has none.
func cutLine(text []byte) (line, rest []byte, found bool) {
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte(`\n`))
		if at < 0 {
			return text, nil, false
		}
		if at += from; isBreak(text, at) {
			return text[:at], text[at+len(`\n`):], true
		}
		from = at + 1
	}
}

// isBreak reports whether a backslash and an n are a line break, and not a backslash that
// is escaped and a letter.
func isBreak(text []byte, at int) bool {
	slashes := at
	for slashes > 0 && text[slashes-1] == '\\' {
		slashes--
	}
	return (at-slashes)%2 == 0
}

// maxCode is how long a word is at most that stands alone and tells something. Keys and
// digests are longer.
const maxCode = 48

// tells reports whether a line says something to people: it has a letter or a digit, and is
// no key or the like.
func tells(line []byte) bool {
	line = bytes.Trim(line, " ")
	if len(line) > maxCode && !bytes.ContainsAny(line, " \\") && isASCII(line) {
		return false
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			if i++; i < len(line) && line[i] == 'u' {
				return true
			}
		case c-'0' <= 9, c|0x20 >= 'a' && c|0x20 <= 'z', c >= 0x80:
			return true
		}
	}
	return false
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// Speech is the last line of a message that comes in parts, as they stand in records. The
// zero value is a message without any part.
type Speech struct {
	line []byte // the last one that has ended and tells something
	next []byte // the one that comes
}

// maxSpeech bounds the lines that are kept and looked at, in bytes each. One of that
// length may have been cut.
const maxSpeech = 4 * MaxDoing

// Add takes the next part, a string of a record, and returns what is said by now. It is
// valid until the next call.
func (s *Speech) Add(part Raw) Act {
	if len(part) < 2 || part[0] != '"' {
		return Act{}
	}
	text := part[1 : len(part)-1]
	for more := true; more; {
		var line []byte
		line, text, more = cutLine(text)
		s.next = append(s.next, line[:min(len(line), maxSpeech-len(s.next))]...)
		if more {
			if tells(s.next) {
				s.line, s.next = s.next, s.line
			}
			s.next = s.next[:0]
		}
	}
	newest := s.line
	if tells(s.next) {
		newest = s.next
	}
	if len(newest) == 0 {
		return Act{}
	}
	return Act{Object: newest, Said: true}
}

// Saved is what a saved message consists of: the lines that are kept. Of the one that comes
// the last word is not there, as only a part of it may have come.
func (s *Speech) Saved() (line, next []byte) {
	return s.line, s.next[:bytes.LastIndexAny(s.next, " \t")+1]
}

// ResumeSpeech goes on with a message that was saved.
func ResumeSpeech(line, next []byte) Speech {
	return Speech{line: line[:min(len(line), maxSpeech)], next: next[:min(len(next), maxSpeech)]}
}

// End tells that the message is over.
func (s *Speech) End() { s.line, s.next = s.line[:0], s.next[:0] }
