package reset

import (
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
)

// The parts of a clock time, each at the start of what is left of the line.
var (
	partBreak   = record.Lazy(`(?i)^[ \t,]*(?:(?:at|on)[ \t]+)?`)
	dayPart     = record.Lazy(`(?i)^(today|tomorrow)\b`)
	weekdayPart = record.Lazy(`(?i)^(mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b\.?`)
	datePart    = record.Lazy(`(?i)^` + monthPattern + `\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4})\b)?`)
	dayDatePart = record.Lazy(`(?i)^(\d{1,2})(?:st|nd|rd|th)?\s+` + monthPattern + `(?:,?\s+(\d{4})\b)?`)
	isoPart     = record.Lazy(`(?i)^(\d{4})-(\d{2})-(\d{2})(?:t|\s+)(\d{2}):(\d{2})(?::(\d{2})([.,]\d{1,24})?)?(z\b|[+-]\d{2}:?\d{2}\b)?`)
	timePart    = record.Lazy(`(?i)^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?(?:\s*([ap])\.?m\b\.?)?`)
	// otherDay is a day in a form that can be read in several ways, or that is past.
	otherDay = record.Lazy(`(?i)^[ \t,]*(?:on[ \t]+)?(?:\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|\d{1,2}\.\d{1,2}\.(?:\d{2,4}\b)?|\d{4}[-/]\d{1,2}[-/]\d{1,2}\b|yesterday\b)`)
)

const monthPattern = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`

// clock is a time of day as a message writes it, with what it says of the day.
type clock struct {
	today, tomorrow   bool
	weekday           time.Weekday // with onWeekday
	onWeekday         bool
	month             time.Month // zero if no date is named
	day, year         int        // year is zero if none is named
	hour, minute, sec int
	timed             bool   // hour, minute and sec were read
	halved            bool   // with am or pm
	part              bool   // a fraction of a second follows
	zone              string // empty if none is named
}

// dated reports whether the message names a day.
func (c clock) dated() bool { return c.onWeekday || c.month != 0 || c.tomorrow || c.today }

// recurs reports a time of every day, or of every week.
func (c clock) recurs() bool { return !c.dated() || c.onWeekday && c.month == 0 }

// readClock reads a clock time at the start of s, with its day and its zone in any
// order; false if there is none or it cannot be one.
func readClock(s string) (clock, bool) {
	var c clock
	for {
		rest := s[len(partBreak().FindString(s)):]
		n, ok := c.readPart(rest)
		if !ok {
			return clock{}, false
		}
		if n == 0 {
			return c, c.timed
		}
		s = rest[n:]
		if name, n := leadingZone(s); n > 0 && c.timed && c.zone == "" {
			c.zone = name
			s = s[n:]
		}
		if c.timed && otherDay().MatchString(s) {
			return clock{}, false
		}
	}
}

// readPart takes one part that is not known yet, and returns how long it is; zero if
// there is none. It reports false for one that cannot be.
func (c *clock) readPart(s string) (int, bool) {
	if f := isoPart().FindStringSubmatch(s); f != nil && !c.dated() && !c.timed {
		c.year, c.month, c.day = atoi(f[1]), time.Month(atoi(f[2])), atoi(f[3])
		c.part = strings.Trim(f[7], ".,0") != ""
		c.zone = strings.ToUpper(f[8])
		return len(f[0]), c.set(f[4], f[5], f[6], "") && c.month != 0 && !wordFollows(s[len(f[0]):])
	}
	if f := dayPart().FindStringSubmatch(s); f != nil && !c.dated() {
		c.today = strings.EqualFold(f[1], "today")
		c.tomorrow = !c.today
		return len(f[0]), true
	}
	if f := weekdayPart().FindStringSubmatch(s); f != nil && !c.onWeekday {
		c.weekday, c.onWeekday = weekdays[strings.ToLower(f[1][:3])], true
		return len(f[0]), true
	}
	if f := datePart().FindStringSubmatch(s); f != nil && c.month == 0 {
		c.month, c.day, c.year = months[strings.ToLower(f[1][:3])], atoi(f[2]), atoi(f[3])
		return len(f[0]), true
	}
	if f := dayDatePart().FindStringSubmatch(s); f != nil && c.month == 0 {
		c.day, c.month, c.year = atoi(f[1]), months[strings.ToLower(f[2][:3])], atoi(f[3])
		return len(f[0]), true
	}
	if f := timePart().FindStringSubmatch(s); f != nil && !c.timed {
		return len(f[0]), c.set(f[1], f[2], f[3], strings.ToLower(f[4])) && !wordFollows(s[len(f[0]):])
	}
	return 0, true
}

// set takes a time of day, in half a day ("a" or "p") or in a whole one; false if it
// cannot be one. An hour alone is none.
func (c *clock) set(hour, minute, sec, half string) bool {
	c.hour, c.minute, c.sec, c.timed = atoi(hour), atoi(minute), atoi(sec), true
	switch {
	case c.minute > 59 || c.sec > 59:
		return false
	case half == "":
		return minute != "" && c.hour < 24
	case c.hour < 1 || c.hour > 12:
		return false
	}
	c.hour, c.halved = c.hour%12, true
	if half == "p" {
		c.hour += 12
	}
	return true
}

var wordForm = record.Lazy(`^(?:[\pL\pN_]|[:.+\-/][\pL\pN])`)

// wordFollows reports that what was read goes on, so that it was something else.
func wordFollows(s string) bool { return wordForm().MatchString(s) }

// atoi is the value of a few digits; zero of none.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

var weekdays = map[string]time.Weekday{
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday,
	"thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

var months = map[string]time.Month{
	"jan": time.January, "feb": time.February, "mar": time.March, "apr": time.April, "may": time.May, "jun": time.June,
	"jul": time.July, "aug": time.August, "sep": time.September, "oct": time.October, "nov": time.November, "dec": time.December,
}
