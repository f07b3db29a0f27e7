package agent

import (
	"time"

	"example.com/layover/engine/agent/record"
)

// SetNow sets the clock for the lines to come, as Reference.Now is.
func (r *Reader) SetNow(now time.Time) { r.ref.Now, r.ref.Late = now, false }

// Began is the first instant that a line has stated; zero if none has.
func (r *Reader) Began() time.Time { return r.began }

// At is the last instant that a line has stated, that which is shown included; zero if none
// has, or that line cannot have been written then.
func (r *Reader) At() time.Time {
	if r.stated {
		r.at, r.stated = r.instant(r.last[:]), false
	}
	return r.at
}

// Stamp is what a line stated of its time, before an instant is made of it. The zero value
// states none.
type Stamp struct {
	raw  [26]byte
	late bool // an instant is to be made of raw
	at   time.Time
}

// Stamp is that of the last line that stated a time; see [Reader.At], which takes longer.
func (r *Reader) Stamp() Stamp { return Stamp{raw: r.last, late: r.stated, at: r.at} }

// Instant is what a stamp of this reader states; zero as for [Reader.At].
func (r *Reader) Instant(s Stamp) time.Time {
	if s.late {
		return r.instant(s.raw[:])
	}
	return s.at
}

// Lines is how many lines were read, but for those of which the end has not come.
func (r *Reader) Lines() int {
	lines, _ := r.split.Whole()
	return lines
}

// dated takes what a record states of the time it was written at. To make an instant of it
// takes longer than a good part of what else is done for a line.
func (r *Reader) dated(stamp record.Raw) {
	if r.began.IsZero() {
		r.began = r.instant(stamp)
	}
	if len(stamp) == len(r.last) && stamp[0] == '"' && stamp[11] == 'T' && stamp[24] == 'Z' {
		r.stated = true
		copy(r.last[:], stamp)
	} else if t, ok := stampOf(stamp); ok {
		r.at, r.stated = r.believed(t), false
	}
}

// instant is what a stamp states; zero if it is none, or cannot be true.
func (r *Reader) instant(stamp record.Raw) time.Time {
	t, _ := stampOf(stamp)
	return r.believed(t)
}

// believed is an instant at which a line can have been written, or zero.
func (r *Reader) believed(t time.Time) time.Time {
	if !r.ref.known(t).Equal(t) {
		return time.Time{}
	}
	return t
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
		if err != nil || t.Year() < 1 {
			return time.Time{}, false
		}
		return t.UTC(), true
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
	if len(s) != len(form) || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return time.Time{}, false
	}
	century, year, month, day := pair(s, 0), pair(s, 2), pair(s, 5), pair(s, 8)
	hour, minute, second := pair(s, 11), pair(s, 14), pair(s, 17)
	tens, ones := pair(s, 20), int(s[22]-'0')
	if century|year|month|day|hour|minute|second|tens < 0 || ones > 9 ||
		century+year == 0 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	t := time.Date(100*century+year, time.Month(month), day, hour, minute, second, (10*tens+ones)*1e6, time.UTC)
	return t, day <= 28 || t.Day() == day
}

// pair is the value of the two digits at a place; negative if they are none.
func pair(s []byte, at int) int {
	a, b := s[at]-'0', s[at+1]-'0'
	if a > 9 || b > 9 {
		return -1
	}
	return 10*int(a) + int(b)
}
