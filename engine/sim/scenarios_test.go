package sim_test

import (
	"math/rand/v2"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// scenario is one part of the policy table: providers, and work to be done on them by
// so many workers at once. A unit of work is one call.
type scenario struct {
	name, about string
	span        time.Duration
	lanes       int
	// budget is that of one task; of all if once is set: then each worker has one task.
	budget       time.Duration
	once         bool
	least, most  int // calls of a task
	start, call  time.Duration
	respawn      time.Duration // a worker's rest after a task that was lost
	providers    func(r *rand.Rand, span time.Duration) []*sim.Provider
	seeds, tasks int
}

var families = []string{"a", "b", "c"}

const week = 7 * 24 * time.Hour

func hints(r *rand.Rand) func() sim.Hint {
	return func() sim.Hint {
		switch x := r.Float64(); {
		case x < 0.5:
			return sim.HintNone
		case x < 0.85:
			return sim.HintExact
		case x < 0.95:
			return sim.HintShort
		}
		return sim.HintLong
	}
}

// account draws a provider with two allowances, and so many brownouts and overloads a
// day; no calls means no allowance.
func account(r *rand.Rand, span time.Duration, five, weekly int, states bool, brownouts, overloads, transient float64) *sim.Provider {
	p := &sim.Provider{Transient: transient}
	if five > 0 {
		p.Quotas = []sim.Quota{
			{Calls: weekly, Every: week, States: states},
			{Calls: five, Every: 5 * time.Hour, Rolling: true, States: states},
		}
	}
	p.Brownouts = sim.Spells(r, span, brownouts, func() time.Duration { return sim.Between(r, time.Minute, 15*time.Minute) }, hints(r))
	p.Overloads = sim.Spells(r, span, overloads, func() time.Duration { return sim.Between(r, 5*time.Second, 3*time.Minute) }, func() sim.Hint { return sim.HintNone })
	for i := range p.Overloads {
		p.Overloads[i].Chance = 0.8
	}
	return p
}

// brownout is a healthy provider but for one brownout in a panel's time.
func brownout(r *rand.Rand) *sim.Provider {
	from := time.Duration((10 + 300*r.Float64()) * float64(time.Second))
	length := sim.Between(r, time.Minute, 15*time.Minute)
	return &sim.Provider{Brownouts: []sim.Spell{{From: from, To: from + length, Hint: hints(r)()}}}
}

func panel(name, about string, spare int) scenario {
	return scenario{
		name: name, about: about, span: 900 * time.Second, lanes: 16, budget: 900 * time.Second, once: true,
		least: 12, most: 25, start: 5 * time.Second, call: 15 * time.Second, seeds: 400, tasks: 16,
		providers: func(r *rand.Rand, _ time.Duration) []*sim.Provider {
			all := []*sim.Provider{brownout(r)}
			for range spare {
				all = append(all, &sim.Provider{})
			}
			return all
		},
	}
}

func scenarios() []scenario {
	busy := scenario{
		span: week, lanes: 8, budget: time.Hour, least: 10, most: 40, start: 10 * time.Second, call: 20 * time.Second,
		respawn: time.Minute, seeds: 20,
	}
	week1, week3, storm1 := busy, busy, busy
	week1.name, week1.about, week1.tasks = "week1", "8 lanes, 7 days, one family with five-hour and weekly caps, brownouts, overloads", 6000
	week1.providers = func(r *rand.Rand, span time.Duration) []*sim.Provider {
		return []*sim.Provider{account(r, span, 4000, 60_000, true, 6, 20, 0.01)}
	}
	week3.name, week3.about, week3.tasks = "week3", "the same with three families, of which one never states its reset", 12_000
	week3.providers = func(r *rand.Rand, span time.Duration) []*sim.Provider {
		return []*sim.Provider{
			account(r, span, 4000, 60_000, true, 6, 20, 0.01),
			account(r, span, 3000, 40_000, true, 4, 10, 0.01),
			account(r, span, 1500, 20_000, false, 6, 30, 0.01),
		}
	}
	storm1.name, storm1.about = "storm1", "8 lanes, 2 days, one family, 40 brownouts and 100 overloads a day, 900 s budget"
	storm1.span, storm1.budget, storm1.most, storm1.call, storm1.respawn = 48*time.Hour, 900*time.Second, 30, 15*time.Second, 30*time.Second
	storm1.tasks = 10_000
	storm1.providers = func(r *rand.Rand, span time.Duration) []*sim.Provider {
		return []*sim.Provider{account(r, span, 0, 0, true, 40, 100, 0.02)}
	}
	return []scenario{
		panel("panel1", "16 trials, 900 s budget, one family, a brownout of 60-900 s", 0),
		panel("panel3", "the same with two healthy families to spare", 2),
		week1, week3, storm1,
	}
}

// size is how many calls a task needs; it is the same for every policy.
func (c scenario) size(seed uint64, task int) int {
	return c.least + rand.New(rand.NewPCG(seed, uint64(1000+task))).IntN(c.most-c.least+1)
}

func (c scenario) drawn(seed uint64) []*sim.Provider {
	return c.providers(rand.New(rand.NewPCG(seed, 7)), c.span)
}

// world is the scenario as a run of Layover meets it. With inside, agents retry a bare
// 429 by themselves for three minutes.
func (c scenario) world(seed uint64, inside bool, patience run.Duration) sim.World {
	p := run.Defaults()
	p.Name, p.Parallel, p.Patience, p.Agents = c.name, c.lanes, patience, map[string]run.Agent{}
	w := sim.World{
		Seed: seed, Start: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Span: c.span, Fan: 2 * time.Second,
		Providers: map[string]*sim.Provider{}, Calls: func(j sim.Job) int { return c.size(seed, j.Task) },
		Agents: sim.Agents{Start: c.start, Call: c.call, Sign: 2 * time.Second, Stall: 10 * time.Minute},
	}
	if inside {
		w.Agents.Inside = 180 * time.Second
	}
	for i, provider := range c.drawn(seed) {
		w.Providers[families[i]] = provider
		p.Order = append(p.Order, run.Target{Agent: families[i]})
		p.Agents[families[i]] = run.Agent{Preset: "claude", Family: families[i]}
	}
	for range c.tasks {
		t := run.Task{Name: "task", Wait: run.WaitPark, Deadline: run.Duration(c.budget)}
		if c.once {
			t.Deadline = 0
		}
		p.Tasks = append(p.Tasks, t)
	}
	if c.once {
		p.Deadline = run.Duration(c.budget)
	}
	w.Program = p
	return w
}
