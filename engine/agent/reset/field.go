package reset

import (
	"math"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
)

// fieldReset reads a field of an error's body, or a header of its answer, whose name
// alone says that it tells when the refused call may be made again. Any other field,
// and a value that cannot be one at now, gives zero.
func fieldReset(name string, v record.Raw, now time.Time) time.Time {
	switch strings.ReplaceAll(strings.ToLower(name), "_", "-") {
	case "resets-at", "resetsat", "quotaresettimestamp":
		return Instant(v, now)
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
func wait(v record.Raw, unit time.Duration, now time.Time) time.Time {
	if n, ok := v.Number(); ok && n > 0 && n*float64(unit) <= float64(MaxAhead) {
		return waited(time.Duration(math.Round(n*float64(unit))), now)
	}
	if d, rest, ok := LeadingDuration(v.Short()); ok && rest == "" {
		return waited(d, now)
	}
	return Instant(v, now)
}

// waited is the instant a wait after now, rounded up to a second.
func waited(d time.Duration, now time.Time) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return Believable(RoundUp(now.Add(d)).UTC(), now)
}

// maxBody is how deep the body of an error is looked into.
const maxBody = 8

// Body finds in the body of an error, a JSON value or a string that holds one, when
// the refused call may be made again: the latest instant of those that the error and its
// details name. What a body tells of windows that were not hit does not count.
func Body(body record.Raw, now time.Time) time.Time { return bodyResetIn(body, now, maxBody) }

func bodyResetIn(body record.Raw, now time.Time, deep int) time.Time {
	var latest time.Time
	if i := record.SkipSpace(body, 0); deep == 0 || i >= len(body) {
		return latest
	} else {
		body = body[i:]
	}
	switch body[0] {
	case '"':
		if text := strings.TrimSpace(body.Text()); text != "" && (text[0] == '{' || text[0] == '[') {
			return bodyResetIn(record.Raw(text), now, deep-1)
		}
	case '[':
		record.Elements(body, func(v record.Raw) { latest = Later(latest, bodyResetIn(v, now, deep-1)) })
	case '{':
		told := map[string]time.Time{} // of equal names the last one counts
		record.Members(body, func(name string, v record.Raw) {
			var t time.Time
			switch name {
			case "error", "message", "details", "metadata":
				t = bodyResetIn(v, now, deep-1)
			default:
				t = fieldReset(name, v, now)
			}
			if _, again := told[name]; again || !t.IsZero() {
				told[name] = t
			}
		})
		for _, t := range told {
			latest = Later(latest, t)
		}
	}
	return latest
}
