package text_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/tui/text"
)

func TestClock(t *testing.T) {
	cases := map[string]struct {
		left time.Duration
		want string
	}{
		"nothing":        {0, "00:00"},
		"overdue":        {-time.Hour, "00:00"},
		"a moment":       {1, "00:01"},
		"just above":     {time.Second + 1, "00:02"},
		"seconds":        {59 * time.Second, "00:59"},
		"rounds to min":  {59*time.Second + 1, "01:00"},
		"minutes":        {4*time.Minute + 5*time.Second, "04:05"},
		"rounds to hour": {time.Hour - 1, "1:00:00"},
		"hours":          {3*time.Hour + 4*time.Minute + 5*time.Second, "3:04:05"},
		"almost a day":   {24*time.Hour - time.Second, "23:59:59"},
		"days":           {147*time.Hour + 4*time.Minute + 5*time.Second, "6d 03:04:05"},
		"longest":        {math.MaxInt64, "106751d 23:47:17"},
		"most overdue":   {math.MinInt64, "00:00"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := text.Clock(c.left); got != c.want {
				t.Errorf("Clock(%v) = %q, want %q", c.left, got, c.want)
			}
		})
	}
}

func TestClockNeverShowsNothingWhileTimeIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left := time.Duration(rapid.Int64Min(1).Draw(t, "left"))
		if got := text.Clock(left); got == "00:00" {
			t.Errorf("Clock(%v) = %q", left, got)
		}
	})
}

func TestAge(t *testing.T) {
	cases := map[string]struct {
		lasted time.Duration
		want   string
	}{
		"negative": {-1, "0s"},
		"moment":   {time.Second - 1, "0s"},
		"seconds":  {59*time.Second + 999*time.Millisecond, "59s"},
		"minutes":  {12*time.Minute + 59*time.Second, "12m"},
		"hours":    {3*time.Hour + 5*time.Minute, "3h 05m"},
		"days":     {52 * time.Hour, "2d 04h"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := text.Age(c.lasted); got != c.want {
				t.Errorf("Age(%v) = %q, want %q", c.lasted, got, c.want)
			}
		})
	}
}

func TestUntil(t *testing.T) {
	zone := time.FixedZone("half", 5*3600+1800)
	now := time.Date(2026, time.March, 10, 22, 0, 0, 0, time.UTC) // a Tuesday
	cases := map[string]struct {
		t    time.Time
		loc  *time.Location
		want string
	}{
		"today":             {now.Add(time.Hour), nil, "23:00"},
		"rounds up":         {now.Add(time.Hour + time.Second), nil, "23:01"},
		"rounds a moment":   {now.Add(time.Hour + 1), nil, "23:01"},
		"soon":              {now.Add(65 * time.Second), nil, "22:01:05"},
		"soon, rounds":      {now.Add(65*time.Second + 1), nil, "22:01:06"},
		"just past":         {now.Add(-5 * time.Second), nil, "21:59:55"},
		"past":              {now.Add(-time.Hour), nil, "21:00"},
		"rounds to a day":   {now.Add(2*time.Hour - time.Second), nil, "Wed 00:00"},
		"tomorrow":          {now.Add(5 * time.Hour), nil, "Wed 03:00"},
		"six days":          {now.Add(6 * 24 * time.Hour), nil, "Mon 22:00"},
		"seven days":        {now.Add(7 * 24 * time.Hour), nil, "17 Mar 22:00"},
		"next year":         {now.AddDate(1, 0, 0), nil, "10 Mar 2027 22:00"},
		"by the zone's day": {now.Add(time.Hour), zone, "04:30"},
		"yesterday there":   {now.Add(-4 * time.Hour), zone, "Tue 23:30"},
		"unknown":           {time.Time{}, nil, "unknown"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := text.Until(c.t, now, c.loc); got != c.want {
				t.Errorf("Until(%v) = %q, want %q", c.t, got, c.want)
			}
		})
	}
}

// TestUntilIsNeverEarly reads the words back: the instant they name is not before
// the one that was meant.
func TestUntilIsNeverEarly(t *testing.T) {
	now := time.Date(2026, time.March, 10, 9, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		ahead := time.Duration(rapid.Int64Range(int64(2*time.Minute), int64(14*time.Hour)).Draw(t, "ahead"))
		words := text.Until(now.Add(ahead), now, nil)
		read, err := time.Parse("2006-01-02 15:04", "2026-03-10 "+words)
		if err != nil {
			t.Fatal(err)
		}
		if late := read.Sub(now.Add(ahead)); late < 0 || late >= time.Minute {
			t.Errorf("%v ahead is %q, which is %v late", ahead, words, late)
		}
	})
}

func TestStamp(t *testing.T) {
	at := time.Date(2026, time.March, 10, 16, 0, 5, 999, time.UTC)
	east := time.FixedZone("", 3600)
	for name, c := range map[string]struct {
		today time.Time
		loc   *time.Location
		want  string
	}{
		"no day":              {time.Time{}, nil, "16:00:05"},
		"today":               {at.Add(7 * time.Hour), nil, "16:00:05"},
		"an hour east":        {at, east, "17:00:05"},
		"tomorrow":            {at.Add(8 * time.Hour), nil, "10 Mar 16:00:05"},
		"tomorrow there":      {at.Add(7 * time.Hour), east, "10 Mar 17:00:05"},
		"the same day of May": {at.AddDate(0, 2, 0), nil, "10 Mar 16:00:05"},
		"another year":        {at.AddDate(1, 0, 0), nil, "10 Mar 2026 16:00:05"},
	} {
		if got := text.Stamp(at, c.today, c.loc); got != c.want {
			t.Errorf("%s: Stamp = %q, want %q", name, got, c.want)
		}
	}
}

func TestStep(t *testing.T) {
	for by, want := range map[time.Duration]string{
		5 * time.Second: "forward by 00:05", -time.Hour: "back by 1:00:00", -26*time.Hour - time.Millisecond: "back by 1d 02:00:01",
	} {
		if got := text.Step(by); got != want {
			t.Errorf("Step(%s) = %q, want %q", by, got, want)
		}
	}
}
