package reset

import (
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
)

// durationPart is one number with its unit, a word or an abbreviation.
var durationPart = record.Lazy(`^(\d{1,15}(?:\.\d{1,24})?)\s*([A-Za-zµμ]{1,13})`)

var partBetween = record.Lazy(`(?i)^(?:,?[ \t]*and[ \t]+|,?[ \t]*)`)

// maxUnits is how many units there are, and so how many parts a duration can have.
const maxUnits = 8

// LeadingDuration reads a duration at the start of s, such as "2 days 17 hours 14
// minutes", "10h31m2s" or "34.07s", to a nanosecond, and gives what comes behind it. One
// that is longer than any wait, or has more parts than there are units, is none.
func LeadingDuration(s string) (time.Duration, string, bool) {
	var total float64
	read := false
	for parts := 0; ; parts++ {
		rest := s
		if read {
			rest = s[len(partBetween().FindString(s)):]
		}
		found := durationPart().FindStringSubmatch(rest)
		if found == nil {
			break
		}
		unit := units[strings.ToLower(found[2])]
		n, err := strconv.ParseFloat(found[1], 64)
		if unit == 0 || err != nil {
			break
		}
		if total += n * float64(unit); total > float64(2*MaxAhead) || parts == maxUnits {
			return 0, s, false
		}
		read, s = true, rest[len(found[0]):]
	}
	return time.Duration(math.Round(total)), s, read
}

// units are the units of durations as people and programs write them.
var units = byName(map[time.Duration]string{
	time.Nanosecond:    "ns nanosecond nanoseconds",
	time.Microsecond:   "us µs μs microsecond microseconds",
	time.Millisecond:   "ms msec msecs millisecond milliseconds",
	time.Second:        "s sec secs second seconds",
	time.Minute:        "m min mins minute minutes",
	time.Hour:          "h hr hrs hour hours",
	24 * time.Hour:     "d day days",
	7 * 24 * time.Hour: "w week weeks",
})

// byName finds a duration by each of its names.
func byName(names map[time.Duration]string) map[string]time.Duration {
	all := map[string]time.Duration{}
	for unit, list := range names {
		for _, name := range strings.Fields(list) {
			all[name] = unit
		}
	}
	return all
}
