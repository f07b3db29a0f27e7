package record

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Raw is one JSON value as it stands in a line.
type Raw []byte

// Span returns where the value that starts at or after i ends; false if there is
// no whole value.
func Span(b []byte, i int) (int, bool) {
	w := walk{text: b}
	return w.span(i)
}

// Members calls take with each member of an object, in order, so that of equal
// names the last one wins. It reports whether r is an object and whole.
func Members(r Raw, take func(name string, value Raw)) bool {
	if i := SkipSpace(r, 0); i >= len(r) || r[i] != '{' {
		return false
	}
	var w walk
	w.start(r, 0)
	for w.enter('{'); w.more(); {
		name := string(w.name)
		if bytes.IndexByte(w.name, '\\') >= 0 {
			name = Raw(`"` + name + `"`).Text()
		}
		if v := w.value(); !w.bad {
			take(name, v)
		}
	}
	return !w.bad
}

// Outermost is [Members] for the record at a place of a text, which may be cut: it gives the
// place behind it, and false if it is not whole. Members that are whole are taken even then.
func Outermost(text []byte, at int, take func(name string, value Raw)) (end int, whole bool) {
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

// Elements calls take with each element of an array; anything else has none.
func Elements(r Raw, take func(value Raw)) {
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

// Member returns one member of an object; nil if it is not there.
func (r Raw) Member(name string) Raw {
	var found Raw
	Members(r, func(n string, value Raw) {
		if n == name {
			found = value
		}
	})
	return found
}

// Text is the value of a string; anything else gives the empty one. What is not
// UTF-8 becomes U+FFFD, and what is no escape sequence stays.
func (r Raw) Text() string {
	if len(r) < 2 || r[0] != '"' {
		return ""
	}
	if bytes.IndexByte(r, '\\') < 0 && utf8.Valid(r) {
		return string(r[1 : len(r)-1])
	}
	var s string
	if json.Unmarshal(r, &s) != nil {
		return strings.ToValidUTF8(Unescape(string(r[1:len(r)-1]), false), "\ufffd")
	}
	return s
}

// Word is the value of a string that is a word of the format, such as a type.
func (r Raw) Word() []byte {
	switch {
	case len(r) < 2 || r[0] != '"':
		return nil
	case bytes.IndexByte(r, '\\') >= 0:
		return []byte(r.Text())
	}
	return r[1 : len(r)-1]
}

// Number is the value of a number, or of a string that holds one; false if it is
// neither or not finite.
func (r Raw) Number() (float64, bool) {
	if n := r.digits(); n >= 0 {
		return float64(n), true
	}
	if len(r) == 0 || len(r) > 64 { // what is not there makes no error
		return 0, false
	}
	s := string(r)
	if r[0] == '"' {
		s = r.Text()
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// maxCount and MaxCost bound what one record may state, in tokens and dollars: no agent
// has used so much, and sums of it stay numbers.
const (
	maxCount = 1e12
	MaxCost  = 1e6
)

// Count is the value of a number that can be a count; zero if it cannot be one.
func (r Raw) Count() int64 {
	if n := r.digits(); n >= 0 {
		return n
	}
	v, ok := r.Number()
	if !ok || v < 0 || v > maxCount {
		return 0
	}
	return int64(v)
}

// digits is the value of a plain number of a few digits; negative if it is not one.
func (r Raw) digits() int64 {
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

// Flag reports whether the value is true.
func (r Raw) Flag() bool { return string(r) == "true" || string(r) == `"true"` }

// Set reports whether the value is there and not null.
func (r Raw) Set() bool { return len(r) > 0 && string(r) != "null" }

// texts collects one member of each object in a list, as far as may be shown.
func texts(list Raw, name string) []string {
	var all []string
	cut := false
	Elements(list, func(v Raw) {
		if t := v.Member(name).Text(); t != "" && len(all) < 8 && !cut {
			all, cut = append(all, Whole(t, MaxDoing)), len(t) > MaxDoing
		}
	})
	return all
}

// Short is the value of a string that is no longer than a time or a wait can be; the
// empty string for any other.
func (r Raw) Short() string {
	if len(r) > MaxName {
		return ""
	}
	return strings.TrimSpace(r.Text())
}
