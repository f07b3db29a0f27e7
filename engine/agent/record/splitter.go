package record

import (
	"bytes"
	"slices"
	"sync"
)

// Sizes of what a [Splitter] keeps of one line, in bytes.
const (
	// MaxLine is the longest line that is kept whole.
	MaxLine = 1 << 20
	// LongHead is how much of the beginning of a longer line is kept.
	LongHead = 256 << 10
	// LongTail is how much of the end of a longer line is kept.
	LongTail = 64 << 10
)

// Line is one line of a stream, or one of several objects on a line that is longer than
// MaxLine. Its bytes are valid only until the function that received it returns; those
// of a line that is not held, as long as the chunk.
type Line struct {
	// Number counts from one and includes lines that were skipped.
	Number int
	// Text is the line without its end; the first LongHead bytes of a long one.
	Text []byte
	// Tail holds the last LongTail bytes of a long line and is nil otherwise.
	Tail []byte
	// Long is set if it was longer than MaxLine, so that its middle is gone.
	Long bool
	// Open is set on the last line of a stream that does not end with a newline.
	Open bool
	// Held is set if the bytes are the splitter's own, not those of the chunk.
	Held bool
	// Broken is set if a block of NUL bytes, not a newline, ended the text.
	Broken bool
	// Part is set if it is a part of a line that the chunk does not end.
	Part bool
}

// Splitter cuts a stream that comes in chunks into lines. It splits at \n only,
// drops a \r before it, a byte order mark at the start of the stream, blank lines
// and blocks of NUL bytes. A line longer than MaxLine that holds JSON objects is handed
// out object by object, so that of each the beginning and the end are there. It holds
// one line at most, of which it keeps no more than MaxLine bytes. The zero value is
// ready to use.
type Splitter struct {
	buf     []byte
	lent    *[]byte // what buf is from, of the pool; nil while nothing is held
	tail    []byte
	lines   int
	damaged int
	before  int   // of damaged, those in lines that have ended
	held    int64 // bytes of the line that has not
	mark    int
	long    bool
	nul     bool
	open    bool // the chunk does not end the line
	// objects are those of a line that is handed out one by one; nil if it is not.
	objects *objects
}

// keepHeld is how long a buffer is at most that is kept for another line that is held.
const keepHeld = 256 << 10

const byteOrderMark = "\xef\xbb\xbf"

// Feed takes the next chunk and hands out each line that it completes.
func (s *Splitter) Feed(chunk []byte, line func(Line)) {
	s.held += int64(len(chunk))
	for len(chunk) > 0 && s.mark < len(byteOrderMark) {
		if chunk[0] != byteOrderMark[s.mark] {
			held := s.mark
			s.mark = len(byteOrderMark)
			s.add([]byte(byteOrderMark[:held]), line)
			break
		}
		s.mark++
		chunk = chunk[1:]
	}
	for len(chunk) > 0 {
		end := bytes.IndexByte(chunk, '\n')
		if end < 0 {
			s.open = true
			s.text(chunk, line)
			s.open = false
			return
		}
		if text := chunk[:end]; len(s.buf) == 0 && !s.long && s.objects == nil && end <= MaxLine && bytes.IndexByte(text, 0) < 0 {
			s.whole(text, line)
		} else {
			s.text(text, line)
			s.flush(line, false, false)
		}
		s.lines++
		s.nul = false
		chunk = chunk[end+1:]
		s.before, s.held = s.damaged, int64(len(chunk))
	}
}

// whole hands out a line that stands in one chunk, without a copy.
func (s *Splitter) whole(text []byte, line func(Line)) {
	text = bytes.TrimSuffix(text, []byte("\r"))
	if len(text) > 0 && (text[0] > ' ' || len(bytes.TrimSpace(text)) > 0) {
		line(Line{Number: s.lines + 1, Text: text})
	}
}

// End hands out what is held of a last line without a newline, marked Open.
func (s *Splitter) End(line func(Line)) {
	if s.mark < len(byteOrderMark) {
		s.add([]byte(byteOrderMark[:s.mark]), line)
	}
	s.flush(line, true, false)
}

// Damaged is the number of NUL blocks met so far.
func (s *Splitter) Damaged() int { return s.damaged }

// Held is how many bytes were fed of a line that has not ended.
func (s *Splitter) Held() int64 { return s.held }

// Whole is how many lines have ended, and how many NUL blocks were met in these.
func (s *Splitter) Whole() (lines, damaged int) { return s.lines, s.before }

// ResumeSplitter returns a splitter as one is between two lines: behind so many, with so
// many NUL blocks.
func ResumeSplitter(lines, damaged int) Splitter {
	s := Splitter{lines: lines, damaged: damaged, before: damaged}
	if lines > 0 {
		s.mark = len(byteOrderMark)
	}
	return s
}

// text takes a part of one line; a block of NUL bytes in it ends what is held.
func (s *Splitter) text(part []byte, line func(Line)) {
	for len(part) > 0 {
		end := bytes.IndexByte(part, 0)
		if end != 0 {
			s.nul = false
		}
		if end < 0 {
			s.add(part, line)
			return
		}
		s.add(part[:end], line)
		if !s.nul {
			s.nul = true
			s.damaged++
			s.flush(line, false, true)
		}
		part = bytes.TrimLeft(part[end:], "\x00")
	}
}

// add takes a part of one line without its end.
func (s *Splitter) add(part []byte, line func(Line)) {
	if s.objects == nil && !s.long && len(s.buf)+len(part) > MaxLine {
		all := slices.Concat(s.buf, part)
		if start, list, ok := opening(all[:MaxLine]); ok {
			s.buf, s.objects = s.buf[:0], &objects{list: list} // all has a copy of it
			part = all[start:]
		}
	}
	if s.objects == nil {
		s.keep(part)
		return
	}
	for len(part) > 0 {
		if !s.objects.inside() {
			if part = part[s.objects.next(part):]; len(part) == 0 {
				return
			}
		}
		end, whole := s.objects.end(part)
		s.keep(part[:end])
		if whole {
			s.hand(line, false, false)
		}
		part = part[end:]
	}
}

// held are the buffers of lines that are held. Most readers hold none most of the time.
var held = sync.Pool{New: func() any { return new([]byte) }}

// keep holds a part, or of a long line its beginning and its end.
func (s *Splitter) keep(part []byte) {
	if s.lent == nil && len(part) > 0 {
		s.lent = held.Get().(*[]byte)
		s.buf = (*s.lent)[:0]
	}
	if !s.long && len(s.buf)+len(part) > MaxLine {
		s.long = true
		room := max(0, LongHead-len(s.buf))
		s.tail = append(s.tail[:0], s.buf[max(0, len(s.buf)-LongTail):]...)
		s.buf = append(s.buf, part[:min(room, len(part))]...)
		s.buf = s.buf[:LongHead]
	}
	if !s.long {
		s.buf = append(s.buf, part...)
		return
	}
	if len(part) >= LongTail {
		s.tail = append(s.tail[:0], part[len(part)-LongTail:]...)
		return
	}
	s.tail = append(s.tail, part...)
	if len(s.tail) > 4*LongTail {
		s.tail = append(s.tail[:0], s.tail[len(s.tail)-LongTail:]...)
	}
}

// flush ends a line.
func (s *Splitter) flush(line func(Line), open, broken bool) {
	s.hand(line, open, broken)
	s.objects = nil
}

// hand hands out what is held.
func (s *Splitter) hand(line func(Line), open, broken bool) {
	l := Line{Number: s.lines + 1, Text: s.buf, Long: s.long, Open: open, Held: true, Broken: broken, Part: s.open}
	if s.long {
		l.Tail = bytes.TrimSuffix(s.tail[max(0, len(s.tail)-LongTail):], []byte("\r"))
	} else {
		l.Text = bytes.TrimSuffix(s.buf, []byte("\r"))
	}
	if len(bytes.TrimSpace(l.Text)) > 0 {
		line(l)
	}
	if s.lent != nil && cap(s.buf) <= keepHeld {
		*s.lent = s.buf[:0]
		held.Put(s.lent)
	}
	s.buf, s.lent, s.tail, s.long = nil, nil, s.tail[:0], false
}
