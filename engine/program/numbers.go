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

// dollars reads a bound of money.
func (t table) dollars(key string, into *float64) {
	v, ok := t.raw(key)
	if !ok {
		return
	}
	n, isWhole := v.(int64)
	f, isFloat := v.(float64)
	if isWhole {
		f = float64(n)
	}
	if !isWhole && !isFloat {
		t.wrongType(key, "a number", v, "")
		return
	}
	if message := notDollars(key, f); message != "" {
		t.fault(key, message, noBound)
		return
	}
	*into = f
}

const (
	// leastDollars and mostDollars bound an amount of dollars: less cannot be told
	// apart from nothing, and more is no bound.
	leastDollars = 0.001
	mostDollars  = 1e9
	// noBound is the hint about a bound that is none.
	noBound = "leave it out for no bound"
)

// notDollars tells why a number bounds no money; empty if it does.
func notDollars(name string, usd float64) string {
	switch {
	case math.IsNaN(usd), math.IsInf(usd, 0):
		return name + " is not a finite number"
	case usd < 0:
		return fmt.Sprintf("%s is negative: %v", name, usd)
	case usd < leastDollars:
		return fmt.Sprintf("%s is %v, but must be at least %v", name, usd, leastDollars)
	case usd > mostDollars:
		return fmt.Sprintf("%s is %v, but must be at most %.0f", name, usd, mostDollars)
	}
	return ""
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
