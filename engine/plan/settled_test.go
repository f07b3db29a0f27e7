package plan_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// Who has nothing to do is not asked again until something changes: whoever asks all
// lanes at every decision comes to the same facts. Some tasks have orders of their own, so
// that a target is often free for some lanes alone.
func TestWhatIsRememberedDecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		p.Agents["codex"] = run.Agent{Preset: "codex", Family: "codex"}
		p.Agents["other"] = run.Agent{Preset: "codex", Family: "other"}
		p.Parallel = rapid.IntRange(2, 8).Draw(t, "more parallel")
		p.MaxSwaps = rapid.IntRange(1, 3).Draw(t, "more swaps")
		p.Tasks = append(p.Tasks, slices.Repeat([]run.Task{{Name: "park", Wait: run.WaitPark}}, 3)...)
		orders := [][]run.Target{nil, nil, {{Agent: "other"}}, {{Agent: "codex"}, {Agent: "other"}}, {{Agent: "claude"}, {Agent: "codex"}}}
		for i := range p.Tasks {
			p.Tasks[i].Order = rapid.SampledFrom(orders).Draw(t, "own order")
		}
		w := drawWorld(t, []string{"claude", "codex", "other"})
		type later struct {
			after time.Duration
			h     run.Happening
		}
		var happens []later
		for range rapid.IntRange(0, 4).Draw(t, "happenings") {
			happens = append(happens, later{
				time.Duration(rapid.IntRange(0, 20_000).Draw(t, "when")) * time.Second,
				rapid.SampledFrom([]run.Happening{
					run.Stepped{By: -5 * time.Minute},
					run.Stepped{By: 5 * time.Minute},
					run.CredentialsChanged{Family: "claude"},
					run.Command{Verb: run.VerbClear, Family: "codex"},
					run.Command{Verb: run.VerbWake, Lane: 2},
					run.Command{Verb: run.VerbSwap, Lane: 3},
					run.Command{Verb: run.VerbSoftStop, Lane: 1},
					run.Command{Verb: run.VerbTakeBack, Lane: 1},
					run.Command{Verb: run.VerbPause},
					run.Command{Verb: run.VerbUnpause},
				}).Draw(t, "happening"),
			})
		}
		facts := func(forgets bool) string {
			d := begin(t, p, w.play, func(d *drive) { d.forgets, d.jumps = forgets, true })
			for _, x := range happens {
				d.at(x.after, x.h)
			}
			d.at(6*time.Hour, run.Command{Verb: run.VerbUnpause})
			return string(lines(t, d.run().facts))
		}
		if diff := cmp.Diff(facts(true), facts(false)); diff != "" {
			t.Fatalf("asked at every decision, and not:\n%s", diff)
		}
	})
}
