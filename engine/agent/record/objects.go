package record

// objects finds where the JSON objects of a line begin and end, however it comes in
// parts. It knows what stands between them as [Records] does.
type objects struct {
	depth           int
	list            bool // they are the elements of an array
	quoted, escaped bool
	// over is set once something else follows them.
	over bool
	// sequence is the byte that a terminal control sequence began with; its second byte
	// once that is known.
	sequence byte
}

// opening finds the first object of a line, and tells whether it is in an array; false
// if the line does not begin with one.
func opening(line []byte) (start int, list, ok bool) {
	start = skipNoise(line, 0)
	if list = start < len(line) && line[start] == '['; list {
		start = SkipSpace(line, start+1)
	}
	return start, list, start < len(line) && line[start] == '{'
}

// inside reports whether an object has begun and not ended.
func (o *objects) inside() bool { return o.depth > 0 }

// next skips what is between two objects; it gives where the next one begins, or the
// length of the part.
func (o *objects) next(part []byte) int {
	for i, b := range part {
		switch {
		case o.over:
			return len(part)
		case o.sequence == 0x1b:
			if o.sequence = b; b != '[' && b != ']' {
				o.sequence = 0
			}
		case o.sequence == '[' && b >= 0x40 && b <= 0x7e, o.sequence == ']' && (b == 0x07 || b == 0x1b):
			o.sequence = 0
		case o.sequence != 0, b <= ' ' && b != 0x1b, b == 0x7f, o.list && b == ',':
		case b == 0x1b:
			o.sequence = b
		case b == '{':
			return i
		default:
			o.over = true
		}
	}
	return len(part)
}

// end goes through an object, from its brace or from where the last part ended; it
// gives where the object ends, and the length of the part and false if it does not.
func (o *objects) end(part []byte) (int, bool) {
	for i, b := range part {
		switch {
		case o.escaped:
			o.escaped = false
		case o.quoted:
			o.escaped, o.quoted = b == '\\', b != '"'
		case b == '"':
			o.quoted = true
		case b == '{', b == '[':
			o.depth++
		case b == '}', b == ']':
			if o.depth--; o.depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(part), false
}
