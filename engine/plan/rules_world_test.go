package plan_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// drawOrders gives some tasks an order of targets of their own.
func drawOrders(t *rapid.T, p *run.Program) {
	for i := range p.Tasks {
		if len(p.Order) > 1 && rapid.IntRange(0, 3).Draw(t, "own order") == 0 {
			p.Tasks[i].Order = rapid.Permutation(p.Order).Draw(t, "task order")[:rapid.IntRange(1, len(p.Order)).Draw(t, "targets")]
		}
	}
}

// drawBudget draws a budget of tokens and money, mostly none.
func drawBudget(t *rapid.T) run.Budget {
	return run.Budget{
		MaxCostUSD: rapid.SampledFrom([]float64{0, 0, 0, 0, 0.5, 3}).Draw(t, "dollars"),
		MaxTokens:  rapid.SampledFrom([]int64{0, 0, 0, 0, 50, 300}).Draw(t, "tokens"),
	}
}

// drawSoon draws an instant that is often early, where most is going on.
func drawSoon(t *rapid.T, label string) time.Duration {
	limit := rapid.SampledFrom([]int{200, 2000, 20_000}).Draw(t, label+" within")
	return time.Duration(rapid.IntRange(0, limit*4).Draw(t, label)) * 250 * time.Millisecond
}

func drawWindow(t *rapid.T, agents []string) run.Window {
	sort := rapid.SampledFrom([]run.Sort{run.SortLimit, run.SortLimit, run.SortLogin}).Draw(t, "sort")
	opened := start.Add(drawSoon(t, "opened"))
	w := run.Window{
		WindowKey: run.WindowKey{Family: rapid.SampledFrom(agents).Draw(t, "seen family"), Sort: sort},
		Kind:      run.KindUsage, OpenedAt: opened, Until: opened.Add(drawSoon(t, "lasts")),
		How: run.How(rapid.IntRange(1, 3).Draw(t, "how")), Trip: true, Attempt: 1,
	}
	w.NextTry = w.Until
	if w.How == run.HowAssumed {
		w.NextTry = opened.Add(time.Minute)
	}
	if sort == run.SortLogin {
		w.Kind, w.Until, w.NextTry, w.How, w.Trip = run.KindAuth, time.Time{}, time.Time{}, run.HowStated, false
	}
	return w
}

// drawHappening draws what the operator, another process or an agent may do.
func drawHappening(t *rapid.T, agents []string) run.Happening {
	lane := run.LaneID(rapid.IntRange(0, 6).Draw(t, "lane"))
	family := rapid.SampledFrom(agents).Draw(t, "family")
	attempt := run.AttemptID(rapid.IntRange(1, 8).Draw(t, "attempt"))
	verb := run.Verb(rapid.IntRange(int(run.VerbSoftStop), int(run.VerbUnpause)).Draw(t, "verb"))
	return rapid.SampledFrom([]run.Happening{
		run.Command{Verb: verb, Lane: lane, Family: family},
		run.Command{Verb: verb, Lane: lane, Family: family},
		run.Command{Verb: run.VerbSoftStop, Lane: max(lane, 1)},
		run.Command{Verb: run.VerbTakeBack, Lane: lane},
		run.Command{Verb: run.VerbWake, Lane: max(lane, 1)},
		run.Command{Verb: run.VerbSwap, Lane: max(lane, 1)},
		run.RanAway{Lane: lane, Attempt: attempt},
		run.Overspent{Lane: lane, Used: run.Usage{Output: int64(attempt) * 50}},
		run.CredentialsChanged{Family: family},
		run.Suspected{Lane: lane, Attempt: attempt, Why: "gauge"},
		run.Seen{Window: drawWindow(t, agents)},
		run.Seen{Window: drawWindow(t, agents), Cleared: true},
		run.Resume{},
		run.Stepped{By: time.Duration(rapid.IntRange(-600, 6000).Draw(t, "step")) * time.Second},
	}).Draw(t, "happening")
}

// The rules hold too when tasks have orders of their own, when other processes
// open windows and hold permits, and when the operator does one thing after the
// other.
func TestRulesHoldInCrowdedWorlds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		drawOrders(t, &p)
		p.NoWait = rapid.IntRange(0, 9).Draw(t, "no wait") == 0
		agents := []string{"claude", "codex"}
		d := begin(t, p, drawWorld(t, agents).play)
		if seed := rapid.Uint64().Draw(t, "ledger"); rapid.Bool().Draw(t, "shared") {
			d.refuse = func(e run.AskPermit) bool {
				return policy.Draw(seed, 0, int(d.now.Sub(start)/time.Second), e.Keys[0].Family) < 0.4
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "happenings") {
			d.at(drawSoon(t, "when"), drawHappening(t, agents))
		}
		d.jumps = rapid.Bool().Draw(t, "jumps")
		d.at(6*time.Hour, run.Command{Verb: run.VerbUnpause})
		d.run()
	})
}
