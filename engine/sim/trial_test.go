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
// oracle, which pays for its processes, saves.
func TestTheTrialThatMotivatedIt(t *testing.T) {
	trial := panel("trial", "", 0)
	for _, said := range []sim.Hint{sim.HintNone, sim.HintExact, sim.HintShort} {
		for _, length := range []time.Duration{time.Minute, 3 * time.Minute, 6 * time.Minute, 8 * time.Minute, 10 * time.Minute} {
			trial.providers = func(*rand.Rand, time.Duration) []*sim.Provider {
				return []*sim.Provider{{Brownouts: []sim.Spell{{From: 15 * time.Second, To: 15*time.Second + length, Hint: said}}}}
			}
			for seed := range uint64(20) {
				ladder := trial.play(seed, baselines()[1])
				saved := trial.play(seed, oracle(paying, true))
				if said == sim.HintNone && ladder.Aborted < 8 {
					t.Errorf("hint %d, %s, seed %d: the ladder loses %d of 16", said, length, seed, ladder.Aborted)
				}
				for _, m := range models {
					s := sim.New(trial.world(seed, m.inside, run.Defaults().Patience))
					if err := s.Run(); err != nil {
						t.Fatal(err)
					}
					if lost := s.Aborted - saved.Aborted; lost > 0 {
						t.Errorf("hint %d, %s, seed %d %s: Layover loses %d that the oracle saves", said, length, seed, m.name, lost)
					}
				}
			}
		}
	}
}
