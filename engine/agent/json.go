package agent

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// raw is one JSON value as it stands in a line. Reading never recurses, so its
// depth does not matter, and bytes that are not UTF-8 are let through.
type raw []byte

// span returns where the value that starts at or after i ends; false if there is
// no whole value.
func span(b []byte, i int) (int, bool) {
	var open []byte
	for {
		i = skipSpace(b, i)
		if i >= len(b) {
			return 0, false
		}
		ok := true
		switch b[i] {
		case '{', '[':
			kind := b[i]
			i = skipSpace(b, i+1)
			if i < len(b) && b[i] == kind+2 { // '}' and ']' stand two after their openers
				i++
				break
			}
			open = append(open, kind)
			if kind == '{' {
				if _, i, ok = key(b, i); !ok {
					return 0, false
				}
			}
			continue
		case '"':
			i, ok = stringEnd(b, i)
		default:
			i, ok = literalEnd(b, i)
		}
		if !ok {
			return 0, false
		}
		if open, i, ok = closeValue(b, i, open); !ok {
			return 0, false
		}
		if len(open) == 0 {
			return i, true
		}
	}
}

// closeValue goes on behind a value: it closes what ends there and stops where
// the next value must start, or at depth zero.
func closeValue(b []byte, i int, open []byte) ([]byte, int, bool) {
	for len(open) > 0 {
		i = skipSpace(b, i)
		if i >= len(b) {
			return open, 0, false
		}
		top := open[len(open)-1]
		switch {
		case b[i] == top+2:
			open = open[:len(open)-1]
			i++
		case b[i] == ',' && top == '{':
			_, i, ok := key(b, i+1)
			return open, i, ok
		case b[i] == ',':
			return open, i + 1, true
		default:
			return open, 0, false
		}
	}
	return open, i, true
}

// key reads a member's name and its colon, and returns where the value starts.
func key(b []byte, i int) (raw, int, bool) {
	i = skipSpace(b, i)
	if i >= len(b) || b[i] != '"' {
		return nil, 0, false
	}
	end, ok := stringEnd(b, i)
	if !ok {
		return nil, 0, false
	}
	name := raw(b[i:end])
	end = skipSpace(b, end)
	if end >= len(b) || b[end] != ':' {
		return nil, 0, false
	}
	return name, end + 1, true
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// stringEnd returns where the string that starts at i ends. It looks at each byte
// once, however many of them are escaped.
func stringEnd(b []byte, i int) (int, bool) {
	quote := i
	for i++; i < len(b); {
		if quote < i {
			next := bytes.IndexByte(b[i:], '"')
			if next < 0 {
				return 0, false
			}
			quote = i + next
		}
		slash := bytes.IndexByte(b[i:quote], '\\')
		if slash < 0 {
			return quote + 1, true
		}
		i += slash + 2
	}
	return 0, false
}

func literalEnd(b []byte, i int) (int, bool) {
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(b[i:], []byte(word)) {
			return i + len(word), true
		}
	}
	end := i
	for end < len(b) && bytes.IndexByte([]byte("+-.0123456789Ee"), b[end]) >= 0 {
		end++
	}
	return end, end > i
}

// members calls take with each member of an object, in order, so that of equal
// names the last one wins. It reports whether r is an object and whole.
func members(r raw, take func(name string, value raw)) bool {
	i := skipSpace(r, 0)
	if i >= len(r) || r[i] != '{' {
		return false
	}
	i = skipSpace(r, i+1)
	if i < len(r) && r[i] == '}' {
		return true
	}
	for {
		name, start, ok := key(r, i)
		if !ok {
			return false
		}
		end, ok := span(r, start)
		if !ok {
			return false
		}
		take(name.text(), r[skipSpace(r, start):end])
		i = skipSpace(r, end)
		if i >= len(r) || r[i] != ',' {
			return i < len(r) && r[i] == '}'
		}
		i++
	}
}

// elements calls take with each element of an array; anything else has none.
func elements(r raw, take func(value raw)) {
	if len(r) == 0 || r[0] != '[' {
		return
	}
	for i := 1; ; i++ {
		end, ok := span(r, i)
		if !ok {
			return
		}
		take(r[skipSpace(r, i):end])
		i = skipSpace(r, end)
		if i >= len(r) || r[i] != ',' {
			return
		}
	}
}

// member returns one member of an object; nil if it is not there.
func (r raw) member(name string) raw {
	var found raw
	members(r, func(n string, value raw) {
		if n == name {
			found = value
		}
	})
	return found
}

// text is the value of a string; anything else gives the empty one. What is not
// UTF-8 becomes U+FFFD, and what is no escape sequence stays.
func (r raw) text() string {
	if len(r) < 2 || r[0] != '"' {
		return ""
	}
	if bytes.IndexByte(r, '\\') < 0 && utf8.Valid(r) {
		return string(r[1 : len(r)-1])
	}
	var s string
	if json.Unmarshal(r, &s) != nil {
		return strings.ToValidUTF8(unescape(string(r[1:len(r)-1]), false), "\ufffd")
	}
	return s
}

// number is the value of a number, or of a string that holds one; false if it is
// neither or not finite.
func (r raw) number() (float64, bool) {
	if len(r) > 64 {
		return 0, false
	}
	s := string(r)
	if len(r) > 0 && r[0] == '"' {
		s = r.text()
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// maxCount and maxCost bound what one record may state, in tokens and dollars: no agent
// has used so much, and sums of it stay numbers.
const (
	maxCount = 1e12
	maxCost  = 1e6
)

// count is the value of a number that can be a count; zero if it cannot be one.
func (r raw) count() int64 {
	v, ok := r.number()
	if !ok || v < 0 || v > maxCount {
		return 0
	}
	return int64(v)
}

// flag reports whether the value is true.
func (r raw) flag() bool { return string(r) == "true" || string(r) == `"true"` }

// set reports whether the value is there and not null.
func (r raw) set() bool { return len(r) > 0 && string(r) != "null" }
