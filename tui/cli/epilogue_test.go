package cli

import (
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

func TestEpilogueTellsTheEndAndTheFiles(t *testing.T) {
	s := &run.State{Program: run.Program{Name: "night\x1b]52;c;x\a"}, Phase: run.PhaseEnded, Exit: 75, ExitWhy: "no target can be used before the deadline"}
	s.Counts.Done, s.Queue = 2, make([]run.Job, 3)
	left := &run.State{Program: run.Program{Name: "night"}, Phase: run.PhaseRunning, Notice: "left; one agent goes on alone"}
	done := &run.State{Program: run.Program{Name: "night"}, Phase: run.PhaseEnded, ExitWhy: "all tasks have ended"}
	early := *s
	early.Program.Deadline, early.StartedAt = run.Duration(time.Hour), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	early.EndedAt, early.ResetsAt = early.StartedAt.Add(time.Minute), early.StartedAt.Add(2*time.Hour)
	for name, tt := range map[string]struct {
		state *run.State
		exit  int
		want  []string
		also  int // how many of them are on the same line as others
	}{
		"ended":     {s, 75, []string{"exit code 75", "2 done", "3 queued", "files: /state/runs/x", "to go on: layover resume x"}, 2},
		"too late":  {&early, 75, []string{"exit code 75", "2 done", "3 queued", "files: /state/runs/x", "its budget of time ends first, at 13:00:00: run it anew then"}, 2},
		"left":      {left, 3, []string{"left; one agent goes on alone", "files: /state/runs/x", "to go on: layover resume x"}, 0},
		"done":      {done, 0, []string{"exit code 0", "files: /state/runs/x"}, 0},
		"not saved": {done, 1, []string{"exit code 1", "files: /state/runs/x"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			Epilogue(&b, tt.state, tt.exit, "/state/runs/x", time.UTC)
			for _, want := range tt.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("no %q in %q", want, b.String())
				}
			}
			if strings.ContainsAny(b.String(), "\x1b\a") || strings.Count(b.String(), "\n") != len(tt.want)-tt.also {
				t.Errorf("got %q", b.String())
			}
		})
	}
}
