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

// Lanes that wait are left alone if there is nowhere to go for them, or if they have
// patience left; but not if what they wait for has changed.
func TestWhoRests(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	claude, codex := run.Target{Agent: "claude"}, run.Target{Agent: "codex"}
	limit := func(family string, lasts time.Duration, how run.How) *run.Window {
		return &run.Window{
			WindowKey: run.WindowKey{Family: family, Sort: run.SortLimit}, Until: now.Add(lasts), NextTry: now.Add(lasts), How: how,
		}
	}
	hour := limit("claude", time.Hour, run.HowStated)
	waits := run.Restless{Target: claude, Window: hour.WindowKey}
	patient, inline, backoff := waits, waits, waits
	patient.Patient, inline.Inline, backoff.Window = true, true, run.WindowKey{}
	tests := map[string]struct {
		lanes    run.Restless
		windows  []*run.Window
		patience time.Duration
		missing  []string
		want     bool
	}{
		"another is free":              {lanes: waits, windows: []*run.Window{hour}},
		"another is not installed":     {lanes: waits, windows: []*run.Window{hour}, missing: []string{"codex"}, want: true},
		"another is limited":           {lanes: waits, windows: []*run.Window{hour, limit("codex", time.Hour, run.HowStated)}, want: true},
		"another is due":               {lanes: waits, windows: []*run.Window{hour, limit("codex", 0, run.HowStated)}},
		"patient":                      {lanes: patient, windows: []*run.Window{hour}, patience: 2 * time.Hour, want: true},
		"patient, but not for so long": {lanes: patient, windows: []*run.Window{hour}, patience: time.Minute},
		"patient, and nobody said":     {lanes: patient, windows: []*run.Window{limit("claude", time.Hour, run.HowAssumed)}, patience: time.Minute, want: true},
		"the window is gone":           {lanes: patient, patience: 2 * time.Hour},
		"another window lasts longer": {
			lanes: patient, patience: 2 * time.Hour,
			windows: []*run.Window{hour, {WindowKey: run.WindowKey{Family: "claude", Sort: run.SortHealth}, Until: now.Add(2 * time.Hour), NextTry: now.Add(2 * time.Hour)}},
		},
		"inline":                   {lanes: inline, windows: []*run.Window{limit("claude", 20*time.Second, run.HowStated), limit("codex", time.Hour, run.HowStated)}, want: true},
		"no more inline":           {lanes: inline, windows: []*run.Window{hour, limit("codex", time.Hour, run.HowStated)}},
		"a backoff":                {lanes: backoff},
		"a backoff, nowhere to go": {lanes: backoff, windows: []*run.Window{limit("codex", time.Hour, run.HowStated)}, want: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := &run.State{Windows: tt.windows, Missing: tt.missing, Program: run.Program{
				Patience: run.Duration(tt.patience), Order: []run.Target{claude, codex}, Tasks: []run.Task{{}},
				Agents: map[string]run.Agent{"claude": {Family: "claude"}, "codex": {Family: "codex"}},
			}}
			if got := turn.Rests(s, tt.lanes, now); got != tt.want {
				t.Fatalf("rests: %v, want %v", got, tt.want)
			}
		})
	}
}
