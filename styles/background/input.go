package background

import (
	"bytes"
	"os"
)

// The beginning of an answer, and how long an answer may be at most, in bytes.
const (
	answerStart = "\x1b]11;"
	answerMax   = 64
)

// Input reads the keys of a terminal that [Ask] has asked. It gives first what was
// read while Ask listened, then what the terminal sends, without the answer if it
// comes late. Reading blocks as reading the file does; keys read by Ask come with
// the first bytes that follow them. One goroutine may read at a time.
//
// It has the methods by which bubbletea recognises a terminal.
type Input struct {
	file *os.File
	// kept was read and not yet given to anyone.
	kept []byte
	// awaiting is set while the answer has not come.
	awaiting bool
}

// Read reads keys. It may return no bytes and no error, when all that came was the
// answer.
func (i *Input) Read(p []byte) (int, error) {
	if !i.awaiting {
		if len(i.kept) == 0 {
			return i.file.Read(p)
		}
		return i.give(p), nil
	}
	n, err := i.file.Read(p)
	i.take(p[:n])
	if err != nil {
		// Nothing can follow, so an answer that is not complete is none.
		i.awaiting = false
		if len(i.kept) > 0 {
			return i.give(p), nil
		}
		return 0, err
	}
	return i.give(p), nil
}

// Write writes to the terminal.
func (i *Input) Write(p []byte) (int, error) { return i.file.Write(p) }

// Close closes the file that Ask was given.
func (i *Input) Close() error { return i.file.Close() }

// Fd is the descriptor of the file that Ask was given.
func (i *Input) Fd() uintptr { return i.file.Fd() }

// Name is the name of the file that Ask was given.
func (i *Input) Name() string { return i.file.Name() }

// give moves as much as may be given now from kept to p.
func (i *Input) give(p []byte) int {
	ready := len(i.kept)
	if i.awaiting {
		// Hold back a beginning of the answer. A lone ESC is a key.
		if at := partial(i.kept); at >= 0 {
			ready = at
		}
	}
	n := copy(p, i.kept[:ready])
	i.kept = append(i.kept[:0], i.kept[n:]...)
	return n
}

// take keeps what was read, and cuts the answer out as soon as it is complete.
func (i *Input) take(read []byte) (answer []byte, found bool) {
	i.kept = append(i.kept, read...)
	from := bytes.Index(i.kept, []byte(answerStart))
	if from < 0 {
		return nil, false
	}
	body, after, complete := cutEnd(i.kept[from+len(answerStart):])
	if !complete {
		if len(i.kept)-from > answerMax {
			i.awaiting = false
		}
		return nil, false
	}
	answer = bytes.Clone(body)
	i.kept = append(i.kept[:from], after...)
	i.awaiting = false
	return answer, true
}

// cutEnd splits b at the end of a control string: BEL, or ESC and a backslash.
func cutEnd(b []byte) (body, after []byte, ok bool) {
	for at, c := range b {
		switch {
		case c == '\a':
			return b[:at], b[at+1:], true
		case c == '\x1b' && at+1 < len(b) && b[at+1] == '\\':
			return b[:at], b[at+2:], true
		}
	}
	return nil, nil, false
}

// partial finds where b ends in a beginning of the answer that is longer than the
// two bytes which a key may send, or holds an answer without its end; -1 if not.
func partial(b []byte) int {
	if at := bytes.Index(b, []byte(answerStart)); at >= 0 {
		return at
	}
	for n := len(answerStart) - 1; n > len("\x1b]"); n-- {
		if bytes.HasSuffix(b, []byte(answerStart[:n])) {
			return len(b) - n
		}
	}
	return -1
}
