package reset

import "time"

// next is the first instant after the reference that the clock shows; false if the
// zone is unknown or there is no such day.
func (c clock) next(ref Clock) (time.Time, bool) {
	zone := ref.zone()
	if c.zone != "" {
		var ok bool
		if zone, ok = zoneNamed(c.zone, zone, ref.Now); !ok {
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
		if !ok || !t.After(now) {
			t, ok = c.on(y+1, c.month, c.day, zone)
		}
		return t, ok
	case c.tomorrow:
		return c.on(y, m, d+1, zone)
	case c.today:
		return c.on(y, m, d, zone)
	}
	for ahead := 0; ahead <= 8; ahead++ {
		if t, ok := c.on(y, m, d+ahead, zone); ok && t.After(now) {
			return t, true
		}
	}
	return time.Time{}, false
}

// on is the clock's time on a day, never before what the message says: where clocks are
// set back and show it twice, it is the second of the two instants; where they are set
// forward and skip it, the offset before the change holds, as if nobody had touched
// them. It is false if the month has no such day, or that is another day of the week.
func (c clock) on(year int, month time.Month, day int, zone *time.Location) (time.Time, bool) {
	wall := time.Date(year, month, day, c.hour, c.minute, c.sec, 0, time.UTC)
	if c.month != 0 && wall.Month() != c.month || c.onWeekday && wall.Weekday() != c.weekday {
		return time.Time{}, false
	}
	_, before := wall.Add(-24 * time.Hour).In(zone).Zone()
	_, behind := wall.Add(24 * time.Hour).In(zone).Zone()
	t := wall.Add(-time.Duration(min(before, behind)) * time.Second)
	if other := wall.Add(-time.Duration(max(before, behind)) * time.Second); !c.shownAt(t, zone) && c.shownAt(other, zone) {
		t = other
	}
	if c.part {
		t = t.Add(time.Second)
	}
	return t, true
}

func (c clock) shownAt(t time.Time, zone *time.Location) bool {
	h, m, s := t.In(zone).Clock()
	return h == c.hour && m == c.minute && s == c.sec
}
