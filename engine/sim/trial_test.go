package sim_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// The trial that Layover was made for: sixteen trials have 900 s each, and are rate
// limited after 15 s by a brownout that ends within the budget. By the ladder alone
// eight or more die with nearly all of their time left; Layover loses none that an
// oracle, which pays for its processes, saves. Where the brownout leaves hardly enough
// time for the work, the seconds until somebody knows that it is over decide: there
// Layover saves fewer.
func TestTheTrialThatMotivatedIt(t *testing.T) {
	trial := panel("trial", "", 0)
	for _, length := range []time.Duration{time.Minute, 3 * time.Minute, 6 * time.Minute, 8 * time.Minute, 10 * time.Minute} {
		for _, said := range []sim.Hint{sim.HintNone, sim.HintExact, sim.HintShort} {
			trial.providers = func(*rand.Rand, time.Duration) []*sim.Provider {
				return []*sim.Provider{{Brownouts: []sim.Spell{{From: 15 * time.Second, To: 15*time.Second + length, Hint: said}}}}
			}
			best := 0
			saved := map[string]int{}
			for seed := range uint64(20) {
				if ladder := trial.play(seed, baselines()[1]); said == sim.HintNone && ladder.Done > 8 {
					t.Errorf("hint %d, %s, seed %d: the ladder saves %d of 16", said, length, seed, ladder.Done)
				}
				oracle := trial.play(seed, oracle(paying, true))
				best += oracle.Done
				for _, m := range models {
					s := sim.New(trial.world(seed, m.inside, run.Defaults().Patience))
					if err := s.Run(); err != nil {
						t.Fatal(err)
					}
					saved[m.name] += s.Done
					if lost := oracle.Done - s.Done; lost > 0 && length <= 6*time.Minute {
						t.Errorf("hint %d, %s, seed %d %s: Layover loses %d that the oracle saves", said, length, seed, m.name, lost)
					}
				}
			}
			for _, m := range models {
				n := saved[m.name]
				t.Logf("hint %d, %s %s: %d of the %d that the oracle saves", said, length, m.name, n, best)
				if n < best*7/10 {
					t.Errorf("%d of %d", n, best)
				}
			}
		}
	}
}
