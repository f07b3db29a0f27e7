package sim_test

import (
	"fmt"
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

// crowd is a drawn world in which nearly every fact is made, with so many lanes at work,
// tasks for all of them, and allowances to match.
func crowd(lanes int) sim.World {
	w := sim.Drawn(71)
	few := w.Program.Parallel
	w.Program.Parallel = lanes
	for tasks := w.Program.Tasks; len(w.Program.Tasks) < lanes; {
		w.Program.Tasks = append(w.Program.Tasks, tasks...)
	}
	for _, p := range w.Providers {
		for i := range p.Quotas {
			p.Quotas[i].Calls *= lanes / few
		}
	}
	return w
}

// BenchmarkApply applies one fact of a whole drawn world after the other. With more lanes
// a fact about all of them does more, such as a window that clears, and a longer history
// keeps the collector busier; one about a lane costs the same.
func BenchmarkApply(b *testing.B) {
	var base float64
	for _, lanes := range []int{10, 1000} {
		b.Run(fmt.Sprintf("lanes=%d", lanes), func(b *testing.B) {
			r := sim.New(crowd(lanes)).Keep()
			if err := r.Run(); err != nil {
				b.Fatal(err)
			}
			facts, s := r.Facts(), &run.State{}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i == len(facts) {
					i, s = 0, &run.State{}
				}
				if err := s.Apply(facts[i]); err != nil {
					b.Fatal(err)
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			made := map[string]int{}
			r.Made(made)
			b.ReportMetric(float64(len(made)), "kinds")
			b.ReportMetric(float64(len(facts)), "facts")
			if lanes == 10 {
				base = each
			} else if base > 0 { // the smaller one was not left out
				b.ReportMetric(each/base, "x-of-10-lanes")
			}
		})
	}
}
