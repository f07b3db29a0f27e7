package sim_test

import (
	"flag"
	"strings"
	"testing"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

var (
	seed  = flag.Uint64("seed", 1, "the first seed of the drawn worlds")
	hours = flag.Float64("hours", 2000, "how many lane-hours to simulate")
	tell  = flag.Bool("tell", false, "print the facts of a world whose rules are broken")
)

// The rules hold in drawn worlds, one after the other, until so many lane-hours have
// been simulated.
func TestRulesHoldForMonths(t *testing.T) {
	var laneHours float64
	met := map[string]int{}
	n := *seed
	for ; laneHours < *hours; n++ {
		s := sim.New(sim.Drawn(n))
		if *tell {
			s.Keep()
		}
		err := s.Run()
		laneHours += s.LaneTime.Hours()
		s.Met(met)
		if err != nil {
			if *tell {
				for _, f := range s.Facts() {
					t.Logf("%s %d L%d %s %+v", f.At, f.Seq, f.Lane, f.Body.Name(), f.Body)
				}
			}
			t.Fatalf("%s\n%v\nto see it again: go test ./engine/sim -run Months -seed %d -hours 0.1 -tell", s.Told(), err, n)
		}
	}
	for _, b := range run.Bodies() {
		t.Logf("%8d %s", met[b.Name()], b.Name())
	}
	for k, n := range met {
		if strings.HasPrefix(k, "class") {
			t.Logf("%8d %s", n, k)
		}
	}
	t.Logf("%.0f lane-hours in %d worlds from seed %d", laneHours, n-*seed, *seed)
}
