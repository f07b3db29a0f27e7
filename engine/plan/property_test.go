package plan_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// world is a set of providers whose limits come and go; what an attempt meets
// depends on when it is made, not on what Layover decides.
type world struct {
	seed   uint64
	spells []spell
}

type spell struct {
	agent, model string
	from, to     time.Duration
	class        run.Class
	stated       bool
	text         bool
	inner        time.Duration // how long the agent retries inside
	lie          time.Duration // how wrong a stated reset is
}

func (w world) play(d *drive, sp run.Spawn) play {
	u := func(kind string) float64 { return policy.Draw(w.seed, int(sp.Lane), int(sp.Attempt), kind) }
	at := d.now.Sub(start)
	for _, s := range w.spells {
		if s.agent != sp.Target.Agent || at < s.from || at >= s.to || (s.model != "" && s.model != sp.Target.Model) {
			continue
		}
		v := run.Verdict{Class: s.class}
		switch s.class {
		case run.ClassRateLimited:
			v.Scope, v.Kind = run.ScopeFamily, run.KindThrottle
			if s.model != "" {
				v.Scope = run.ScopeModel
			}
			if s.stated {
				v.Kind, v.How, v.Reset = run.KindUsage, run.HowStated, start.Add(s.to+s.lie)
				if s.text {
					v.How = run.HowText
				}
			}
		case run.ClassOverloaded:
			if s.stated {
				v.How, v.Reset = run.HowStated, start.Add(s.to+s.lie)
			}
		}
		p := play{served: -1, after: time.Second + s.inner, verdict: v}
		if s.inner > 0 {
			p.suspect = time.Second
		}
		if u("midway") < 0.2 {
			p.served = 500 * time.Millisecond
		}
		return p
	}
	p := works(time.Duration(1+u("work")*40) * time.Minute)
	if u("fault") < 0.1 {
		classes := []run.Class{
			run.ClassTransport, run.ClassStalled, run.ClassIncomplete, run.ClassContextOverflow, run.ClassFailed, run.ClassCancelled,
		}
		p.verdict.Class = classes[int(u("class")*float64(len(classes)))]
	}
	if u("mute") < 0.1 {
		p.served = -1
	}
	p.verdict.Usage = run.Usage{Output: int64(u("tokens") * 100), CostUSD: u("cost")}
	return p
}

func drawWorld(t *rapid.T, agents []string) world {
	w := world{seed: rapid.Uint64().Draw(t, "world seed")}
	for range rapid.IntRange(0, 8).Draw(t, "spells") {
		from := time.Duration(rapid.IntRange(0, 300).Draw(t, "from")) * time.Minute
		w.spells = append(w.spells, spell{
			agent: rapid.SampledFrom(agents).Draw(t, "agent"), model: rapid.SampledFrom([]string{"", "", "opus"}).Draw(t, "model"),
			from: from, to: from + time.Duration(rapid.IntRange(1, 40_000).Draw(t, "length"))*time.Second,
			class: rapid.SampledFrom([]run.Class{
				run.ClassRateLimited, run.ClassRateLimited, run.ClassOverloaded, run.ClassTransport, run.ClassAuth, run.ClassBilling,
			}).Draw(t, "class"),
			stated: rapid.Bool().Draw(t, "stated"), text: rapid.Bool().Draw(t, "text"),
			inner: time.Duration(rapid.IntRange(0, 180).Draw(t, "inner")) * time.Second,
			lie:   time.Duration(rapid.IntRange(-300, 3000).Draw(t, "lie")) * time.Second,
		})
	}
	return w
}

func drawProgram(t *rapid.T) run.Program {
	p := program(rapid.SampledFrom([][]string{
		{"claude"}, {"claude", "codex"}, {"claude:opus", "claude:sonnet", "codex"}, {"claude:opus", "claude", "codex"},
	}).Draw(t, "order")...)
	p.Parallel = rapid.IntRange(1, 5).Draw(t, "parallel")
	p.Iterations = rapid.IntRange(1, 3).Draw(t, "iterations")
	p.Breaker.On = rapid.IntRange(0, 4).Draw(t, "breaker") > 0
	p.MaxSwaps = rapid.IntRange(0, 2).Draw(t, "swaps")
	p.MaxPark = run.Duration(rapid.SampledFrom([]time.Duration{time.Hour, 6 * time.Hour}).Draw(t, "max park"))
	p.Patience = rapid.SampledFrom([]run.Duration{run.Off, 0, run.Duration(2 * time.Minute)}).Draw(t, "patience")
	p.Deadline = run.Duration(rapid.SampledFrom([]time.Duration{0, 10 * time.Minute, 5 * time.Hour, 40 * time.Hour}).Draw(t, "deadline"))
	p.Limits.Budget = drawBudget(t)
	p.Tasks = nil
	for range rapid.IntRange(1, 5).Draw(t, "tasks") {
		p.Tasks = append(p.Tasks, run.Task{
			Name: "task", Wait: rapid.SampledFrom([]run.WaitMode{run.WaitPark, run.WaitPark, run.WaitInline, run.WaitNever}).Draw(t, "wait"),
			Pinned:   rapid.IntRange(0, 5).Draw(t, "pinned") == 0,
			Deadline: run.Duration(rapid.SampledFrom([]time.Duration{0, 0, time.Hour}).Draw(t, "task deadline")),
			Budget:   drawBudget(t),
		})
	}
	return p
}

// The rules of package sim hold in every run: permits, evidence,
// allowances, swaps, wait modes, one woken per parked, every attempt accounted
// once, replay equal to live, and every run ends.
func TestRulesHoldInEveryRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		agents := []string{"claude", "codex"}
		d := begin(t, p, drawWorld(t, agents).play)
		for range rapid.IntRange(0, 6).Draw(t, "commands") {
			c := run.Command{
				Verb: run.Verb(rapid.IntRange(int(run.VerbSoftStop), int(run.VerbSwap)).Draw(t, "verb")),
				Lane: run.LaneID(rapid.IntRange(0, 6).Draw(t, "lane")), Family: rapid.SampledFrom(agents).Draw(t, "family"),
			}
			d.at(time.Duration(rapid.IntRange(0, 20_000).Draw(t, "when"))*time.Second, c)
		}
		if rapid.IntRange(0, 3).Draw(t, "pause") == 0 {
			d.at(5*time.Minute, run.Command{Verb: run.VerbPause})
			d.at(50*time.Minute, run.Command{Verb: run.VerbUnpause})
		}
		if rapid.IntRange(0, 3).Draw(t, "step") == 0 {
			d.at(7*time.Minute, run.Stepped{By: time.Duration(rapid.IntRange(-600, 600).Draw(t, "by")) * time.Second})
		}
		d.run()
	})
}
