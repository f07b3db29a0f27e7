package agent

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// raw is one JSON value as it stands in a line.
type raw []byte

// span returns where the value that starts at or after i ends; false if there is
// no whole value.
func span(b []byte, i int) (int, bool) {
	w := walk{text: b}
	return w.span(i)
}

// members calls take with each member of an object, in order, so that of equal
// names the last one wins. It reports whether r is an object and whole.
func members(r raw, take func(name string, value raw)) bool {
	if i := skipSpace(r, 0); i >= len(r) || r[i] != '{' {
		return false
	}
	var w walk
	w.start(r, 0)
	for w.enter('{'); w.more(); {
		name := string(w.name)
		if bytes.IndexByte(w.name, '\\') >= 0 {
			name = raw(`"` + name + `"`).text()
		}
		if v := w.value(); !w.bad {
			take(name, v)
		}
	}
	return !w.bad
}

// outermost is members for the record at a place of a text, which may be cut: it gives the
// place behind it, and false if it is not whole. Members that are whole are taken even then.
func outermost(text []byte, at int, take func(name string, value raw)) (end int, whole bool) {
	var w walk
	w.start(text, at)
	for w.enter('{'); w.more(); {
		name := string(w.name)
		if v := w.value(); !w.bad {
			take(name, v)
		}
	}
	return w.at, !w.bad
}

// elements calls take with each element of an array; anything else has none.
func elements(r raw, take func(value raw)) {
	if len(r) == 0 || r[0] != '[' {
		return
	}
	var w walk
	w.start(r, 0)
	for w.enter('['); w.more(); {
		if v := w.value(); !w.bad {
			take(v)
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

// word is the value of a string that is a word of the format, such as a type.
func (r raw) word() []byte {
	switch {
	case len(r) < 2 || r[0] != '"':
		return nil
	case bytes.IndexByte(r, '\\') >= 0:
		return []byte(r.text())
	}
	return r[1 : len(r)-1]
}

// number is the value of a number, or of a string that holds one; false if it is
// neither or not finite.
func (r raw) number() (float64, bool) {
	if n := r.digits(); n >= 0 {
		return float64(n), true
	}
	if len(r) == 0 || len(r) > 64 { // what is not there makes no error
		return 0, false
	}
	s := string(r)
	if r[0] == '"' {
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
	if n := r.digits(); n >= 0 {
		return n
	}
	v, ok := r.number()
	if !ok || v < 0 || v > maxCount {
		return 0
	}
	return int64(v)
}

// digits is the value of a plain number of a few digits; negative if it is not one.
func (r raw) digits() int64 {
	if len(r) == 0 || len(r) > 11 {
		return -1
	}
	var n int64
	for _, c := range r {
		if c-'0' > 9 {
			return -1
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

// flag reports whether the value is true.
func (r raw) flag() bool { return string(r) == "true" || string(r) == `"true"` }

// set reports whether the value is there and not null.
func (r raw) set() bool { return len(r) > 0 && string(r) != "null" }

// texts collects one member of each object in a list, as far as may be shown.
func texts(list raw, name string) []string {
	var all []string
	elements(list, func(v raw) {
		if t := v.member(name).text(); t != "" && len(all) < 8 {
			all = append(all, cut(t, maxDoing))
		}
	})
	return all
}

// short is the value of a string that is no longer than a time or a wait can be; the
// empty string for any other.
func (r raw) short() string {
	if len(r) > maxName {
		return ""
	}
	return strings.TrimSpace(r.text())
}
