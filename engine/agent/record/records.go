package record

import "bytes"

// Records calls take with each JSON object on a line, as [EachRecord] finds them.
func Records(line []byte, take func(record Raw)) bool {
	var w walk
	return EachRecord(line, func(at int) (int, bool) {
		w.start(line, at)
		if record := w.value(); !w.bad {
			take(record)
		}
		return w.at, !w.bad
	})
}

// EachRecord calls read with where each JSON object on a line starts, and goes on where
// that says that it ends: one, several glued together, or those of one array. Colour
// codes around them are dropped; other text is no record. It reports false if read does,
// as the object is not whole.
func EachRecord(line []byte, read func(at int) (int, bool)) bool {
	i := skipNoise(line, 0)
	list := i < len(line) && line[i] == '['
	if list {
		i = SkipSpace(line, i+1)
	}
	for i < len(line) && line[i] == '{' {
		end, ok := read(i)
		if !ok {
			return false
		}
		i = skipNoise(line, end)
		if list && i < len(line) && line[i] == ',' {
			i = skipNoise(line, i+1)
		}
	}
	return true
}

// skipNoise skips blanks, control characters, byte order marks and terminal
// control sequences.
func skipNoise(b []byte, i int) int {
	for i < len(b) {
		switch {
		case b[i] == 0x1b:
			i = escapeEnd(b, i)
		case b[i] <= ' ' || b[i] == 0x7f:
			i++
		case bytes.HasPrefix(b[i:], []byte(byteOrderMark)):
			i += len(byteOrderMark)
		default:
			return i
		}
	}
	return i
}

// escapeEnd returns where the control sequence that starts at i ends.
func escapeEnd(b []byte, i int) int {
	if i+1 >= len(b) {
		return len(b)
	}
	switch b[i+1] {
	case '[':
		for i += 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
	case ']':
		for i += 2; i < len(b); i++ {
			if b[i] == 0x07 || b[i] == 0x1b {
				return i + 1
			}
		}
	default:
		return i + 2
	}
	return len(b)
}

// Splice makes one record of a long line's head and tail. Members of the
// outermost object that are not whole in either are left out; false if the line
// is no object or does not end as one.
func Splice(head, tail []byte) ([]byte, bool) {
	start := skipNoise(head, 0)
	tail = bytes.TrimSpace(tail)
	if start >= len(head) || head[start] != '{' || !bytes.HasSuffix(tail, []byte("}")) {
		return nil, false
	}
	record := append([]byte(nil), head[start:lastComma(head, start)]...)
	rest := tail[firstComma(tail):]
	if len(record) == 1 {
		rest = bytes.TrimPrefix(rest, []byte(","))
	}
	return append(record, rest...), true
}

// lastComma returns where the last whole member of the object at start ends.
func lastComma(b []byte, start int) int {
	end, depth := start+1, 0
	for i := start; i < len(b); i++ {
		switch b[i] {
		case '"':
			next, ok := StringEnd(b, i)
			if !ok {
				return end
			}
			i = next - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 1 {
				end = i
			}
		}
	}
	return end
}

// firstComma returns where the first whole member of the object that ends with b
// starts, at the comma before it. It walks backwards from the end, where it is
// known to be outside of any string.
func firstComma(b []byte) int {
	first, depth, quoted := len(b)-1, 0, false
	for i := len(b) - 1; i >= 0; i-- {
		switch {
		case b[i] == '"':
			slashes := 0
			for i-slashes > 0 && b[i-slashes-1] == '\\' {
				slashes++
			}
			if slashes%2 == 0 {
				quoted = !quoted
			}
			i -= slashes
		case quoted:
		case b[i] == '}' || b[i] == ']':
			depth++
		case b[i] == '{' || b[i] == '[':
			depth--
		case b[i] == ',' && depth == 1:
			first = i
		}
	}
	return first
}
