package sim_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// row is one policy in one scenario, over all seeds.
type row struct {
	name           string
	mean, p10, p90 float64
	// of one run, on the mean
	useful, wasted, failed, aborted, swaps, spawns float64
}

// over plays every seed of a scenario, two at a time.
func (c scenario) over(play func(seed uint64) sim.Tally) []sim.Tally {
	all := make([]sim.Tally, c.seeds)
	var wg sync.WaitGroup
	for half := range 2 {
		wg.Go(func() {
			for i := half; i < c.seeds; i += 2 {
				all[i] = play(uint64(i + 1))
			}
		})
	}
	wg.Wait()
	return all
}

func summed(name string, got, best []sim.Tally) row {
	r := row{name: name}
	var shares []float64
	var useful, most float64
	n := float64(len(got))
	for i, x := range got {
		useful += float64(x.Useful)
		most += float64(best[i].Useful)
		if best[i].Useful > 0 {
			shares = append(shares, float64(x.Useful)/float64(best[i].Useful))
		}
		r.wasted += float64(x.Wasted) / n
		r.failed += float64(x.Failed) / n
		r.aborted += float64(x.Aborted) / n
		r.swaps += float64(x.Swaps) / n
		r.spawns += float64(x.Spawns) / n
	}
	slices.Sort(shares)
	at := func(q float64) float64 { return shares[int(q*float64(len(shares)-1))] }
	r.useful, r.mean, r.p10, r.p90 = useful/n, useful/most, at(.1), at(.9)
	return r
}

// layover plays a scenario by the real decider.
func (c scenario) layover(t *testing.T, inside bool, patience run.Duration) []sim.Tally {
	return c.over(func(seed uint64) sim.Tally {
		s := sim.New(c.world(seed, inside, patience))
		if err := s.Run(); err != nil {
			t.Errorf("%s: %s\n%v", c.name, s.Told(), err)
		}
		return s.Tally
	})
}

// models are the two models of an attempt: an agent ends at a refusal, or retries a
// bare 429 by itself for three minutes.
var models = []struct {
	name   string
	inside bool
}{{"(a)", false}, {"(b)", true}}

const (
	paying = "oracle that pays a spawn per wait"
	greedy = "greedy oracle"
	sleeps = "sleep 60 s and try again"
	anews  = "sleep 60 s, a process per try "
)

// rows makes the table of a scenario.
func (c scenario) rows(t *testing.T) []row {
	best := c.over(func(seed uint64) sim.Tally { return c.play(seed, oracle(greedy, false)) })
	var rows []row
	for _, p := range baselines() {
		rows = append(rows, summed(p.name, c.over(func(seed uint64) sim.Tally { return c.play(seed, p) }), best))
	}
	for _, m := range models {
		rows = append(rows, summed("Layover, patience off "+m.name, c.layover(t, m.inside, run.Off), best))
	}
	for _, m := range models {
		rows = append(rows, summed("Layover "+m.name, c.layover(t, m.inside, run.Defaults().Patience), best))
	}
	pays := c.over(func(seed uint64) sim.Tally { return c.play(seed, oracle(paying, true)) })
	return append(rows, summed(paying, pays, best), summed(greedy, best, best))
}

func (c scenario) print(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %s; %d seeds\n\n", c.name, c.about, c.seeds)
	b.WriteString("| policy | useful/oracle | p10 | p90 | wasted spawns | failed attempts | aborted turns | swaps |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %.3f | %.2f | %.2f | %.1f | %.1f | %.1f | %.1f |\n", r.name, r.mean, r.p10, r.p90, r.wasted, r.failed, r.aborted, r.swaps)
	}
	return b.String()
}

func named(rows []row, name string) row {
	return rows[slices.IndexFunc(rows, func(r row) bool { return r.name == name })]
}

// wanted is what Layover must reach in a scenario.
var wanted = map[string]struct {
	// paid is the least share of the useful work of the oracle that pays; sketch are
	// the shares of the greedy oracle that these rules reached in a model of them
	// without the real decider, (a) and (b).
	paid   float64
	sketch [2]float64
	// failed is the most failed attempts, as a share of those of sleeping for 60 s in one
	// process; anew the same of sleeping with a process per try, of which some fail that
	// were at work when a limit began, whatever is done then.
	failed, anew float64
}{
	"panel1": {paid: .975, sketch: [2]float64{.981, .983}, failed: 1. / 3, anew: .35},
	"panel3": {paid: .98, sketch: [2]float64{1, 1}},
	"week1":  {paid: .98, sketch: [2]float64{.999, .999}, failed: 1. / 20, anew: 1. / 20},
	"week3":  {paid: .98, sketch: [2]float64{.999, .999}},
	"storm1": {paid: .975, sketch: [2]float64{.964, .965}},
}

// Layover does the work that its providers' limits allow: as much as an oracle that
// pays for its processes but for a few percent, never less than any simple policy, and
// with few failed attempts. With -v all seeds are played, and the tables in the README
// and in testdata must be those that come out; else a tenth of the seeds, which may do a
// little worse than all.
func TestPolicyTable(t *testing.T) {
	tables := map[string][]row{}
	all := scenarios()
	slack := 0.
	if !*every {
		slack = .01
	}
	for i, c := range all {
		if !*every {
			c.seeds /= 10
			all[i] = c
		}
		t.Run(c.name, func(t *testing.T) {
			rows := c.rows(t)
			tables[c.name] = rows
			t.Log(c.print(rows))
			want := wanted[c.name]
			pays := named(rows, paying)
			most := slices.MaxFunc(rows[:len(baselines())], func(a, b row) int { return cmp.Compare(a.mean, b.mean) })
			for i, m := range models {
				r := named(rows, "Layover "+m.name)
				if r.useful < (want.paid-slack)*pays.useful {
					t.Errorf("%s does %.4f of the work of the oracle that pays, want %.3f", r.name, r.useful/pays.useful, want.paid)
				}
				if *every && r.mean < want.sketch[i]-.01 { // of all seeds
					t.Errorf("%s reaches %.4f, the sketch of its rules %.3f", r.name, r.mean, want.sketch[i])
				}
				if r.mean < most.mean-.005-slack {
					t.Errorf("%s reaches %.4f, %q %.4f", r.name, r.mean, most.name, most.mean)
				}
				for name, share := range map[string]float64{sleeps: want.failed, anews + m.name: want.anew} {
					if s := named(rows, name); share > 0 && r.failed > share*s.failed*(1+10*slack) {
						t.Errorf("%s fails %.1f attempts, %q %.1f", r.name, r.failed, s.name, s.failed)
					}
				}
			}
		})
	}
	if *every && len(tables) == len(all) {
		kept(t, all, tables)
	}
}
