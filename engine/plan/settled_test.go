package plan_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// Who has nothing to do is not asked again until something changes: whoever asks all
// lanes at every decision comes to the same facts. The targets of these runs are limited
// by turns, and some tasks have orders of their own, so that a target is often free for
// some lanes alone.
func TestWhatIsRememberedDecidesNothing(t *testing.T) {
	asked := 0
	for n := range uint64(300) {
		facts := func(forgets bool) []byte {
			d := crowded(t, rand.New(rand.NewPCG(n, 0)), func(d *drive) { d.forgets, d.jumps = forgets, true })
			for _, b := range all[run.LaneRouted](d) {
				if b.Why == "patience" && !b.To.IsZero() {
					asked++
				}
			}
			return lines(t, d.facts)
		}
		if diff := cmp.Diff(string(facts(true)), string(facts(false))); diff != "" {
			t.Fatalf("run %d, asked at every decision, and not:\n%s", n, diff)
		}
	}
	if asked < 1000 {
		t.Fatalf("only %d lanes went elsewhere", asked)
	}
}

// crowded is a run of many lanes and few targets, to its end.
func crowded(t tester, r *rand.Rand, set func(*drive)) *drive {
	minutes := func(most int) time.Duration { return time.Duration(r.IntN(60*most)) * time.Second }
	p := program("claude:opus", "claude:sonnet", "codex")
	p.Agents["other"] = run.Agent{Preset: "codex", Family: "other"}
	p.Parallel, p.MaxSwaps = 3+r.IntN(6), r.IntN(4)
	p.Patience = []run.Duration{0, run.Duration(time.Minute), run.Duration(10 * time.Minute)}[r.IntN(3)]
	p.MaxPark = run.Duration(time.Hour + minutes(300))
	p.Breaker.On = r.IntN(6) > 0
	claude, codex, other := p.Order[0], p.Order[2], run.Target{Agent: "other"}
	orders := [][]run.Target{nil, nil, {other}, {codex, other}, {claude, codex}}
	p.Tasks = nil
	for range 6 + r.IntN(8) {
		task := run.Task{Name: "task", Wait: run.WaitPark, Order: orders[r.IntN(len(orders))], Pinned: r.IntN(6) == 0}
		if r.IntN(3) == 0 {
			task.Deadline = run.Duration(40*time.Minute + minutes(120))
		}
		p.Tasks = append(p.Tasks, task)
	}
	w := world{seed: r.Uint64()}
	for _, agent := range []string{"claude", "codex", "other"} {
		for from := minutes(20); from < 8*time.Hour; from += minutes(60) {
			s := spell{agent: agent, from: from, to: from + minutes(90), class: run.ClassRateLimited, stated: r.IntN(2) == 0}
			if s.lie = minutes(20); r.IntN(3) == 0 {
				s.lie = -s.lie
			}
			if agent == "claude" && r.IntN(2) == 0 {
				s.model = "opus"
			}
			if r.IntN(3) == 0 {
				s.inner = minutes(5)
			}
			s.text = r.IntN(3) == 0
			s.class = []run.Class{run.ClassRateLimited, run.ClassRateLimited, run.ClassRateLimited, run.ClassOverloaded, run.ClassTransport}[r.IntN(5)]
			w.spells, from = append(w.spells, s), s.to
		}
	}
	d := begin(t, p, w.play, set)
	for range r.IntN(6) {
		lane := run.LaneID(1 + r.IntN(8))
		d.at(minutes(400), []run.Happening{
			run.Stepped{By: -minutes(10)},
			run.Stepped{By: minutes(10)},
			run.Command{Verb: run.VerbClear, Family: "codex"},
			run.Command{Verb: run.VerbWake, Lane: lane},
			run.Command{Verb: run.VerbSwap, Lane: lane},
			run.Command{Verb: run.VerbSoftStop, Lane: lane},
		}[r.IntN(6)])
	}
	if r.IntN(3) == 0 {
		from := minutes(300)
		d.at(from, run.Command{Verb: run.VerbPause})
		d.at(from+minutes(10), run.Command{Verb: run.VerbUnpause})
	}
	if r.IntN(3) == 0 {
		from := minutes(300)
		d.at(from, run.Command{Verb: run.VerbSoftStop})
		d.at(from+time.Duration(r.IntN(20))*time.Second, run.Command{Verb: run.VerbTakeBack})
	}
	return d.run()
}
