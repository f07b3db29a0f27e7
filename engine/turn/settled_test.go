package turn_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// What a lane that waits has answered holds until the first of the ends that it knows
// itself: of its patience, of its allowance, of its budget of time. One whose budget has
// not begun answers otherwise at every moment.
func TestAnAnswerHoldsUntilTheFirstEnd(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	in := func(d time.Duration) time.Time { return now.Add(d) }
	tests := map[string]struct {
		patience, waited, own time.Duration
		ceiling, first        time.Time
		want                  time.Time
	}{
		"nothing bounds it":           {waited: time.Minute, first: now},
		"patience":                    {patience: time.Hour, waited: time.Minute, first: now, want: in(59 * time.Minute)},
		"patience at its end":         {patience: time.Hour, waited: time.Hour, first: now},
		"allowance":                   {patience: time.Hour, ceiling: in(time.Minute), first: now, want: in(time.Minute)},
		"patience before allowance":   {patience: time.Minute, ceiling: in(time.Hour), first: now, want: in(time.Minute)},
		"budget of time":              {own: time.Hour, ceiling: in(2 * time.Hour), first: in(-time.Minute), want: in(59 * time.Minute)},
		"budget that has not begun":   {own: time.Hour, want: now},
		"no budget, no agent started": {patience: time.Hour, want: in(time.Hour)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := &run.State{Program: run.Program{
				Patience: run.Duration(tt.patience), Tasks: []run.Task{{Deadline: run.Duration(tt.own)}},
			}}
			l := &run.Lane{Job: run.Job{FirstSpawn: tt.first}, Wait: &run.Wait{Since: now.Add(-tt.waited), Ceiling: tt.ceiling}}
			if got := turn.SettledUntil(s, l, now); !got.Equal(tt.want) {
				t.Fatalf("until %s, want %s", got, tt.want)
			}
		})
	}
}
