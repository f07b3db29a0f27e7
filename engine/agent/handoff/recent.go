package handoff

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/record"
)

const (
	// minBlob is how long a string of encoded bytes is at least, such as an image; it says
	// nothing to whoever reads it. By its first blobSign bytes it is known.
	minBlob  = 2 << 10
	blobSign = 64
	// longWeight is what a line counts of which a transcript keeps no more than that it was
	// there, in bytes.
	longWeight = 256
	// markShare is how exactly the lines to be read are chosen: to one in so many.
	markShare = 256
)

// Recent looks through a stream for the newest of its lines that weigh no more than most,
// and gives where the first of them begins and what they weigh, in bytes. A line weighs
// as much as it is long, without the encoded bytes in it, and next to nothing if it is
// too long to be read. If torn is set the stream begins within a line. It reads to the
// end, in bounded memory, and costs no more than looking for quotation marks.
func Recent(stream io.Reader, torn bool, most int64) (from, weight int64, err error) {
	w := weigher{most: most, ignored: torn}
	w.mark()
	chunk := make([]byte, agent.ReadSize)
	for err == nil {
		var n int
		n, err = stream.Read(chunk)
		w.feed(chunk[:n])
	}
	w.line()
	if !errors.Is(err, io.EOF) {
		return 0, 0, fmt.Errorf("read stream: %w", err)
	}
	if len(w.marks) == 0 {
		return w.at, 0, nil
	}
	return w.marks[0].from, w.total, nil
}

// weigher weighs the lines of a stream. It keeps where some of them begin.
type weigher struct {
	most    int64
	marks   []mark // the newest, that weigh no more than most
	total   int64
	at      int64
	begin   int64 // where the line in hand begins
	blobs   int64 // how much of it is encoded bytes
	gap     int64 // how much there is since its last quotation mark
	sign    []byte
	encoded bool // whether that may be encoded bytes, by its sign and all that followed
	ignored bool // the line in hand does not count
}

// mark is a place where a line begins, and what the lines weigh up to the next mark.
type mark struct{ from, weight int64 }

func (w *weigher) mark() { w.marks = append(w.marks, mark{from: w.at}) }

func (w *weigher) feed(chunk []byte) {
	for len(chunk) > 0 {
		end := bytes.IndexByte(chunk, '\n')
		if end < 0 {
			w.part(chunk)
			return
		}
		w.part(chunk[:end])
		w.at++
		w.line()
		chunk = chunk[end+1:]
	}
}

// part takes a part of one line.
func (w *weigher) part(p []byte) {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '"')
		closed := end >= 0
		if !closed {
			end = len(p)
		}
		w.since(p[:end])
		w.at += int64(end)
		if !closed {
			return
		}
		if w.encoded && w.gap >= minBlob {
			w.blobs += w.gap
		}
		w.gap, w.sign = 0, w.sign[:0]
		w.at++
		p = p[end+1:]
	}
}

// since takes what follows a quotation mark.
func (w *weigher) since(p []byte) {
	w.gap += int64(len(p))
	if missing := min(len(p), blobSign-len(w.sign)); missing > 0 {
		w.sign, p = append(w.sign, p[:missing]...), p[missing:]
		w.encoded = isBlobSign(w.sign)
	}
	w.encoded = w.encoded && isBlobBody(p)
}

// line takes the end of a line, and leaves out the oldest that are too much.
func (w *weigher) line() {
	length := w.at - w.begin
	weight := length - w.blobs
	if length > record.MaxLine {
		weight = longWeight
	}
	ignored := w.ignored
	w.begin, w.blobs, w.gap, w.sign, w.ignored = w.at, 0, 0, w.sign[:0], false
	if ignored {
		w.marks[0].from = w.at
		return
	}
	if len(w.marks) == 0 {
		w.mark()
		w.marks[0].from -= length
	}
	last := &w.marks[len(w.marks)-1]
	last.weight += weight
	w.total += weight
	full := last.weight >= w.most/markShare
	for len(w.marks) > 0 && w.total > w.most {
		w.total -= w.marks[0].weight
		w.marks = w.marks[1:]
	}
	if full {
		w.mark()
	}
}

// isBlobSign reports whether a text begins as encoded bytes do: with letters of both
// sizes and digits, all of them of an alphabet of RFC 4648 or of a data URL (RFC 2397).
func isBlobSign(b []byte) bool {
	if len(b) < blobSign {
		return false
	}
	var small, large, digit bool
	for _, c := range b[:blobSign] {
		switch {
		case 'a' <= c && c <= 'z':
			small = true
		case 'A' <= c && c <= 'Z':
			large = true
		case '0' <= c && c <= '9':
			digit = true
		case bytes.IndexByte([]byte("+/=-_:;,."), c) < 0:
			return false
		}
	}
	return small && large && digit
}

// isBlobBody reports whether nothing in a text parts words.
func isBlobBody(b []byte) bool { return bytes.IndexByte(b, ' ') < 0 && bytes.IndexByte(b, '\\') < 0 }

// blob is what a transcript says instead of a string of encoded bytes; empty if it is none.
func blob(s record.Raw) string {
	if len(s) < minBlob+2 || s[0] != '"' || !isBlobSign(s[1:]) || !isBlobBody(s) {
		return ""
	}
	return fmt.Sprintf("[%d bytes of data]", len(s)-2)
}

// saidText is the text of a string, as a transcript may hold it.
func saidText(r record.Raw) string {
	if b := blob(r); b != "" {
		return b
	}
	return r.Text()
}
