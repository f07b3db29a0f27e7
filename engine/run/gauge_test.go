package run

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadingIsCurrentUntilItsWindowEnds(t *testing.T) {
	told := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		reading Reading
		until   time.Duration
	}{
		"a reset":            {Reading{Gauge{Window: 5 * time.Hour, Resets: told.Add(time.Minute)}, told}, time.Minute},
		"a reset in advance": {Reading{Gauge{Window: 5 * time.Hour, Resets: told.Add(-time.Minute)}, told}, -time.Minute},
		"a length":           {Reading{Gauge{Window: 5 * time.Hour}, told}, 5 * time.Hour},
		"neither":            {Reading{At: told}, time.Hour},
	} {
		end := told.Add(tt.until)
		if !tt.reading.Current(end.Add(-1)) || tt.reading.Current(end) {
			t.Errorf("%s: is not current until %v", name, end)
		}
	}
}

func TestWithReadings(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	five := Reading{Gauge{Limit: "codex", Window: 5 * time.Hour, Used: .5}, at}
	week := Reading{Gauge{Limit: "codex", Window: 7 * 24 * time.Hour, Used: .1}, at}
	newer, older := five, five
	newer.Used, newer.At = .6, at.Add(1)
	older.Used, older.At = .4, at.Add(-1)
	other := Reading{Gauge{Limit: "a", Window: 5 * time.Hour}, at}
	var full []Reading
	for i := range MaxReadings {
		full = WithReadings(full, Reading{Gauge{Limit: fmt.Sprint(i)}, at.Add(time.Duration(i))})
	}
	last := Reading{Gauge{Limit: "z"}, at.Add(99)}
	for name, tt := range map[string]struct {
		all  []Reading
		one  Reading
		want []Reading
	}{
		"the first":        {nil, five, []Reading{five}},
		"by length":        {[]Reading{week}, five, []Reading{five, week}},
		"then by name":     {[]Reading{five}, other, []Reading{other, five}},
		"in its place":     {[]Reading{five, week}, newer, []Reading{newer, week}},
		"of the same time": {[]Reading{five}, five, []Reading{five}},
		"an older one":     {[]Reading{newer, week}, older, []Reading{newer, week}},
		"too many":         {full, last, append(full[1:len(full):len(full)], last)},
	} {
		before := fmt.Sprint(tt.all)
		if diff := cmp.Diff(tt.want, WithReadings(tt.all, tt.one)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if fmt.Sprint(tt.all) != before {
			t.Errorf("%s: what was given is changed", name)
		}
	}
}
