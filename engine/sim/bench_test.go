package sim_test

import (
	"testing"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// BenchmarkWeek is one run of eight lanes for a week.
func BenchmarkWeek(b *testing.B) {
	c := scenarios()[2]
	b.ReportAllocs()
	for n := range uint64(b.N) {
		s := sim.New(c.world(n+1, false, run.Defaults().Patience))
		if err := s.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
