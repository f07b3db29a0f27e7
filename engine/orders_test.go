package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// A guard knows what its agent must keep, also when nobody owns the run; it acts a
// little later than an owner would. It knows no clock but the machine's.
func TestGuardsAreToldWhatToKeep(t *testing.T) {
	const slack = 5 * time.Second
	for name, tc := range map[string]struct {
		speed           float64
		deadline, stall time.Duration // of the program
		until, silent   time.Duration // of the guard
	}{
		"real time": {1, 3 * time.Hour, 10 * time.Minute, 3*time.Hour + slack, 10*time.Minute + slack},
		"faster":    {60, 3 * time.Hour, 10 * time.Minute, 0, 0},
		"no limits": {1, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				p := program(1, "claude")
				p.Deadline, p.OnDeath = run.Duration(tc.deadline), "end"
				p.Iterations, p.Until = 2, []string{untilCommand}
				p.Limits = run.Limits{StallTimeout: run.Duration(tc.stall), MaxOutputBytes: 12345, KillGrace: run.Duration(7 * time.Second)}
				w.script = func(a *actor) int { return succeeds(a, time.Minute) }
				w.until = func() (int, error) { return 0, nil }
				var specs []proc.GuardSpec
				start := w.ports.Start
				w.ports.Start = func(s proc.GuardSpec) (engine.Process, error) {
					specs = append(specs, s)
					return start(s)
				}
				w.ends(engine.Start(t.Context(), engine.Launch{ID: "test", Program: p, Seed: 1, Epoch: w.start, Speed: tc.speed}, w.ports), 0)
				if len(specs) != 2 || specs[0].Lock == specs[1].Lock || specs[0].Exit == specs[1].Exit {
					t.Fatalf("started %d: %+v", len(specs), specs)
				}
				for _, s := range specs { // an agent's, and that of the until command
					want := proc.GuardSpec{OnDeath: proc.EndTree, MaxOutput: 12345, Stall: tc.silent}
					if want.Grace = 7 * time.Second; tc.until > 0 {
						want.Deadline = w.start.Add(tc.until).UTC()
					}
					got := proc.GuardSpec{
						OnDeath: s.OnDeath, MaxOutput: s.MaxOutput, Stall: s.Stall, Spec: proc.Spec{Grace: s.Grace}, Deadline: s.Deadline.UTC(),
					}
					if diff := cmp.Diff(want, got); diff != "" || s.Exit == s.Lock || s.Exit == "" {
						t.Errorf("%v: lock %q, exit %q (-want +got):\n%s", s.Argv, s.Lock, s.Exit, diff)
					}
				}
			})
		})
	}
}

// An agent that probes knows of the permits that its owner holds for it, also if it
// is started by another owner than the one that decided so. No other agent does.
func TestAProbeIsToldOfItsPermits(t *testing.T) {
	for name, died := range map[string]bool{"same owner": false, "next owner": true} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.script = func(a *actor) int {
					if a.n == 1 {
						return hitsLimit(a, w.start.Add(time.Hour))
					}
					return succeeds(a, time.Minute)
				}
				start, killed := w.ports.Start, false
				w.ports.Start = func(s proc.GuardSpec) (engine.Process, error) {
					if died && !killed && w.count("attempt_started") == 2 {
						killed = true
						panic("killed")
					}
					return start(s)
				}
				w.ports.Environ = []string{permitsVar + "=of a parent"}
				h := engine.Start(t.Context(), engine.Launch{ID: "test", Program: patient("claude"), Seed: 1, Epoch: w.start, Speed: 1}, w.ports)
				if died {
					h.Wait()
					h = w.resumes(w.now() + time.Second)
				}
				w.ends(h, 0)
				told := func(a *actor) []string {
					return slices.DeleteFunc(slices.Clone(a.spec.Env), func(v string) bool { return len(v) < len(permitsVar) || v[:len(permitsVar)] != permitsVar })
				}
				if first, probe := told(w.actors[0]), told(w.actors[1]); len(first) != 1 || len(probe) != 2 || probe[1] != permitsVar+"=claude" {
					t.Errorf("the first agent is told %q, the probe %q", first, probe)
				}
			})
		})
	}
}
