package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// lines reads a file line by line, with no more memory than [MaxLine].
type lines struct {
	r *bufio.Reader
	// number counts the lines read; end is where the last one ends.
	number int
	end    int64
	long   []byte
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

// next gives the next line without its newline, good until the next call, and
// whether it had one. Its error is [io.EOF] after the last line.
func (l *lines) next() (line []byte, whole bool, err error) {
	l.long = l.long[:0]
	part, err := l.r.ReadSlice('\n')
	for errors.Is(err, bufio.ErrBufferFull) {
		if l.long = append(l.long, part...); len(l.long) > MaxLine {
			l.number++
			return nil, false, fmt.Errorf("the line is longer than %d bytes", MaxLine)
		}
		part, err = l.r.ReadSlice('\n')
	}
	line = part
	if len(l.long) > 0 {
		l.long = append(l.long, part...)
		line = l.long
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
		return nil, false, err
	}
	l.number++
	l.end += int64(len(line))
	if err != nil {
		return line, false, nil
	}
	return line[:len(line)-1], true, nil
}
