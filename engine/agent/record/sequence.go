package record

import "strings"

// sequence gives the length of the terminal control sequence that s begins with
// (ECMA-48): all of it, or its first character if what is behind that is text. No
// sequence goes on over the end of a line.
func sequence(s string) int {
	const escape, c1 = len("\x1b"), len("\u009b")
	switch {
	case s[0] != 0x1b:
		return parameters(s, c1, c1)
	case len(s) == escape:
		return escape
	}
	switch kind := s[1]; {
	case kind == '[':
		return parameters(s, escape+1, escape)
	case strings.IndexByte("]PX^_", kind) >= 0:
		return controlString(s)
	case isIntermediate(kind): // such as a choice of a character set
		end := escape + 1
		for end < len(s) && isIntermediate(s[end]) {
			end++
		}
		if end < len(s) && s[end] > ' ' && s[end] <= '~' {
			end++
		}
		return end
	case kind > ' ' && kind <= '~':
		return escape + 1
	}
	return escape
}

func isIntermediate(c byte) bool { return c >= 0x20 && c <= 0x2f }

// parameters goes over the parameters of a sequence, from a place on. Terminals obey
// controls within it and go on with it; here they are a part of it. One that is open at
// the end of the text is but its opening.
func parameters(s string, from, opening int) int {
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c == 0x1b, c == '\n', c >= 0x7f:
			return i
		}
	}
	return opening
}

// controlString goes over a string that is meant for the terminal, such as a title or
// the target of a link.
func controlString(s string) int {
	for i := 2; i < len(s); i++ {
		switch {
		case s[i] == 0x07:
			return i + 1
		case strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		case s[i] == 0x1b, s[i] == '\n': // such as the end of the string, ESC \
			return i
		}
	}
	return 1
}
