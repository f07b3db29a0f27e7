package agent

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are named in messages, and not every machine has them
)

const (
	weekdayPattern = `(?:(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+(?:at\s+)?)?`
	datePattern    = `(?:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?,?\s+(?:at\s+)?)?`
	timePattern    = `(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*([ap]\.?m\b\.?)?`
	zonePattern    = `(?:\s*\(([A-Za-z][A-Za-z0-9_+\-]*(?:/[A-Za-z0-9_+\-]+)*)\)|\s+(utc|gmt)\b)?`
)

var (
	clockForm = regexp.MustCompile(`(?i)^(?:at\s+|on\s+)?(?:(today|tomorrow),?\s+(?:at\s+)?)?` + weekdayPattern + datePattern + timePattern + zonePattern)
	isoTime   = regexp.MustCompile(`(?i)^(?:at\s+|on\s+)?(\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:z|[+-]\d{2}:\d{2}))`)
)

// clock is a time of day as a message writes it, with what it says of the day.
type clock struct {
	tomorrow, today   bool
	weekday           time.Weekday // with onWeekday
	onWeekday         bool
	month             time.Month // zero if no date is named
	day, year         int        // year is zero if none is named
	hour, minute, sec int
	zone              string // empty if none is named
}

// dated reports whether the message names a day.
func (c clock) dated() bool { return c.onWeekday || c.month != 0 || c.tomorrow || c.today }

// readClock reads a clock time at the start of s; false if there is none or it
// cannot be one.
func readClock(s string) (clock, bool) {
	f := clockForm.FindStringSubmatch(s)
	if f == nil {
		return clock{}, false
	}
	c := clock{today: strings.EqualFold(f[1], "today"), tomorrow: strings.EqualFold(f[1], "tomorrow"), zone: f[10]}
	if f[11] != "" {
		c.zone = "UTC"
	}
	c.weekday, c.onWeekday = weekdays[strings.ToLower(f[2])]
	c.month = months[strings.ToLower(f[3])]
	c.day, _ = strconv.Atoi(f[4])
	c.year, _ = strconv.Atoi(f[5])
	c.hour, _ = strconv.Atoi(f[6])
	c.minute, _ = strconv.Atoi(f[7])
	c.sec, _ = strconv.Atoi(f[8])
	half := strings.ToLower(f[9])
	switch {
	case c.minute > 59 || c.sec > 59:
		return clock{}, false
	case half == "":
		return c, f[7] != "" && c.hour < 24 && !digitFollows(s[len(f[0]):])
	case c.hour < 1 || c.hour > 12:
		return clock{}, false
	}
	c.hour %= 12
	if half[0] == 'p' {
		c.hour += 12
	}
	return c, true
}

func digitFollows(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// next is the first instant after the reference that the clock shows; false if the
// zone is unknown or there is no such day.
func (c clock) next(ref Reference) (time.Time, bool) {
	zone := ref.zone()
	if c.zone != "" {
		var err error
		if zone, err = time.LoadLocation(zoneName(c.zone)); err != nil {
			return time.Time{}, false
		}
	}
	now := ref.Now.In(zone)
	y, m, d := now.Date()
	switch {
	case c.month != 0 && c.year != 0:
		return c.on(c.year, c.month, c.day, zone)
	case c.month != 0:
		t, ok := c.on(y, c.month, c.day, zone)
		if ok && !t.After(now) || !ok {
			t, ok = c.on(y+1, c.month, c.day, zone)
		}
		return t, ok
	case c.tomorrow:
		return c.on(y, m, d+1, zone)
	case c.today:
		return c.on(y, m, d, zone)
	}
	for ahead := 0; ahead <= 8; ahead++ {
		t, ok := c.on(y, m, d+ahead, zone)
		if ok && t.After(now) && (!c.onWeekday || time.Date(y, m, d+ahead, 12, 0, 0, 0, zone).Weekday() == c.weekday) {
			return t, true
		}
	}
	return time.Time{}, false
}

// on is the clock's time on a day. Of two instants that show it the later one is
// taken; where none does, the offset before the change holds.
func (c clock) on(year int, month time.Month, day int, zone *time.Location) (time.Time, bool) {
	noon := time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
	if c.month != 0 && noon.Month() != c.month {
		return time.Time{}, false
	}
	wall := time.Date(year, month, day, c.hour, c.minute, c.sec, 0, time.UTC)
	_, before := wall.Add(-24 * time.Hour).In(zone).Zone()
	_, behind := wall.Add(24 * time.Hour).In(zone).Zone()
	t := wall.Add(-time.Duration(min(before, behind)) * time.Second)
	if other := wall.Add(-time.Duration(max(before, behind)) * time.Second); !c.shownAt(t, zone) && c.shownAt(other, zone) {
		t = other
	}
	return t, true
}

func (c clock) shownAt(t time.Time, zone *time.Location) bool {
	h, m, s := t.In(zone).Clock()
	return h == c.hour && m == c.minute && s == c.sec
}

// zoneName gives the name by which the zone database knows a zone.
func zoneName(name string) string {
	switch upper := strings.ToUpper(name); upper {
	case "LOCAL":
		return "unknown"
	case "UTC", "GMT", "Z":
		return "UTC"
	}
	return name
}

var weekdays = map[string]time.Weekday{
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday,
	"thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

var months = map[string]time.Month{
	"jan": time.January, "feb": time.February, "mar": time.March, "apr": time.April, "may": time.May, "jun": time.June,
	"jul": time.July, "aug": time.August, "sep": time.September, "oct": time.October, "nov": time.November, "dec": time.December,
}
