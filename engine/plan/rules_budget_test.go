package plan_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// costs is an attempt that uses so much and ends like another.
func costs(p play, usd float64, tokens int64) play {
	p.verdict.Usage = run.Usage{Output: tokens, CostUSD: usd}
	return p
}

// whyFailed lists why the lanes that failed have ended.
func whyFailed(d *drive) []string {
	var why []string
	for _, l := range d.state.Lanes {
		if l.State == run.LaneFailed {
			why = append(why, l.Why)
		}
	}
	return why
}

func TestASpentBudgetStartsNothingMore(t *testing.T) {
	for name, tt := range map[string]struct {
		budget run.Budget
		want   string
	}{
		"money":  {run.Budget{MaxCostUSD: 20}, "the budget of $20.00 is spent: $20.50 used"},
		"tokens": {run.Budget{MaxTokens: 4000}, "the budget of 4.0k tokens is spent: 4.1k used"},
		"just":   {run.Budget{MaxTokens: 4100}, "the budget of 4.1k tokens is spent: 4.1k used"},
		"cents":  {run.Budget{MaxCostUSD: 0.25}, "the budget of $0.25 is spent: $10.25 used"},
		"less":   {run.Budget{MaxCostUSD: 0.004}, "the budget of $0.004 is spent: $10.25 used"},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Tasks, p.Limits.Budget = tasks(5), tt.budget
			d := begin(t, p, always(map[string]play{"claude": costs(works(time.Minute), 10.25, 2050)})).run()
			done := 2
			if tt.budget.MaxCostUSD > 0 && tt.budget.MaxCostUSD < 10 {
				done = 1
			}
			c := d.state.Counts
			if d.exit != 1 || c.Done != done || c.Spawned != done || c.Failed != 0 || len(d.state.Queue) != 5-done || d.state.ExitWhy != tt.want {
				t.Fatalf("exit %d: %s\n%s", d.exit, d.state.ExitWhy, d.story())
			}
			if d.count("budget_spent") != 1 || d.state.Resumable() {
				t.Fatal(d.story())
			}
		})
	}
}

func TestWorkThatIsDoneIsDoneWhateverItCosts(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Limits.MaxCostUSD = tasks(2), 20
	p.Tasks[1].MaxTokens = 10
	d := begin(t, p, always(map[string]play{"claude": costs(works(time.Minute), 10, 100)})).run()
	if d.exit != 0 || d.state.Counts.Done != 2 || d.state.ExitWhy != "all tasks have ended" {
		t.Fatalf("exit %d: %s\n%s", d.exit, d.state.ExitWhy, d.story())
	}
}

func TestASpentBudgetStartsNoFurtherIteration(t *testing.T) {
	for name, tt := range map[string]struct {
		done bool
		exit int
	}{"more to do": {false, 1}, "until says done": {true, 0}} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Iterations, p.Until, p.Limits.MaxTokens = 3, []string{"true"}, 100
			d := begin(t, p, always(map[string]play{"claude": costs(works(time.Minute), 0, 100)}))
			d.until = func(int) bool { return tt.done }
			d.run()
			if d.exit != tt.exit || d.count("iteration_started") != 1 || d.count("until_asked") != 1 {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
		})
	}
}

// An attempt that ended without success is not tried again, nor elsewhere, once the
// budget is spent; what waits is ended, what runs, too.
func TestASpentBudgetEndsEveryLane(t *testing.T) {
	p := program("claude", "codex", "gemini")
	p.Parallel, p.Tasks, p.Limits.MaxTokens = 3, tasks(5), 1000
	for i := range 3 {
		p.Tasks[i].Order, p.Tasks[i].Pinned = p.Order[i:i+1], true
	}
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch sp.Target.Agent {
		case "claude":
			return limited(start.Add(5 * time.Hour)) // parks
		case "codex":
			return play{served: time.Second} // works for ever
		}
		f := costs(fails(run.ClassTransport), 0, 1000)
		f.after = 10 * time.Minute
		return f
	}).run()
	const why = "the budget of 1.0k tokens is spent: 1.0k used"
	if d.exit != 1 || d.now.Sub(start) != 10*time.Minute || d.state.ExitWhy != why || d.count("attempt_started") != 3 {
		t.Fatalf("exit %d after %s: %s\n%s", d.exit, d.now.Sub(start), d.state.ExitWhy, d.story())
	}
	if got := strings.Join(whyFailed(d), "\n"); got != why+"\n"+why+"\n"+why || len(d.state.Queue) != 2 {
		t.Fatalf("failed: %s, %d left\n%s", got, len(d.state.Queue), d.story())
	}
	if a := d.state.Lane(2).Attempts[0]; a.Ending != run.EndingBudget || a.Class != run.ClassFailed {
		t.Fatalf("%+v", a)
	}
	if errs := all[run.Error](d); len(errs) != 3 || errs[0].Message != why || errs[0].Retryable {
		t.Fatalf("%+v", errs)
	}
}

func TestATasksBudgetEndsItsLaneAlone(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks = tasks(3)
	p.Tasks[0].MaxCostUSD = 5
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Lane == 1 {
			return costs(fails(run.ClassTransport), 2.5, 10)
		}
		return costs(works(time.Minute), 50, 10)
	}).run()
	if d.exit != 1 || d.state.Counts.Done != 2 || d.state.ExitWhy != "all tasks have ended" || d.state.Spent != nil {
		t.Fatalf("exit %d: %s\n%s", d.exit, d.state.ExitWhy, d.story())
	}
	if why := whyFailed(d); len(why) != 1 || why[0] != "the task's budget of $5.00 is spent: $5.00 used" || len(d.state.Lane(1).Attempts) != 2 {
		t.Fatalf("%q\n%s", why, d.story())
	}
	d.before("retries_exhausted", "error", "lane_ended")
}

// What a task uses counts through all its lanes of an iteration, and anew in the next.
func TestATasksBudgetHoldsAcrossItsLanes(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Iterations = tasks(1), 2
	p.Tasks[0].Wait, p.Tasks[0].MaxTokens = run.WaitNever, 250
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.state.Iteration == 2 {
			return costs(works(time.Minute), 0, 240)
		}
		return costs(limited(d.now.Add(time.Hour)), 0, 100)
	}).run()
	if d.exit != 1 || d.state.Counts.Done != 1 || d.state.Counts.Failed != 1 || d.count("attempt_started") != 4 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
	if l := d.state.Lane(3); l.Why != "the task's budget of 250 tokens is spent: 300 used" || l.Job.Used.Tokens() != 200 {
		t.Fatalf("%+v", l)
	}
}

// What agents have used while they run ends them, though nobody accounts for it.
func TestWhatRunningAgentsUseIsInTheBudget(t *testing.T) {
	t.Run("the program's", func(t *testing.T) {
		p := program("claude")
		p.Parallel, p.Tasks, p.Limits.MaxTokens = 2, tasks(4), 1000
		d := begin(t, p, always(map[string]play{"claude": {served: time.Second}}))
		d.at(time.Minute, run.Overspent{Used: run.Usage{Output: 999}})
		d.at(2*time.Minute, run.Overspent{Used: run.Usage{Output: 1001}})
		d.at(2*time.Minute, run.Overspent{Used: run.Usage{Output: 1002}})
		d.run()
		if d.exit != 1 || d.now.Sub(start) != 2*time.Minute || d.state.Counts.Failed != 2 || d.count("budget_spent") != 1 || d.count("attempt_ending") != 2 {
			t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
		}
		if d.state.ExitWhy != "the budget of 1.0k tokens is spent: 1.0k used" {
			t.Fatal(d.state.ExitWhy)
		}
	})
	t.Run("a task's", func(t *testing.T) {
		p := program("claude")
		p.Parallel, p.Tasks = 2, tasks(2)
		p.Tasks[1].MaxTokens = 1000
		d := begin(t, p, func(d *drive, sp run.Spawn) play {
			if sp.Lane == 1 {
				return works(time.Hour)
			}
			return play{served: time.Second}
		})
		d.at(time.Minute, run.Overspent{Lane: 1, Used: run.Usage{Output: 5000}}) // it has none
		d.at(time.Minute, run.Overspent{Lane: 2, Used: run.Usage{Output: 1001}})
		d.at(time.Minute, run.Overspent{Lane: 7, Used: run.Usage{Output: 5000}}) // is not there
		d.run()
		if d.exit != 1 || d.state.Counts.Done != 1 || d.state.Lane(2).EndedAt.Sub(start) != time.Minute {
			t.Fatalf("exit %d\n%s", d.exit, d.story())
		}
	})
}

func TestARunSaysThatABudgetEndedItsLastTask(t *testing.T) {
	p := program("claude")
	p.Limits.MaxTokens = 100
	d := begin(t, p, always(map[string]play{"claude": costs(fails(run.ClassTransport), 0, 100)})).run()
	if d.exit != 1 || d.state.ExitWhy != "the budget of 100 tokens is spent: 100 used" {
		t.Fatalf("exit %d: %s", d.exit, d.state.ExitWhy)
	}
	p.Tasks = tasks(2)
	d = begin(t, p, once(fails(run.ClassFailed), costs(works(time.Minute), 0, 100))).run()
	if d.exit != 1 || d.state.ExitWhy != "all tasks have ended" {
		t.Fatalf("exit %d: %s", d.exit, d.state.ExitWhy)
	}
}

// An agent is told what is left for it, of the smaller of two budgets.
func TestAnAgentIsToldWhatIsLeft(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Limits.MaxCostUSD = tasks(3), 20
	p.Tasks[1].MaxCostUSD, p.Tasks[2].MaxCostUSD = 3, 30
	var left []float64
	begin(t, p, func(d *drive, sp run.Spawn) play {
		left = append(left, sp.MaxCostUSD)
		if sp.Attempt == 2 {
			return costs(fails(run.ClassTransport), 1, 0)
		}
		return costs(works(time.Minute), 2, 0)
	}).run()
	want := []float64{20, 3, 2, 15}
	if len(left) != len(want) {
		t.Fatalf("%v", left)
	}
	for i := range want {
		if left[i] != want[i] {
			t.Errorf("attempt %d is told %v, want %v", i+1, left[i], want[i])
		}
	}
}

// A stop that comes first stops the lane; its task is failed when the run is resumed.
func TestAStopComesBeforeABudget(t *testing.T) {
	p := program("claude")
	p.Tasks = tasks(2)
	p.Tasks[0].MaxTokens = 100
	d := begin(t, p, once(costs(play{served: time.Second, after: time.Hour, verdict: run.Verdict{Class: run.ClassTransport}}, 0, 100), works(time.Minute)))
	d.at(time.Minute, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if d.exit != 3 || d.state.Lane(1).State != run.LaneStopped || !d.state.Resumable() {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
	d.ended = false
	d.decide(run.Resume{}) // its budget is spent: it is failed, and the other done
	d.run()
	if d.exit != 1 || d.state.Lane(2).Why == "" || d.state.Counts.Done != 1 || d.count("attempt_started") != 2 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

// An owner that dies in the midst of it has told what it decided, and the next ends
// what is left.
func TestABudgetThatWasSpentBeforeADeathHolds(t *testing.T) {
	for name, tt := range map[string]struct {
		lane run.LaneID
		play play
	}{
		"the program's, while an agent works": {0, play{served: time.Second}},
		"a task's, while an agent works":      {1, play{served: time.Second}},
		"the program's, by an end":            {0, costs(fails(run.ClassTransport), 0, 1001)},
		"a task's, by an end":                 {1, costs(fails(run.ClassTransport), 0, 1001)},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex")
			p.Tasks = tasks(1)
			if tt.lane == 0 {
				p.Limits.MaxTokens = 1000
			} else {
				p.Tasks[0].MaxTokens = 1000
			}
			d := begin(t, p, always(map[string]play{"claude": tt.play}))
			d.brokeOff = run.Usage{Output: 1100}
			d.at(time.Minute, run.Overspent{Lane: tt.lane, Used: run.Usage{Output: 1001}})
			d.run()
			if d.exit != 1 || d.count("budget_spent") != 1 {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
			spent := slices.Index(d.names(0), "budget_spent")
			for n := spent + 1; n < len(d.facts); n++ {
				next := takesUp(t, d.facts[:n])
				next.decide(run.Resume{})
				next.run()
				if next.exit != 1 || next.count("attempt_started") != 1 || next.state.Lane(1).Why != d.state.Lane(1).Why {
					t.Fatalf("after %d facts: exit %d, %q\n%s", n, next.exit, next.state.Lane(1).Why, next.story())
				}
			}
		})
	}
}

// takesUp is a drive of the state that facts give.
func takesUp(t *testing.T, facts []run.Fact) *drive {
	d := begin(t, program("claude"), always(nil))
	d.state, d.rules, d.facts, d.queue = &run.State{}, sim.NewRules(start), nil, nil
	d.save(facts)
	for _, f := range facts {
		if err := d.state.Apply(f); err != nil {
			t.Fatal(err)
		}
		d.now = f.At
	}
	return d
}

// A lane whose permit is granted when nothing is left does not start, and gives it
// back; it goes nowhere else either.
func TestAPermitIsNoUseWithoutABudget(t *testing.T) {
	for name, lane := range map[string]run.LaneID{"the program's": 0, "the task's": 1} {
		for _, refused := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				p := program("claude", "codex")
				p.Limits.MaxTokens, p.Tasks[0].MaxTokens = 1000, 1000
				d := begin(t, p, func(d *drive, sp run.Spawn) play {
					if sp.Target.Agent == "claude" {
						return fails(run.ClassAuth)
					}
					return works(time.Minute)
				})
				w := stated("codex", time.Second)
				d.at(0, run.Seen{Window: w})
				d.refuse = func(e run.AskPermit) bool {
					d.refuse = nil
					d.decide(run.Overspent{Lane: lane, Used: run.Usage{Output: 1001}})
					return refused
				}
				d.run()
				if d.exit != 1 || d.count("attempt_started") != 1 || d.state.Lane(1).Why == "" {
					t.Fatalf("exit %d\n%s", d.exit, d.story())
				}
			})
		}
	}
}

// A wait that is to end softly ends so, and not for want of a budget.
func TestAStoppedWaitIsNotFailed(t *testing.T) {
	p := program("claude")
	p.Limits.MaxTokens = 1000
	d := begin(t, p, always(map[string]play{"claude": limited(start.Add(time.Hour))}))
	d.at(10*time.Second, run.Command{Verb: run.VerbSoftStop, Lane: 1})
	d.at(11*time.Second, run.Overspent{Used: run.Usage{Output: 1001}})
	d.run()
	if d.exit != 3 || d.state.Lane(1).State != run.LaneStopped {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

// Whoever must mend something is told what, when nothing else can be done.
func TestTheEndNamesWhatMustBeMended(t *testing.T) {
	p := program("claude", "codex")
	p.Deadline = run.Duration(time.Hour)
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return fails(run.ClassAuth)
		}
		return fails(run.ClassBilling)
	})
	d.run()
	const want = "no target can be used: claude needs a login: log in, or clear it; codex must be paid or entitled: clear it then"
	if e, _ := fact[run.RunEnded](d); d.exit != 75 || e.Why != want {
		t.Errorf("exit %d, %q\n%s", d.exit, e.Why, d.story())
	}
}
