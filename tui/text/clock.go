package text

import (
	"fmt"
	"time"
)

// Clock words the time that is left: "04:05", "3:04:05", and from a day on
// "6d 03:04:05". It rounds up to the second, so it shows 00:00 only when nothing is
// left; a negative duration is 00:00.
func Clock(left time.Duration) string {
	if left <= 0 {
		return "00:00"
	}
	total := int64((left-1)/time.Second) + 1
	days, hours := total/86400, total/3600%24
	minutes, seconds := total/60%60, total%60
	switch {
	case days > 0:
		return fmt.Sprintf("%dd %02d:%02d:%02d", days, hours, minutes, seconds)
	case hours > 0:
		return fmt.Sprintf("%d:%02d:%02d", hours, minutes, seconds)
	}
	return fmt.Sprintf("%02d:%02d", minutes, seconds)
}

// Step words by how far a clock was set: "forward by 00:05", "back by 1:00:00".
func Step(by time.Duration) string {
	if by < 0 {
		return "back by " + Clock(-by)
	}
	return "forward by " + Clock(by)
}

// Age words how long something has lasted, in at most two units and rounded down:
// "8s", "12m", "3h 05m", "2d 04h". A negative duration is "0s".
func Age(lasted time.Duration) string {
	lasted = max(0, lasted)
	days, hours := int64(lasted/(24*time.Hour)), int64(lasted/time.Hour)%24
	minutes := int64(lasted/time.Minute) % 60
	switch {
	case days > 0:
		return fmt.Sprintf("%dd %02dh", days, hours)
	case hours > 0:
		return fmt.Sprintf("%dh %02dm", hours, minutes)
	case minutes > 0:
		return fmt.Sprintf("%dm", minutes)
	}
	return fmt.Sprintf("%ds", int64(lasted/time.Second))
}

// Until words an instant as the clock of loc shows it: "16:00" today, "Tue 16:00"
// within six days, "2 Jan 16:00" within the year, else "2 Jan 2027 16:00". It rounds
// up to the minute, so that it never names a time too early; within two minutes of
// now it shows the second, "16:00:05". The zero instant is "unknown", and a nil loc
// is UTC.
func Until(t, now time.Time, loc *time.Location) string {
	if t.IsZero() {
		return "unknown"
	}
	if loc == nil {
		loc = time.UTC
	}
	clock, unit := "15:04", time.Minute
	if near := t.Sub(now).Abs(); near < 2*time.Minute {
		clock, unit = "15:04:05", time.Second
	}
	t = ceil(t.In(loc), unit)
	now = now.In(loc)
	switch days := dayNumber(t) - dayNumber(now); {
	case days == 0:
		return t.Format(clock)
	case -6 <= days && days <= 6:
		return t.Format("Mon " + clock)
	case t.Year() == now.Year():
		return t.Format("2 Jan " + clock)
	}
	return t.Format("2 Jan 2006 " + clock)
}

// Stamp words when something was, as the clock of loc shows it, to the second: "16:00:05",
// and with the day if that is not today's: "2 Jan 16:00:05", of another year
// "2 Jan 2027 16:00:05". A zero today is the day of t, and a nil loc is UTC.
func Stamp(t, today time.Time, loc *time.Location) string {
	if loc == nil {
		loc = time.UTC
	}
	if today.IsZero() {
		today = t
	}
	t, today = t.In(loc), today.In(loc)
	switch {
	case dayNumber(t) == dayNumber(today):
		return t.Format("15:04:05")
	case t.Year() == today.Year():
		return t.Format("2 Jan 15:04:05")
	}
	return t.Format("2 Jan 2006 15:04:05")
}

// ceil moves t to the next whole unit on its own clock, if it is on none.
func ceil(t time.Time, unit time.Duration) time.Time {
	past := time.Duration(t.Second())*time.Second%unit + time.Duration(t.Nanosecond())
	if past == 0 {
		return t
	}
	return t.Add(unit - past)
}

// dayNumber counts the days of t's calendar, so that two on the same date are equal.
func dayNumber(t time.Time) int64 {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
}
