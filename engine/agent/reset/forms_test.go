package reset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// telling is an instant that a message is to tell: in the zone that it names, on a machine
// in a zone of its own.
type telling struct {
	at, now time.Time
	zone    string
	own     *time.Location
}

func (m telling) local() time.Time { return m.at.In(m.own) }
func (m telling) left() time.Duration {
	return m.at.Sub(m.now)
}

// textForm is a way to tell a reset in words.
type textForm struct {
	name string
	// within is how far away the instant may be, and step how fine it can be told.
	within, step time.Duration
	// shown is all that the form tells of a local time, as a layout; empty if it tells
	// the instant itself. Own says that the local time is the machine's.
	shown  string
	own    bool
	render func(telling) string
}

const day = 24 * time.Hour

func inZone(name, layout, before string, within, step time.Duration, shown string) textForm {
	return textForm{name, within, step, shown, false, func(m telling) string {
		return before + m.at.Format(layout) + " (" + m.zone + ")"
	}}
}

func inOwn(name, layout, before, behind string, within, step time.Duration, shown string) textForm {
	return textForm{name, within, step, shown, true, func(m telling) string {
		return before + m.local().Format(layout) + behind
	}}
}

func ordinal(n int) string {
	switch {
	case n/10 == 1:
		return "th"
	case n%10 < 4:
		return []string{"th", "st", "nd", "rd"}[n%10]
	}
	return "th"
}

var textForms = []textForm{
	{"pipe", 34 * day, time.Second, "", false, func(m telling) string {
		return fmt.Sprintf("Claude AI usage limit reached|%d", m.at.Unix())
	}},
	{"pipe, milliseconds", 34 * day, time.Millisecond, "", false, func(m telling) string {
		return fmt.Sprintf("Claude AI usage limit reached|%d", m.at.UnixMilli())
	}},
	inZone("clock", "3:04pm", "You've hit your limit · resets ", day, time.Minute, "15:04"),
	inZone("clock of an hour", "3pm", "5-hour limit reached ∙ resets ", 5*time.Hour, time.Hour, "15:04"),
	inZone("clock of a session", "3:04pm", "You’ve hit your session limit · resets ", 5*time.Hour, time.Minute, "15:04"),
	inZone("clock behind at", "3pm", "Claude usage limit reached. Your limit will reset at ", day, time.Hour, "15:04"),
	inZone("24 hours", "15:04", "resets at ", day, time.Minute, "15:04"),
	inZone("24 hours with seconds", "15:04:05", "resets ", day, time.Second, "15:04:05"),
	inZone("date", "Jan 2 at 3:04pm", "You've hit your weekly limit · resets ", 34*day, time.Minute, "1-2 15:04"),
	inZone("date with comma", "Jan 2, 3:04pm", "You've hit your weekly limit · resets ", 34*day, time.Minute, "1-2 15:04"),
	inZone("date in full", "January 2 2006 at 15:04", "will reset on ", 34*day, time.Minute, "2006-1-2 15:04"),
	inZone("date and weekday", "Mon, Jan 2 at 3:04pm", "resets ", 34*day, time.Minute, "1-2 15:04"),
	inZone("date behind", "3:04pm on Jan 2", "resets ", 34*day, time.Minute, "1-2 15:04"),
	inZone("day before month", "2 Jan 2006 15:04", "resets on ", 34*day, time.Minute, "2006-1-2 15:04"),
	inZone("weekday", "Mon 3:04pm", "resets ", 7*day, time.Minute, "Mon 15:04"),
	inZone("weekday in full", "Monday at 3:04 PM", "available again ", 7*day, time.Minute, "Mon 15:04"),
	inZone("weekday behind", "3:04 PM on Monday", "try again at ", 7*day, time.Minute, "Mon 15:04"),
	inOwn("clock of the machine", "3:04 PM", "You’ve hit your usage limit. Upgrade, or try again at ", ".", day, time.Minute, "15:04"),
	inOwn("narrow space", "3:04\u202fPM", "try again at ", " or later", day, time.Minute, "15:04"),
	{"dots", day, time.Minute, "15:04", true, func(m telling) string {
		return "resets at " + strings.NewReplacer("AM", "a.m.", "PM", "p.m.").Replace(m.local().Format("3:04 PM"))
	}},
	inOwn("date of the machine", "Jan 2, 3:04pm", "resets ", "", 34*day, time.Minute, "1-2 15:04"),
	inOwn("iso of the machine", "2006-01-02 15:04:05", "resets at ", ".", 34*day, time.Second, "2006-1-2 15:04:05"),
	{"ordinal", 34 * day, time.Minute, "2006-1-2 15:04", true, func(m telling) string {
		return "or try again at " + m.local().Format("Jan 2") + ordinal(m.local().Day()) + m.local().Format(", 2006 3:04 PM") + "."
	}},
	{"today and tomorrow", day, time.Minute, "2006-1-2 15:04", true, func(m telling) string {
		word := "tomorrow"
		if m.local().Day() == m.now.In(m.own).Day() {
			word = "today"
		}
		if m.now.In(m.own).AddDate(0, 0, 1).Day() != m.local().Day() && word == "tomorrow" {
			word = m.local().Format("Jan 2") // a day shorter than this
		}
		return "resets " + word + m.local().Format(" at 3:04pm")
	}},
	{"offset", 34 * day, time.Minute, "", false, func(m telling) string {
		return "resets " + m.at.Format("Jan 2 at 3:04pm (UTC-07:00)")
	}},
	{"own abbreviation", 34 * day, time.Minute, "", true, func(m telling) string {
		short, _ := m.local().Zone()
		if strings.ContainsAny(short, "+-") {
			return "resets " + m.at.UTC().Format("Jan 2 at 3:04pm") + " UTC"
		}
		return "resets " + m.local().Format("Jan 2 at 3:04pm MST")
	}},
	{"rfc 3339", 34 * day, time.Millisecond, "", false, func(m telling) string {
		return "resets at " + m.at.Format(time.RFC3339Nano) + "."
	}},
	{"iso with a space", 34 * day, time.Second, "", false, func(m telling) string {
		return "try again at " + m.at.Format("2006-01-02 15:04:05-0700")
	}},
	{"http date", 34 * day, time.Second, "", false, func(m telling) string {
		return "available after " + m.at.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
	}},
	{"words", 34 * day, time.Minute, "", false, func(m telling) string {
		n := int(m.left() / time.Minute)
		return fmt.Sprintf("or try again in %d days %d hours %d minutes.", n/1440, n/60%24, n%60)
	}},
	{"words with and", 34 * day, time.Hour, "", false, func(m telling) string {
		n := int(m.left() / time.Hour)
		return fmt.Sprintf("Model quota limit exceeded. Refreshes in %d days and %d hours", n/24, n%24)
	}},
	{"seconds in words", day, time.Second, "", false, func(m telling) string {
		return fmt.Sprintf("Please try again in %d seconds.", m.left()/time.Second)
	}},
	{"decimal seconds", day, time.Nanosecond, "", false, func(m telling) string {
		return fmt.Sprintf("Please retry in %d.%09ds.", m.left()/time.Second, m.left()%time.Second)
	}},
	{"milliseconds", time.Minute, time.Nanosecond, "", false, func(m telling) string {
		return fmt.Sprintf("try again in %d.%06dms", m.left()/time.Millisecond, m.left()%time.Millisecond)
	}},
	{"go duration", 34 * day, time.Nanosecond, "", false, func(m telling) string {
		return "Your quota will reset after " + m.left().String() + "."
	}},
	{"body in a message", 34 * day, time.Nanosecond, "", false, func(m telling) string {
		return `[API Error: {"error":{"code":429,"message":"Please retry later.","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"` + m.left().String() + `"}]}}]`
	}},
	{"field in a message", 34 * day, time.Nanosecond, "", false, func(m telling) string {
		return "  reason: 'RATE_LIMIT_EXCEEDED',\n  metadata: { quotaResetDelay: '" + m.left().String() + "' }"
	}},
	{"header in a message", 34 * day, time.Second, "", false, func(m telling) string {
		return "HTTP 429, Retry-After: " + m.at.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT") + " server busy"
	}},
}

// zonesToTry change their clocks at midnight, by half an hour, by two hours, in winter,
// not at all; some are far from UTC, and one skipped a day.
var zonesToTry = []string{
	"UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns", "America/Santiago", "America/Havana", "Africa/Cairo",
	"Africa/Casablanca", "Asia/Calcutta", "Asia/Kathmandu", "Etc/GMT+5", "Australia/Lord_Howe", "Antarctica/Troll", "Pacific/Auckland", "Pacific/Kiritimati", "Pacific/Pago_Pago",
}

func drawnZone(t *rapid.T, label string) (*time.Location, string) {
	name := rapid.SampledFrom(zonesToTry).Draw(t, label)
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone, name
}

// drawnTime is any time of some years, often beside a change of the clocks, a midnight
// or the end of a year.
func drawnTime(t *rapid.T, zone *time.Location) time.Time {
	at := time.Unix(rapid.Int64Range(1735689600, 1893456000).Draw(t, "at"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).In(zone)
	near := time.Duration(rapid.Int64Range(-4*3600, 4*3600).Draw(t, "near")) * time.Second
	switch rapid.IntRange(0, 3).Draw(t, "beside") {
	case 1:
		if _, end := at.ZoneBounds(); !end.IsZero() {
			at = end.Add(near)
		}
	case 2:
		at = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, at.Nanosecond(), zone).Add(near)
	case 3:
		at = time.Date(at.Year(), time.December, 31, 24, 0, 0, at.Nanosecond(), zone).Add(6 * near)
	}
	return at.In(zone)
}

// meant is what a form that shows no more than a local time tells: the first instant
// after now that shows the same, and of those that follow at once the last. It looks at
// each quarter of an hour; clocks are changed by no less.
func meant(f textForm, m telling, zone *time.Location) time.Time {
	if f.shown == "" {
		return m.at
	}
	shown := m.at.In(zone).Format(f.shown)
	first := m.at
	for t := m.at; t.After(m.now); t = t.Add(-15 * time.Minute) {
		if t.In(zone).Format(f.shown) == shown {
			first = t
		}
	}
	last := first
	for t := first; t.Before(first.Add(3 * time.Hour)); t = t.Add(15 * time.Minute) {
		if t.In(zone).Format(f.shown) == shown {
			last = t
		}
	}
	return last
}

func TestEachTextFormGivesBackWhatItTells(t *testing.T) {
	for _, f := range textForms {
		t.Run(f.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkTextForm(t, f) })
		})
	}
}

func checkTextForm(t *rapid.T, f textForm) {
	zone, name := drawnZone(t, "zone")
	own, _ := drawnZone(t, "own zone")
	shownIn := zone
	if f.own {
		shownIn = own
	}
	at := drawnTime(t, shownIn)
	if f.step >= time.Minute { // a step of the local time, not of UTC
		for into := time.Duration(1); into > 0; at = at.Add(-into) { // the clocks may have been changed since
			into = (time.Duration(at.Minute()*60+at.Second())*time.Second + time.Duration(at.Nanosecond())) % f.step
		}
	} else {
		at = at.Truncate(f.step)
	}
	left := time.Duration(rapid.Int64Range(1, int64(f.within/f.step)-1).Draw(t, "left")) * f.step
	m := telling{at: at.In(zone), now: at.Add(-left), zone: name, own: own}
	ref := Clock{Now: m.now, Zone: own}
	text := f.render(m)
	want := RoundUp(meant(f, m, shownIn))
	ago := m
	ago.now = m.now.Add(-justPassed)
	if recurs := strings.HasPrefix(f.shown, "15") || strings.HasPrefix(f.shown, "Mon"); recurs && !meant(f, ago, shownIn).After(m.now) {
		want = time.Time{} // it has just passed
	}
	got, how := Text(text, ref)
	if !got.Equal(want) {
		t.Fatalf("%q at %v on a machine in %v = %v, want %v", text, m.now.In(shownIn), own, got.In(shownIn), want.In(shownIn))
	}
	stated := []string{"pipe", "pipe, milliseconds", "body in a message", "field in a message", "header in a message"}
	if (how == run.HowStated) != slices.Contains(stated, f.name) {
		t.Fatalf("%q is known as %v", text, how)
	}
}
