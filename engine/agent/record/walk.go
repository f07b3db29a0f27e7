package record

import "bytes"

// walk goes over JSON text from value to value, and looks at each byte once. It never
// recurses, so the depth of a value does not matter, and bytes that are not UTF-8 are
// let through. A value that is not taken is skipped:
//
//	for w.enter('{'); w.more(); {
//		switch string(w.name) {
//		case "id":
//			id = w.value()
//		}
//	}
//
// A loop goes on until more reports false. What was read counts only if the walk is not
// bad once the outermost value has ended.
type walk struct {
	text []byte
	// at is the next byte.
	at int
	// name is that of the member whose value comes next; empty in an array.
	name []byte
	// bad is set once the text is no JSON, or ends too early.
	bad bool

	open  []byte // the brackets that are open
	due   bool   // a value starts here that was not taken
	fresh bool   // nothing of the innermost value was read
}

// start puts the walk before the value at a place of a text.
func (w *walk) start(text []byte, at int) {
	w.text, w.at, w.name, w.open = text, at, nil, w.open[:0]
	w.bad, w.due, w.fresh = false, true, false
}

// enter goes into the value that comes next if that is of a kind, '{' or '['. Any other
// value is skipped by more, which reports false.
func (w *walk) enter(kind byte) {
	if w.bad {
		return
	}
	w.at = SkipSpace(w.text, w.at)
	if !w.due || w.at >= len(w.text) || w.text[w.at] != kind {
		w.skip()
		if !w.bad { // an empty value stands for the one that is not there
			w.open = append(w.open, 0)
		}
		return
	}
	w.open = append(w.open, kind)
	w.at++
	w.due, w.fresh = false, true
}

// more goes to the next member or element of the innermost value; false if there is
// none, and then that value has ended.
func (w *walk) more() bool {
	if w.due {
		w.skip()
	}
	if w.bad {
		return false
	}
	top := w.open[len(w.open)-1]
	if top == 0 {
		w.open = w.open[:len(w.open)-1]
		return false
	}
	i := SkipSpace(w.text, w.at)
	if i >= len(w.text) {
		return w.broken()
	}
	if w.text[i] == top+2 && (w.fresh || w.text[i] != ',') { // '}' and ']' stand two after their openers
		w.open = w.open[:len(w.open)-1]
		w.at, w.fresh = i+1, false
		return false
	}
	if !w.fresh {
		if w.text[i] != ',' {
			return w.broken()
		}
		i++
	}
	w.fresh = false
	if top == '{' {
		name, next, ok := key(w.text, i)
		if !ok {
			return w.broken()
		}
		w.name, i = name, next
	}
	w.at, w.due = i, true
	return true
}

// value takes the value that comes next; nil if it is not whole.
func (w *walk) value() Raw {
	start := SkipSpace(w.text, w.at)
	w.skip()
	if w.bad {
		return nil
	}
	return Raw(w.text[start:w.at])
}

func (w *walk) broken() bool {
	w.bad, w.due = true, false
	return false
}

// skip goes behind the value that comes next.
func (w *walk) skip() {
	w.due = false
	if i := w.at; i < len(w.text) && w.text[i] == '"' {
		end, ok := StringEnd(w.text, i)
		w.at, w.bad = end, !ok
		return
	}
	depth := len(w.open)
	i, ok := w.span(w.at)
	w.open = w.open[:depth]
	if !ok {
		w.bad = true
		return
	}
	w.at = i
}

// span returns where the value ends that starts at or after i; false if there is no
// whole value. It leaves open what it has entered if that is not whole.
func (w *walk) span(i int) (int, bool) {
	b, depth := w.text, len(w.open)
next:
	for {
		if i = SkipSpace(b, i); i >= len(b) {
			return 0, false
		}
		ok := true
		switch c := b[i]; c {
		case '{', '[':
			i = SkipSpace(b, i+1)
			if i < len(b) && b[i] == c+2 {
				i++
				break
			}
			w.open = append(w.open, c)
			if c == '{' {
				if _, i, ok = key(b, i); !ok {
					return 0, false
				}
			}
			continue
		case '"':
			i, ok = StringEnd(b, i)
		default:
			i, ok = literalEnd(b, i)
		}
		if !ok {
			return 0, false
		}
		for len(w.open) > depth {
			if i = SkipSpace(b, i); i >= len(b) {
				return 0, false
			}
			top := w.open[len(w.open)-1]
			if b[i] == top+2 {
				w.open = w.open[:len(w.open)-1]
				i++
				continue
			}
			if b[i] != ',' {
				return 0, false
			}
			i++
			if top == '{' {
				if _, i, ok = key(b, i); !ok {
					return 0, false
				}
			}
			continue next
		}
		return i, true
	}
}

// key reads a member's name, as it stands between its quotes, and its colon, and returns
// where its value starts.
func key(b []byte, i int) ([]byte, int, bool) {
	if i = SkipSpace(b, i); i >= len(b) || b[i] != '"' {
		return nil, 0, false
	}
	end, ok := StringEnd(b, i)
	if !ok {
		return nil, 0, false
	}
	name := b[i+1 : end-1]
	if end < len(b) && b[end] == ':' {
		return name, end + 1, true
	}
	if end = SkipSpace(b, end); end >= len(b) || b[end] != ':' {
		return nil, 0, false
	}
	return name, end + 1, true
}

// SkipSpace returns where the first byte is, from i on, that is no space of JSON.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// StringEnd returns where the string that starts at i ends: at the first quote that an
// even number of backslashes stands before.
func StringEnd(b []byte, i int) (int, bool) {
	start := i + 1
	for i = start; ; i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return 0, false
		}
		if i += n; b[i-1] != '\\' || !escapes(b[start:i]) {
			return i + 1, true
		}
	}
}

// escapes reports whether a part of a string escapes what follows it.
func escapes(part []byte) bool {
	n := 0
	for n < len(part) && part[len(part)-1-n] == '\\' {
		n++
	}
	return n&1 == 1
}

func literalEnd(b []byte, i int) (int, bool) {
	end := i
	for end < len(b) && (b[end]-'0' <= 9 || bytes.IndexByte([]byte("+-.Ee"), b[end]) >= 0) {
		end++
	}
	if end > i {
		return end, true
	}
	for _, word := range []string{"null", "true", "false"} {
		if bytes.HasPrefix(b[i:], []byte(word)) {
			return i + len(word), true
		}
	}
	return 0, false
}
