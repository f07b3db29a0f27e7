package agent

import (
	"math"
	"time"
)

// maxAhead is how far away a reset can be; a farther one is a misread.
const maxAhead = 35 * 24 * time.Hour

// believable returns t, or zero if t cannot be a reset seen at now.
func believable(t, now time.Time) time.Time {
	if !t.After(now) || t.After(now.Add(maxAhead)) {
		return time.Time{}
	}
	return t
}

// roundUp returns the next whole second.
func roundUp(t time.Time) time.Time {
	whole := t.Truncate(time.Second)
	if whole.Before(t) {
		whole = whole.Add(time.Second)
	}
	return whole
}

// epoch is the instant of a Unix time in seconds or milliseconds, rounded up to a
// second; zero if it is neither.
func epoch(v float64) time.Time {
	if v > 1e11 {
		v /= 1e3
	}
	if !(v > 0) || v > 1e11 {
		return time.Time{}
	}
	return time.Unix(int64(math.Ceil(v)), 0).UTC()
}

// instantForms are the ways to write an instant in a field: RFC 3339 and its looser
// ISO 8601 relatives, then the three forms of an HTTP-date.
var instantForms = []string{
	time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00",
	"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC,
}

// instant reads a field that states a reset: a Unix time as a number or a string, an
// ISO 8601 time with its zone, or an HTTP-date. It is zero if the field cannot be one
// at now.
func instant(r raw, now time.Time) time.Time {
	if v, ok := r.number(); ok {
		return believable(epoch(v), now)
	}
	text := r.short()
	for _, form := range instantForms {
		if t, err := time.Parse(form, text); err == nil {
			return believable(roundUp(t).UTC(), now)
		}
	}
	return time.Time{}
}

// later is the later of two instants.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
