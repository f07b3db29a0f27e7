package agent

import (
	"time"

	"example.com/layover/engine/agent/record"
)

// SetNow sets the clock for the lines to come, as Reference.Now is.
func (r *Reader) SetNow(now time.Time) { r.ref.Now = now }

// Began is the first instant that a line has stated; zero if none has.
func (r *Reader) Began() time.Time { return r.began }

// At is the last instant that a line has stated, that which is shown included; zero if none
// has.
func (r *Reader) At() time.Time { return r.at }

// Lines is how many lines were read, but for those of which the end has not come.
func (r *Reader) Lines() int {
	lines, _ := r.split.Whole()
	return lines
}

// dated takes what a record states of the time it was written at.
func (r *Reader) dated(stamp record.Raw) {
	t, ok := stampOf(stamp)
	if !ok || !r.ref.known(t).Equal(t) {
		return
	}
	if r.at = t; r.began.IsZero() {
		r.began = t
	}
}

// stampOf is the instant of a text as RFC 3339 has it, or of a number of milliseconds; false
// for any other value.
func stampOf(stamp record.Raw) (time.Time, bool) {
	if len(stamp) == 0 || len(stamp) > record.MaxName {
		return time.Time{}, false
	}
	if len(stamp) > 1 && stamp[0] == '"' {
		if t, ok := plainStamp(stamp[1 : len(stamp)-1]); ok {
			return t, true
		}
		t, err := time.Parse(time.RFC3339, stamp.Text())
		return t.UTC(), err == nil && t.Year() > 0
	}
	ms, ok := stamp.Number()
	if !ok || ms <= 0 || ms > 1e14 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(ms)).UTC(), true
}

// plainStamp reads the form that nearly all stamps have, in UTC with milliseconds.
func plainStamp(s []byte) (time.Time, bool) {
	const form = "2006-01-02T15:04:05.000Z"
	if len(s) != len(form) {
		return time.Time{}, false
	}
	n := [...]int{0, 0, 0, 0, 0, 0, 0}
	part := 0
	for i, c := range s {
		if d := c - '0'; d <= 9 {
			n[part] = 10*n[part] + int(d)
			continue
		}
		if c != form[i] || form[i]-'0' <= 9 {
			return time.Time{}, false
		}
		part++
	}
	return plainDate(n[0], n[1], n[2], n[3], n[4], n[5], n[6])
}

func plainDate(year, month, day, hour, minute, second, ms int) (time.Time, bool) {
	if year == 0 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, ms*1e6, time.UTC)
	return t, day <= 28 || t.Day() == day
}
