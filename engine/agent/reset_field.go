package agent

import (
	"math"
	"strings"
	"time"
)

// fieldReset reads a field of an error's body, or a header of its answer, whose name
// alone says that it tells when the refused call may be made again. Any other field,
// and a value that cannot be one at now, gives zero.
func fieldReset(name string, v raw, now time.Time) time.Time {
	switch strings.ReplaceAll(strings.ToLower(name), "_", "-") {
	case "resets-at", "resetsat", "quotaresettimestamp":
		return instant(v, now)
	case "retry-after-ms":
		return wait(v, time.Millisecond, now)
	case "resets-in-seconds", "retry-after", "retry-after-seconds":
		return wait(v, time.Second, now)
	case "retrydelay", "quotaresetdelay":
		return wait(v, 0, now)
	}
	return time.Time{}
}

// wait reads a field that states how long to wait: a number of units, unless that is
// zero, a duration with its own, or else the instant at which the wait ends.
func wait(v raw, unit time.Duration, now time.Time) time.Time {
	if n, ok := v.number(); ok && n > 0 && n*float64(unit) <= float64(maxAhead) {
		return waited(time.Duration(math.Round(n*float64(unit))), now)
	}
	if d, rest, ok := leadingDuration(v.short()); ok && rest == "" {
		return waited(d, now)
	}
	return instant(v, now)
}

// waited is the instant a wait after now, rounded up to a second.
func waited(d time.Duration, now time.Time) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return believable(roundUp(now.Add(d)).UTC(), now)
}

// maxBody is how deep the body of an error is looked into.
const maxBody = 8

// bodyReset finds in the body of an error, a JSON value or a string that holds one, when
// the refused call may be made again: the latest instant of those that the error and its
// details name. What a body tells of windows that were not hit does not count.
func bodyReset(body raw, now time.Time) time.Time { return bodyResetIn(body, now, maxBody) }

func bodyResetIn(body raw, now time.Time, deep int) time.Time {
	var latest time.Time
	if i := skipSpace(body, 0); deep == 0 || i >= len(body) {
		return latest
	} else {
		body = body[i:]
	}
	switch body[0] {
	case '"':
		if text := strings.TrimSpace(body.text()); text != "" && (text[0] == '{' || text[0] == '[') {
			return bodyResetIn(raw(text), now, deep-1)
		}
	case '[':
		elements(body, func(v raw) { latest = later(latest, bodyResetIn(v, now, deep-1)) })
	case '{':
		members(body, func(name string, v raw) {
			switch name {
			case "error", "message", "details", "metadata":
				latest = later(latest, bodyResetIn(v, now, deep-1))
			default:
				latest = later(latest, fieldReset(name, v, now))
			}
		})
	}
	return latest
}
