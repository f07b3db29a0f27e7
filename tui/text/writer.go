package text

import (
	"unicode"
	"unicode/utf8"
)

// marksMax is how many joining characters in a row are kept. No script needs more;
// a heap of them would cover the lines around.
const marksMax = 4

// writer collects characters up to a number of cells. It counts each character by
// itself, which is never less than a terminal that joins them would need.
type writer struct {
	max   int
	buf   []byte
	width int
	// room is the length of buf up to which an ellipsis still fits behind.
	room int
	// marks counts the joining characters since the last other one.
	marks int
	last  rune
	// full is set once something did not fit.
	full bool
}

// put adds a harmless character and reports whether there is room for more.
func (w *writer) put(r rune) bool {
	if w.full {
		return false
	}
	width := cells(r)
	joins := width == 0 || unicode.Is(unicode.M, r)
	switch {
	case r == unreadable && w.last == unreadable:
		return true
	case joins && (w.width == 0 || w.marks == marksMax):
		return true
	case w.width+width > w.max:
		w.full = true
		return false
	case joins:
		w.marks++
	default:
		w.marks = 0
	}
	w.width += width
	w.last = r
	w.buf = utf8.AppendRune(w.buf, r)
	if w.width < w.max {
		w.room = len(w.buf)
	}
	return true
}

// String is what was put; if not all fitted, it ends in an ellipsis.
func (w *writer) String() string {
	if !w.full {
		return string(w.buf)
	}
	return string(w.buf[:w.room]) + ellipsis
}
