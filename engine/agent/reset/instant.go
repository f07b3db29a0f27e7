package reset

import (
	"math"
	"time"

	"example.com/layover/engine/agent/record"
)

// MaxAhead is how far away a reset can be; a farther one is a misread.
const MaxAhead = 35 * 24 * time.Hour

// Believable returns t, or zero if t cannot be a reset seen at now.
func Believable(t, now time.Time) time.Time {
	if !t.After(now) || t.After(now.Add(MaxAhead)) {
		return time.Time{}
	}
	return t
}

// RoundUp returns the next whole second.
func RoundUp(t time.Time) time.Time {
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

// Instant reads a field that states a reset: a Unix time as a number or a string, an
// ISO 8601 time with its zone, or an HTTP-date. It is zero if the field cannot be one
// at now.
func Instant(r record.Raw, now time.Time) time.Time { return Believable(instant(r), now) }

// Past reads a field like [Instant], but gives a reset that has passed at now, by no more
// than a year. It is zero for any other.
func Past(r record.Raw, now time.Time) time.Time {
	if t := instant(r); !t.After(now) && t.After(now.AddDate(-1, 0, 0)) {
		return t
	}
	return time.Time{}
}

// instant is what a field states, rounded up to a second; zero if that is no instant.
func instant(r record.Raw) time.Time {
	if v, ok := r.Number(); ok {
		return epoch(v)
	}
	text := r.Short()
	for _, form := range instantForms {
		if t, err := time.Parse(form, text); err == nil {
			return RoundUp(t).UTC()
		}
	}
	return time.Time{}
}

// Later is the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
