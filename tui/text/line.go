package text

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
)

// Line returns u as one line of at most max cells, ending in "…" if it was cut.
//
// It shows what a terminal would still show: of each line the part after its last
// carriage return, without colours and other control sequences. Control characters
// and those without width are left out, a tab is a space, the end of a line inside
// the text is "↵", and what would reorder or hide text, or is no character at all,
// is "�". The result of Line is its own Line. With max below one it is empty.
func Line(u run.Untrusted, max int) string {
	if max < 1 {
		return ""
	}
	w := &writer{max: max}
	rest, more := trimEnd(string(u)), true
	for first := true; more && !w.full; first = false {
		if !first && !w.put(newline) {
			break
		}
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		w.line(line)
	}
	return w.String()
}

// line adds one line of foreign text, which holds no newline.
func (w *writer) line(s string) {
	s = strings.TrimRight(s, "\r")
	s = s[strings.LastIndexByte(s, '\r')+1:]
	// No more than this can be shown, so that the cost does not depend on the size
	// of hostile text: at most five characters a cell, and some sequences.
	limit := 64 * (w.max + 64)
	cut := len(s) > limit
	if cut {
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = s[:limit]
	}
	// Stray bytes go first: ansi.Strip takes those above 0x7F for controls and may
	// swallow what follows.
	for _, r := range ansi.Strip(strings.ToValidUTF8(s, string(unreadable))) {
		if !w.show(r) {
			return
		}
	}
	w.full = w.full || cut
}

// show adds a character as its fate tells, and reports whether there is room left.
func (w *writer) show(r rune) bool {
	switch judge(r) {
	case keep:
		return w.put(plain(r))
	case blank:
		return w.put(' ')
	case breaks:
		return w.put(newline)
	case drop:
		return true
	}
	return w.put(unreadable)
}

// trimEnd cuts the ends of lines off the end of s.
func trimEnd(s string) string { return strings.TrimRight(s, "\r\n") }

// Name returns u, which names something (a file, a model, a branch), as one line of
// at most max cells, ending in "…" if it was cut. Nothing is left out, so that
// different names look different: what [Line] would not show as it is comes as a Go
// escape such as \n, \x1b or \u202e. With max below one it is empty.
func Name(u run.Untrusted, max int) string {
	if max < 1 {
		return ""
	}
	w := &writer{max: max}
	for i := 0; i < len(u) && !w.full; {
		r, size := utf8.DecodeRuneInString(string(u[i:]))
		as := string(u[i : i+size])
		i += size
		if r == utf8.RuneError && size == 1 {
			w.escape(as)
			continue
		}
		if r == ' ' || judge(r) == keep && plain(r) == r && r != unreadable {
			before := len(w.buf)
			w.put(r)
			if len(w.buf) > before || w.full {
				continue
			}
		}
		w.escape(as)
	}
	return w.String()
}

// escape adds a character in the letters of a Go string.
func (w *writer) escape(s string) {
	quoted := strconv.QuoteToASCII(s)
	for _, r := range quoted[1 : len(quoted)-1] {
		w.put(r)
	}
}
