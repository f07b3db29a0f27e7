package sim_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"testing"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

var (
	seed  = flag.Uint64("seed", 1, "the first seed of the drawn worlds")
	hours = flag.Float64("hours", 10_000, "how many lane-hours to simulate")
	tell  = flag.Bool("tell", false, "print the facts of a world whose rules are broken")
)

// The rules hold in drawn worlds, one after the other, until so many lane-hours have
// been simulated; and in so many worlds everything happens that can.
func TestRulesHoldForMonths(t *testing.T) {
	var laneHours float64
	made := map[string]int{}
	var decisions, facts int
	n := *seed
	for ; laneHours < *hours; n++ {
		s := sim.New(sim.Drawn(n))
		if *tell {
			s.Keep()
		}
		err := s.Run()
		laneHours += s.LaneTime.Hours()
		decisions, facts = decisions+s.Steps, facts+s.Recorded
		s.Made(made)
		if err != nil {
			for _, f := range s.Facts() {
				t.Logf("%s %d L%d %s %+v", f.At, f.Seq, f.Lane, f.Body.Name(), f.Body)
			}
			t.Fatalf("%s\n%v\nto see it again: go test ./engine/sim -run Months -seed %d -hours 0.1 -tell", s.Told(), err, n)
		}
	}
	t.Logf("%.0f lane-hours in %d worlds from seed %d: %d decisions, %d facts", laneHours, n-*seed, *seed, decisions, facts)
	if laneHours < 5000 {
		return // too few for the rest
	}
	for _, b := range run.Bodies() {
		if made[b.Name()] == 0 {
			t.Errorf("no world made the fact %s", b.Name())
		}
	}
}

// The same seed gives the same facts, byte for byte.
func TestAWorldGivesTheSameFacts(t *testing.T) {
	for n := range uint64(40) {
		lines := func() []byte {
			s := sim.New(sim.Drawn(n)).Keep()
			if err := s.Run(); err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			for _, f := range s.Facts() {
				line, err := json.Marshal(f)
				if err != nil {
					t.Fatal(err)
				}
				b.Write(append(line, '\n'))
			}
			return b.Bytes()
		}
		if a, b := lines(), lines(); !bytes.Equal(a, b) {
			t.Fatalf("world %d: %d bytes of facts, then %d others", n, len(a), len(b))
		}
	}
}
