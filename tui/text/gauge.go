package text

import (
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/run"
)

// limitMax is how many cells the name of a limit takes at most.
const limitMax = 24

// Gauge words how full a usage window is, by its length and, unless it is that of the
// whole account, by its name: "5h 83%", "week 41%", "week opus 100%". It rounds down, so
// that only a full one has 100%.
func Gauge(g run.Gauge) string {
	name := span(g.Window)
	if of := limitOf(g); of != "" {
		name = strings.TrimSpace(name + " " + of)
	}
	percent := math.Floor(min(max(0, g.Used), 9.99)*100 + 1e-6)
	return name + " " + strconv.Itoa(int(percent)) + "%"
}

// limitOf is what the name of a limit tells beside its length.
func limitOf(g run.Gauge) string {
	name := g.Limit
	if g.Window > 0 {
		switch name {
		case "five_hour", "seven_day", "codex": // the account's own
			return ""
		}
		name = strings.TrimPrefix(name, "seven_day_")
	}
	return Line(run.Untrusted(strings.ReplaceAll(name, "_", " ")), limitMax)
}

// span words the length of a usage window: "5h", "day", "3d", "week", "month". Agents
// tell it to the minute, and some are one short. It is empty if the length is not known.
func span(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	if d < 55*time.Minute {
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	hours := int(d.Round(time.Hour) / time.Hour)
	switch days := hours / 24; {
	case hours%24 > 0:
		return strconv.Itoa(hours) + "h"
	case days == 1:
		return "day"
	case days == 7:
		return "week"
	case days >= 28 && days <= 31:
		return "month"
	default:
		return strconv.Itoa(days) + "d"
	}
}

// Seconds words a short wait: "4.7 s", rounded up, and longer ones as [Age] does, "3m".
func Seconds(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 s"
	case d < 10*time.Second:
		tenths := (d + 100*time.Millisecond - 1) / (100 * time.Millisecond)
		return strings.TrimSuffix(strconv.FormatFloat(float64(tenths)/10, 'f', 1, 64), ".0") + " s"
	case d < 2*time.Minute:
		return strconv.Itoa(int((d+time.Second-1)/time.Second)) + " s"
	}
	return Age(d)
}
