package program

import (
	"fmt"
	"math"
	"strings"

	"example.com/layover/engine/run"
)

// flag reads true or false.
func (t table) flag(key string, into *bool) {
	v, ok := t.raw(key)
	if !ok {
		return
	}
	b, ok := v.(bool)
	if !ok {
		t.wrongType(key, "true or false", v, "")
		return
	}
	*into = b
}

// whole reads a whole number within bounds.
func (t table) whole(key string, least, most int64) (int64, bool) {
	v, ok := t.raw(key)
	if !ok {
		return 0, false
	}
	n, ok := v.(int64)
	switch {
	case !ok:
		t.wrongType(key, "a whole number", v, "")
	case n < 0 && least >= 0:
		t.fault(key, fmt.Sprintf("%s is negative: %d", key, n), "")
	case n < least:
		t.fault(key, fmt.Sprintf("%s is %d, but must be at least %d", key, n, least), "")
	case n > most:
		t.fault(key, fmt.Sprintf("%s is %d, but must be at most %d", key, n, most), "")
	default:
		return n, true
	}
	return 0, false
}

// count reads a whole number into an int.
func (t table) count(key string, least, most int64, into *int) {
	if n, ok := t.whole(key, least, most); ok {
		*into = int(n)
	}
}

// amount reads a number that is more than nothing.
func (t table) amount(key string, into *float64) {
	v, ok := t.raw(key)
	if !ok {
		return
	}
	n, isWhole := v.(int64)
	f, isFloat := v.(float64)
	if isWhole {
		f = float64(n)
	}
	switch {
	case !isWhole && !isFloat:
		t.wrongType(key, "a number", v, "")
	case math.IsNaN(f) || math.IsInf(f, 0):
		t.fault(key, key+" is not a finite number", "leave it out for no bound")
	case f < 0:
		t.fault(key, fmt.Sprintf("%s is negative: %v", key, f), "")
	case f == 0:
		t.fault(key, key+" is 0, but must be more than nothing", "leave it out for no bound")
	default:
		*into = f
	}
}

// length tells what a duration may be.
type length struct {
	zero, off bool
	// above is a length that must be exceeded.
	above run.Duration
}

// duration reads a length of time.
func (t table) duration(key string, may length, into *run.Duration) {
	v, ok := t.raw(key)
	if !ok {
		return
	}
	s, ok := v.(string)
	if !ok {
		t.wrongType(key, "a duration in quotes", v, `such as "90s" or "8h"`)
		return
	}
	d, message, hint := parseDuration(key, s, may)
	if message != "" {
		t.fault(key, message, hint)
		return
	}
	*into = d
}

// parseDuration reads a length of time, or tells what is wrong with it.
func parseDuration(name, s string, may length) (d run.Duration, message, hint string) {
	const such = `such as "90s", "10m" or "8h"`
	err := d.UnmarshalText([]byte(s))
	switch {
	case err != nil && strings.HasPrefix(strings.TrimSpace(s), "-"):
		return 0, fmt.Sprintf("%s is negative: %q", name, s), ""
	case err != nil:
		return 0, fmt.Sprintf("%s is %q, which is no duration", name, s), such
	case d == run.Off && !may.off:
		return 0, name + ` cannot be "off"`, such
	case d == 0 && !may.zero:
		return 0, fmt.Sprintf("%s is %q, but must be longer than nothing", name, s), ""
	case d != run.Off && may.above > 0 && d <= may.above:
		return 0, fmt.Sprintf("%s is %q, but must be longer than %s", name, s, may.above.D()), "so much is kept free before it, and nothing new is started then"
	}
	return d, "", ""
}
