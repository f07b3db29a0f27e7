package text

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
)

// Block returns u as at most maxLines lines of at most width cells each, broken
// between words where it can. Each line of u is treated as by [Line]; empty lines at
// the beginning and at the end are left out. If something was cut, the last line ends
// in "…". With width or maxLines below one, and for empty text, there is no line.
func Block(u run.Untrusted, width, maxLines int) []string {
	if width < 1 || maxLines < 1 {
		return nil
	}
	var lines []string
	full := false
	rest, more := strings.TrimLeft(trimEnd(string(u)), "\r\n"), true
	for more && !full && len(lines) <= maxLines {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		w := &writer{max: width * (maxLines + 1)}
		w.line(line)
		full = w.full
		lines = append(lines, wrap(string(w.buf), width)...)
	}
	cut := len(lines) > maxLines || more || full
	if len(lines) > maxLines {
		lines = lines[:maxLines]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil
	}
	if cut {
		last := &lines[len(lines)-1]
		*last = ansi.Truncate(*last, width-1, "") + ellipsis
	}
	return lines
}

// wrap breaks harmless text into lines of at most width cells.
func wrap(s string, width int) []string {
	lines := strings.Split(ansi.Wrap(s, width, ""), "\n")
	if len(lines) > 1 && lines[0] == "" {
		// The first character alone is wider than a line.
		lines = lines[1:]
	}
	for i, line := range lines {
		// A mark after a space that was broken at would join what is in front.
		line = strings.TrimLeftFunc(line, unicode.IsMark)
		lines[i] = ansi.Truncate(strings.TrimRight(line, " "), width, ellipsis)
	}
	return lines
}
