package sim

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"example.com/layover/engine/run"
)

// worldStart is when the drawn worlds begin.
var worldStart = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// Drawn draws a world from a seed: a program, providers that limit it in every way
// that is known, agents that misbehave, an operator, clocks that jump, and deaths of
// Layover itself.
func Drawn(seed uint64) World {
	r := rand.New(rand.NewPCG(seed, 2))
	w := World{
		Seed: seed, Start: worldStart, Providers: map[string]*Provider{},
		Program: drawProgram(r), Agents: drawAgents(r),
	}
	span := 30 * 24 * time.Hour
	for _, f := range w.Program.Families() {
		w.Providers[f] = drawProvider(r, span)
	}
	if often(r, 4) { // the network is away from all of them
		cuts := Spells(r, span, 1, func() time.Duration { return Between(r, 5*time.Second, 2*time.Hour) }, func() Hint { return HintNone })
		for _, p := range w.Providers {
			p.Cuts = cuts
		}
	}
	sizes := r.Uint64()
	low, high := 1+r.IntN(10), 10+r.IntN(200)
	w.Calls = func(j Job) int {
		return low + rand.New(rand.NewPCG(sizes, uint64(j.Task)<<20|uint64(j.Iteration))).IntN(high)
	}
	drawEvents(r, &w, span)
	if r.IntN(3) == 0 {
		w.Held = r.Float64() / 2
	}
	if r.IntN(4) == 0 {
		w.Until = func(iteration int) bool { return iteration >= 2 }
		w.Program.Until = []string{"test", "-f", "DONE"}
	}
	if often(r, 8) {
		w.Missing = []string{one(r, w.Program.Order...).Agent}
	}
	if w.Program.Handoff { // one that is too long is summarised only where that is wanted
		w.Program.HandoffSummary = often(r, 3)
		w.Agents.Long = r.Float64()
	}
	return w
}

func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// often reports true once in so many times.
func often(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

func drawProgram(r *rand.Rand) run.Program {
	p := run.Defaults()
	p.Name, p.Agents = "sim", map[string]run.Agent{}
	orders := [][]string{
		{"claude"},
		{"claude", "codex"},
		{"claude:opus", "claude:sonnet", "codex"},
		{"claude:opus", "claude", "codex", "gemini"},
	}
	for _, name := range one(r, orders...) {
		t := target(name)
		p.Order = append(p.Order, t)
		p.Agents[t.Agent] = run.Agent{Preset: t.Agent, Family: t.Agent}
	}
	p.Parallel = one(r, 1, 2, 4, 8, 16)
	p.Iterations = one(r, 1, 2, 5, 20)
	p.Breaker.On = !often(r, 6)
	p.Retry.MaxRetries = one(r, 2, 2, 0, 6)
	p.MaxSwaps = one(r, 1, 1, 0, 2)
	p.Handoff = !often(r, 6)
	p.NoWait = often(r, 20)
	p.MaxPark = run.Duration(one(r, 6*time.Hour, 6*time.Hour, time.Hour))
	p.Patience = one(r, run.Duration(2*time.Minute), run.Off, 0, run.Duration(20*time.Minute))
	if often(r, 10) {
		p.Limits.MaxTokens = 1000 + r.Int64N(1_000_000)
	}
	p.Deadline = run.Duration(one(r, 0, 0, 15*time.Minute, 5*time.Hour, 60*time.Hour, 12*24*time.Hour))
	for i := range one(r, 1, 3, 8, 30, 60) {
		t := run.Task{Name: "task-" + strconv.Itoa(i), Wait: run.WaitPark}
		if often(r, 8) {
			t.Wait = one(r, run.WaitInline, run.WaitNever)
		}
		t.Pinned = often(r, 8)
		if often(r, 20) {
			t.MaxTokens = 1000 + r.Int64N(100_000)
		}
		t.Deadline = run.Duration(one(r, 0, 0, 0, time.Hour, 8*time.Hour))
		if often(r, 5) && len(p.Order) > 1 {
			for _, at := range r.Perm(len(p.Order))[:1+r.IntN(len(p.Order))] {
				t.Order = append(t.Order, p.Order[at])
			}
		}
		p.Tasks = append(p.Tasks, t)
	}
	return p
}

func target(name string) run.Target {
	var t run.Target
	if err := t.UnmarshalText([]byte(name)); err != nil {
		panic(err)
	}
	return t
}

func drawAgents(r *rand.Rand) Agents {
	a := Agents{
		Start: one(r, 2*time.Second, 5*time.Second, 10*time.Second), Call: one(r, 20*time.Second, time.Minute, 5*time.Minute),
		Sign: one(r, 0, 2*time.Second, 10*time.Second), Stall: 10 * time.Minute,
	}
	if often(r, 2) {
		a.Inside, a.InsideOver = 180*time.Second, often(r, 2)
	}
	for _, p := range []*float64{&a.Hangs, &a.Dies, &a.Fails, &a.Overflows, &a.Cancels} {
		if often(r, 3) {
			*p = r.Float64() / 200
		}
	}
	if often(r, 4) {
		a.Mute = r.Float64() / 5
	}
	return a
}

func drawProvider(r *rand.Rand, span time.Duration) *Provider {
	p := &Provider{Transient: one(r, 0, 0.01, 0.05)}
	quota := func(model string, calls int, every time.Duration, rolling bool) {
		q := Quota{Model: model, Calls: calls, Every: every, Rolling: rolling, States: !often(r, 4)}
		if often(r, 4) {
			q.Text = true
		}
		if often(r, 4) {
			q.Wrong = time.Duration(r.IntN(3600)-600) * time.Second
		}
		if often(r, 4) {
			q.Moves = time.Duration(r.IntN(7200)) * time.Second
		}
		p.Quotas = append(p.Quotas, q)
	}
	if !often(r, 3) {
		quota("", 50+r.IntN(3000), 5*time.Hour, true)
	}
	if often(r, 2) {
		quota("", 500+r.IntN(30_000), 7*24*time.Hour, false)
	}
	if often(r, 2) {
		quota("opus", 50+r.IntN(5000), 7*24*time.Hour, false)
	}
	hint := func() Hint { return one(r, HintNone, HintNone, HintExact, HintExact, HintExact, HintShort, HintLong) }
	none := func() Hint { return HintNone }
	p.Brownouts = Spells(r, span, one(r, 0., 6, 40), func() time.Duration { return Between(r, time.Minute, 15*time.Minute) }, hint)
	p.Overloads = Spells(r, span, one(r, 0., 20, 100), func() time.Duration { return Between(r, 5*time.Second, 3*time.Minute) }, none)
	for i := range p.Overloads {
		p.Overloads[i].Chance = 0.8
	}
	p.Cuts = Spells(r, span, one(r, 0., 0, 1, 5), func() time.Duration { return Between(r, 5*time.Second, 2*time.Hour) }, none)
	p.Logouts = Spells(r, span, one(r, 0., 0, 0, 0.3), func() time.Duration { return Between(r, time.Minute, 8*time.Hour) }, none)
	p.Unpaid = Spells(r, span, one(r, 0., 0, 0, 0.1), func() time.Duration { return Between(r, time.Minute, 8*time.Hour) }, none)
	for range one(r, 0, 0, 1, 5) {
		p.Early = append(p.Early, time.Duration(r.Int64N(int64(span))))
	}
	slices.Sort(p.Early)
	return p
}

// drawEvents draws what the operator does, how clocks jump, what other processes say
// and when Layover dies. Whatever holds the run back is taken back in the end.
func drawEvents(r *rand.Rand, w *World, span time.Duration) {
	soon := func() time.Duration { return Between(r, time.Second, span) }
	for _, f := range w.Program.Families() {
		for _, s := range append(w.Providers[f].Logouts, w.Providers[f].Unpaid...) {
			if !often(r, 4) {
				w.Events = append(w.Events, Event{At: s.To + time.Duration(r.Int64N(int64(time.Hour))), Happening: run.CredentialsChanged{Family: f}})
			}
		}
	}
	if often(r, 2) {
		for range r.IntN(40) {
			w.Events = append(w.Events, Event{At: soon(), Happening: drawHappening(r, w)})
		}
	}
	if often(r, 3) {
		at := soon()
		w.Events = append(w.Events, Event{At: at, Happening: run.Command{Verb: run.VerbPause}},
			Event{At: at + Between(r, time.Second, 12*time.Hour), Happening: run.Command{Verb: run.VerbUnpause}})
	}
	if often(r, 4) {
		at := soon()
		w.Events = append(w.Events, Event{At: at, Happening: run.Command{Verb: run.VerbSoftStop}},
			Event{At: at + Between(r, time.Second, 10*time.Minute), Happening: run.Command{Verb: run.VerbTakeBack}})
	}
	if often(r, 3) {
		for range 1 + r.IntN(4) {
			w.Events = append(w.Events, Event{At: soon(), Step: time.Duration(r.IntN(7200)-600) * time.Second})
		}
	}
	if often(r, 3) {
		for range 1 + r.IntN(4) {
			w.Events = append(w.Events, Event{At: soon(), Sleep: Between(r, 3*time.Second, 10*time.Hour)})
		}
	}
	if often(r, 2) {
		for range 1 + r.IntN(8) {
			w.Deaths = append(w.Deaths, 1+int(Between(r, 1, 5000)))
			w.Away = append(w.Away, Between(r, time.Second, 5*time.Hour))
		}
	}
	for at := span; at < 2*span; at += 24 * time.Hour {
		w.Events = append(w.Events, Event{At: at, Happening: run.Command{Verb: run.VerbUnpause}})
	}
	// There may be more work than the providers ever allow.
	w.Events = append(w.Events, Event{At: 2 * span, Happening: run.Command{Verb: run.VerbHardStop}})
}

// drawHappening draws what the operator or another process may do.
func drawHappening(r *rand.Rand, w *World) run.Happening {
	family := one(r, w.Program.Families()...)
	lane := run.LaneID(1 + r.IntN(40))
	switch r.IntN(12) {
	case 0:
		return run.Command{Verb: run.VerbSoftStop, Lane: lane}
	case 1:
		return run.Command{Verb: run.VerbHardStop, Lane: lane}
	case 2:
		return run.Command{Verb: run.VerbTakeBack, Lane: lane}
	case 3, 4:
		return run.Command{Verb: run.VerbWake, Lane: lane}
	case 5, 6:
		return run.Command{Verb: run.VerbSwap, Lane: lane}
	case 7:
		return run.Command{Verb: run.VerbClear, Family: family}
	case 8:
		if often(r, 6) {
			return run.Command{Verb: one(r, run.VerbSoftStop, run.VerbHardStop)}
		}
		return run.Command{Verb: run.VerbTakeBack}
	case 9:
		return run.Suspected{Lane: lane, Attempt: run.AttemptID(1 + r.IntN(60)), Why: "gauge"}
	case 10:
		return run.Seen{Window: drawWindow(r, family), Cleared: true}
	}
	return run.Seen{Window: drawWindow(r, family)}
}

func drawWindow(r *rand.Rand, family string) run.Window {
	opened := worldStart.Add(Between(r, time.Second, 30*24*time.Hour))
	v := run.Window{
		WindowKey: run.WindowKey{Family: family, Sort: run.SortLimit}, Kind: run.KindUsage, OpenedAt: opened,
		Until: opened.Add(Between(r, time.Second, 12*time.Hour)), How: one(r, run.HowAssumed, run.HowText, run.HowStated), Trip: true,
	}
	v.NextTry = v.Until
	if v.How == run.HowAssumed {
		v.NextTry = opened.Add(time.Minute)
	}
	return v
}
