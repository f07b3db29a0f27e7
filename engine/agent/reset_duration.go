package agent

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// durationPart is one number with its unit; of units that begin alike the longer
// one comes first.
var durationPart = regexp.MustCompile(`(?i)^(\d{1,9}(?:\.\d{1,9})?)\s*(milliseconds?|ms|minutes?|mins?|seconds?|secs?|hours?|hrs?|days?|weeks?|m|s|h|d|w)`)

var (
	partBetween  = regexp.MustCompile(`(?i)^(?:,?\s*and\s+|,\s*|\s*)`)
	letterBehind = regexp.MustCompile(`^[A-Za-z]`)
)

// leadingDuration reads a duration at the start of s, such as "2 days 17 hours 14
// minutes", "10h31m2s" or "34.07s". Fractions of a millisecond round up.
func leadingDuration(s string) (time.Duration, bool) {
	var total float64
	read := false
	for {
		rest := s
		if read {
			rest = s[len(partBetween.FindString(s)):]
		}
		found := durationPart.FindStringSubmatch(rest)
		if found == nil || letterBehind.MatchString(rest[len(found[0]):]) {
			break
		}
		n, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return 0, false
		}
		total += n * float64(durationUnit(strings.ToLower(found[2])))
		if total > float64(2*maxAhead) {
			return 0, false
		}
		read = true
		s = rest[len(found[0]):]
	}
	return time.Duration(math.Ceil(total/1e6)) * time.Millisecond, read
}

func durationUnit(unit string) time.Duration {
	if unit == "ms" || strings.HasPrefix(unit, "milli") {
		return time.Millisecond
	}
	switch unit[0] {
	case 's':
		return time.Second
	case 'm':
		return time.Minute
	case 'h':
		return time.Hour
	case 'd':
		return 24 * time.Hour
	default:
		return 7 * 24 * time.Hour
	}
}
