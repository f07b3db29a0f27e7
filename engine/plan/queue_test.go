package plan_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// unlike gives each task an order that is like no other's, but means the same: its last
// target is named again and again.
func unlike(p run.Program) run.Program {
	p.Tasks = slices.Clone(p.Tasks)
	for i := range p.Tasks {
		order := slices.Clone(p.OrderOf(i))
		p.Tasks[i].Order = append(order, slices.Repeat(order[len(order)-1:], i)...)
	}
	return p
}

// comparable gives the facts of a run without what unlike changes.
func (d *drive) comparable() []run.Fact {
	facts := slices.Clone(d.facts)
	for i := range facts {
		switch b := facts[i].Body.(type) {
		case run.RunStarted:
			b.Program.Tasks = nil
			facts[i].Body = b
		case run.SpawnRefused:
			b.Free = slices.Compact(slices.Clone(b.Free))
			facts[i].Body = b
		}
	}
	return facts
}

// Of the jobs in the queue that differ in nothing that counts only the first is looked
// at. A run whose tasks all differ is decided by a look at each of them: the same way.
func TestAQueueIsDecidedAsByALookAtEachJob(t *testing.T) {
	longest := 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		few := p.Tasks
		for range rapid.IntRange(0, 20).Draw(t, "more tasks") {
			p.Tasks = append(p.Tasks, rapid.SampledFrom(few).Draw(t, "as"))
		}
		drawOrders(t, &p)
		agents := []string{"claude", "codex"}
		world := drawWorld(t, agents)
		var at []time.Duration
		var happenings []run.Happening
		for range rapid.IntRange(0, 4).Draw(t, "happenings") {
			at = append(at, drawSoon(t, "when"))
			happenings = append(happenings, drawHappening(t, agents))
		}
		play := func(p run.Program) *drive {
			d := begin(t, p, world.play)
			for i, h := range happenings {
				d.at(at[i], h)
			}
			d.at(6*time.Hour, run.Command{Verb: run.VerbUnpause})
			return d.run()
		}
		a, b := play(p), play(unlike(p))
		if diff := cmp.Diff(a.comparable(), b.comparable(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("by the first of each sort, and by each (-first +each):\n%s", diff)
		}
		longest = max(longest, len(p.Tasks))
	})
	if longest < 10 {
		t.Errorf("at most %d tasks", longest)
	}
}
