package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestAProgramWaitsAndDoesNotBurnItsTasks(t *testing.T) {
	p := program("claude")
	p.Tasks = tasks(5)
	for i := range p.Tasks {
		p.Tasks[i].Wait = run.WaitNever
	}
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(3 * time.Hour)) {
			return limited(start.Add(3 * time.Hour))
		}
		return works(time.Minute)
	}).run()
	w, _ := fact[run.ProgramWaiting](d)
	if d.exit != 0 || d.count("attempt_started") != 6 || !w.Until.Equal(start.Add(3*time.Hour)) {
		t.Fatalf("exit %d, %d attempts, waits until %s", d.exit, d.count("attempt_started"), w.Until)
	}
}

func TestAWaitingProgramEndsAtOnceIfNothingFreesATargetInTime(t *testing.T) {
	for name, tt := range map[string]struct {
		play play
		edit func(*run.Program)
		most time.Duration
	}{
		"a stated reset beyond the deadline": {limited(start.Add(2 * time.Hour)), nil, time.Minute},
		"a reset within the reserve":         {limited(start.Add(time.Hour - 29*time.Second)), nil, time.Minute},
		"a login nobody mends":               {fails(run.ClassAuth), nil, time.Minute},
		"the task's own budget ends before": {limited(start.Add(2 * time.Hour)), func(p *run.Program) {
			p.Deadline, p.Tasks[0].Deadline = 0, run.Duration(time.Hour)
		}, time.Minute},
		"without the breaker": {limited(start.Add(2 * time.Hour)), func(p *run.Program) { p.Breaker.On = false }, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Deadline = run.Duration(time.Hour)
			if tt.edit != nil {
				tt.edit(&p)
			}
			d := begin(t, p, func(*drive, run.Spawn) play { return tt.play }).run()
			if d.exit != 75 || d.now.Sub(start) > tt.most || d.count("attempt_started") != 1 {
				t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
			}
		})
	}
}

// A task that may not wait is tried again when its window says, if no lane waits for that:
// the end of the window is only assumed, and nobody else would look.
func TestATaskThatMayNotWaitIsTheProbeOfAnAssumedWindow(t *testing.T) {
	for name, tt := range map[string]struct {
		limit    play
		exit     int
		attempts int
		within   time.Duration
	}{
		"a throttle":         {bare(), 0, 2, 30 * time.Second},
		"a usage limit":      {limited(time.Time{}), 0, 2, 2 * time.Minute},
		"a stated reset":     {limited(start.Add(7 * time.Minute)), 0, 2, 8 * time.Minute},
		"beyond its budget":  {limited(start.Add(2 * time.Hour)), 75, 1, time.Minute},
		"a login to be made": {fails(run.ClassAuth), 75, 1, time.Minute},
	} {
		for _, wait := range []run.WaitMode{run.WaitNever, run.WaitInline} {
			t.Run(name+", "+wait.String(), func(t *testing.T) {
				p := program("claude")
				p.Deadline, p.Tasks[0].Wait = run.Duration(time.Hour), wait
				p.Retry.MaxRetries = 0
				d := begin(t, p, once(tt.limit, works(10*time.Second))).run()
				if d.exit != tt.exit || d.count("attempt_started") != tt.attempts || d.now.Sub(start) > tt.within {
					t.Fatalf("exit %d with %d attempts after %s\n%s", d.exit, d.count("attempt_started"), d.now.Sub(start), d.story())
				}
			})
		}
	}
}

// Those that wait for a window try it; a task of the queue does not come in between.
func TestATaskOfTheQueueLeavesAWindowToThoseThatWaitForIt(t *testing.T) {
	p := program("claude")
	p.Parallel = 2
	p.Tasks = append(p.Tasks, run.Task{Name: "two", Prompt: "do it", Wait: run.WaitNever})
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.now.Before(start.Add(20 * time.Minute)) {
			return limited(time.Time{})
		}
		return works(time.Minute)
	}).run()
	for _, f := range d.facts {
		if b, ok := f.Body.(run.LaneStarted); ok && f.Lane > 2 && f.At.Before(start.Add(20*time.Minute)) {
			t.Errorf("lane %d of %s opens after %s", f.Lane, b.Task, f.At.Sub(start))
		}
	}
	if d.exit != 0 {
		t.Errorf("exit %d\n%s", d.exit, d.story())
	}
}

func TestAResetJustBeforeTheReserveIsWaitedFor(t *testing.T) {
	p := program("claude")
	p.Deadline = run.Duration(time.Hour)
	d := begin(t, p, once(limited(start.Add(time.Hour-30*time.Second)), works(10*time.Second))).run()
	if d.exit != 0 || d.count("turn_parked") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestWithoutADeadlineAWaitingProgramEndsAfterMaxParkWithoutProgress(t *testing.T) {
	p := program("claude")
	p.MaxPark = run.Duration(2 * time.Hour)
	d := begin(t, p, func(*drive, run.Spawn) play { return fails(run.ClassAuth) }).run()
	if d.exit != 75 || d.now.Sub(start) != 2*time.Hour {
		t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
	}
}

func TestAStatedResetAheadOutlastsMaxPark(t *testing.T) {
	p := program("claude")
	p.Tasks[0].Wait = run.WaitNever
	p.MaxPark = run.Duration(2 * time.Hour)
	d := begin(t, p, once(limited(start.Add(9*time.Hour)), works(time.Minute)))
	d.at(5*time.Hour, run.Tick{})
	d.run()
	if d.exit != 0 || d.now.Sub(start) != 9*time.Hour+time.Minute {
		t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
	}
}

func TestTheEndOfALimitedRunNamesTheEarliestReset(t *testing.T) {
	p := program("claude", "codex")
	p.Deadline = run.Duration(time.Hour)
	d := begin(t, p, always(map[string]play{"claude": limited(start.Add(5 * time.Hour)), "codex": limited(start.Add(3 * time.Hour))})).run()
	if d.exit != 75 || !d.state.ResetsAt.Equal(start.Add(3*time.Hour)) {
		t.Fatalf("exit %d, resets %s", d.exit, d.state.ResetsAt)
	}
}

// Each task is one outcome: its order names the agent that plays it.
func TestExitStatusOfMixedLanes(t *testing.T) {
	outcomes := map[string]play{
		"done": works(time.Minute), "failed": fails(run.ClassFailed), "limited": fails(run.ClassAuth),
		"stopped": {served: time.Second},
	}
	for name, tt := range map[string]struct {
		lanes []string
		hard  bool
		want  int
	}{
		"done":                       {[]string{"done", "done"}, false, 0},
		"failed beats done":          {[]string{"done", "failed"}, false, 1},
		"limited beats failed":       {[]string{"done", "failed", "limited"}, false, 75},
		"stopped beats limited":      {[]string{"done", "failed", "limited", "stopped"}, false, 3},
		"a hard stop beats them all": {[]string{"done", "failed", "limited", "stopped"}, true, 130},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("done", "failed", "limited", "stopped")
			all := p.Order
			p.Deadline, p.Parallel, p.Tasks = run.Duration(time.Hour), len(tt.lanes), tasks(len(tt.lanes))
			for i, o := range tt.lanes {
				for _, target := range all {
					if target.Agent == o {
						p.Tasks[i].Order = []run.Target{target}
					}
				}
			}
			d := begin(t, p, always(outcomes))
			stop := run.Command{Verb: run.VerbHardStop, Lane: 4}
			if tt.hard {
				stop.Lane = 0
			}
			d.at(10*time.Minute, stop)
			d.run()
			if d.exit != tt.want {
				t.Fatalf("exit %d, want %d\n%s", d.exit, tt.want, d.story())
			}
		})
	}
}

func TestAtMostParallelLanesAreOpen(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(7), 3
	most := 0
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		most = max(most, len(d.state.Open))
		return works(10 * time.Minute)
	}).run()
	if d.exit != 0 || most != 3 || d.now.Sub(start) != 30*time.Minute {
		t.Fatalf("exit %d, %d lanes at once, %s", d.exit, most, d.now.Sub(start))
	}
}

func TestIterationsFollowEachOtherAndOpenNewLanes(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel, p.Iterations = tasks(2), 2, 3
	d := begin(t, p, func(_ *drive, sp run.Spawn) play { return works(time.Duration(1+int(sp.Attempt)%2) * time.Minute) }).run()
	var got []int
	for _, l := range d.state.Lanes {
		got = append(got, l.Job.Iteration)
	}
	if diff := cmp.Diff([]int{1, 1, 2, 2, 3, 3}, got); diff != "" || d.exit != 0 {
		t.Fatal(diff)
	}
	d.before("iteration_started", "lane_ended", "lane_ended", "iteration_started", "lane_started")
}

func TestUntilEndsTheProgramOnceItSaysSo(t *testing.T) {
	p := program("claude")
	p.Iterations, p.Until = 5, []string{"test", "-f", "DONE"}
	d := begin(t, p, func(*drive, run.Spawn) play { return works(time.Minute) })
	d.run()
	if d.exit != 0 || d.count("until_asked") != 5 || d.count("iteration_started") != 5 {
		t.Fatalf("exit %d, asked %d times", d.exit, d.count("until_asked"))
	}
	d = begin(t, p, func(*drive, run.Spawn) play { return works(time.Minute) })
	d.until = func(iteration int) bool { return iteration == 2 }
	d.run()
	if d.exit != 0 || d.count("iteration_started") != 2 {
		t.Fatalf("exit %d after %d iterations", d.exit, d.count("iteration_started"))
	}
}

func TestATasksDeadlineCountsFromItsFirstSpawn(t *testing.T) {
	p := program("claude")
	p.Tasks = tasks(2)
	p.Tasks[1].Deadline = run.Duration(10 * time.Minute)
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if sp.Lane == 1 {
			return works(time.Hour)
		}
		return play{served: time.Second} // never ends by itself
	}).run()
	ends := all[run.AttemptEnded](d)
	if d.exit != 1 || d.now.Sub(start) != time.Hour+10*time.Minute || ends[1].Verdict.Class != run.ClassDeadline {
		t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
	}
}

func TestATasksDeadlineHoldsAcrossItsLanes(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks, p.Iterations = tasks(2), 1
	p.Tasks[0].Deadline, p.Tasks[0].Order = run.Duration(2*time.Hour), p.Order[:1]
	p.Tasks[1].Order = p.Order[1:] // its login is mended in time
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if sp.Attempt <= 2 {
			return fails(run.ClassAuth)
		}
		return works(time.Minute)
	})
	d.at(4*time.Hour, run.CredentialsChanged{Family: "codex"})
	d.run()
	failed := d.state.Lane(3)
	if d.exit != 1 || failed.State != run.LaneFailed || failed.EndedAt.Sub(start) != 2*time.Hour-30*time.Second {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestNoWaitEndsLimitedAndSaysWhatWasSaved(t *testing.T) {
	p := program("claude")
	p.NoWait = true
	p.Tasks = tasks(2)
	reset := start.Add(time.Hour)
	d := begin(t, p, func(*drive, run.Spawn) play { return limited(reset) }).run()
	r, _ := fact[run.SpawnRefused](d)
	if d.exit != 75 || d.now.Sub(start) != 2*time.Second || r.Family != "claude" || !r.Until.Equal(reset) || d.count("attempt_started") != 1 {
		t.Fatalf("exit %d after %s, %+v", d.exit, d.now.Sub(start), r)
	}
	if d.count("turn_parked")+d.count("retry_scheduled")+d.count("program_waiting") != 0 {
		t.Fatal(d.story())
	}
}

func TestAnotherLaneDoesNotChangeWhatALaneDraws(t *testing.T) {
	agent := func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" && d.now.Before(start.Add(20*time.Minute)) {
			return bare()
		}
		return works(20 * time.Second)
	}
	waits := func(n int) []time.Duration {
		p := breakerOff(program("claude", "codex"))
		p.Tasks, p.Parallel = tasks(n), n
		for i := range p.Tasks {
			p.Tasks[i].Order = p.Order[1:]
		}
		p.Tasks[0].Order = p.Order[:1]
		p.Iterations = 1
		var got []time.Duration
		for _, f := range begin(t, p, agent).run().facts {
			switch b := f.Body.(type) {
			case run.RetryScheduled:
				if f.Lane == 1 {
					got = append(got, b.DelayMs.D())
				}
			case run.TurnParked:
				if f.Lane == 1 {
					got = append(got, b.PlannedMs.D())
				}
			}
		}
		return got
	}
	alone := waits(1)
	if diff := cmp.Diff(alone, waits(4)); diff != "" || len(alone) < 5 {
		t.Fatal(diff)
	}
}

func TestAResumedRunAsksAgainWhatWasNeverAnswered(t *testing.T) {
	p := program("claude")
	p.Iterations, p.Until = 2, []string{"true"}
	p.Tasks = tasks(1)
	t.Run("a permit", func(t *testing.T) {
		p := p
		p.Tasks = []run.Task{{Name: "a", Wait: run.WaitNever}}
		d := begin(t, p, once(limited(start.Add(time.Hour)), works(time.Minute)))
		lost := false
		d.lose = func(e run.Effect) bool {
			_, asks := e.(run.AskPermit)
			if asks && !lost {
				lost = true
				return true
			}
			return false
		}
		d.at(2*time.Hour, run.Resume{})
		d.run()
		if d.exit != 0 || !lost {
			t.Fatalf("exit %d\n%s", d.exit, d.story())
		}
	})
	t.Run("until", func(t *testing.T) {
		d := begin(t, p, func(*drive, run.Spawn) play { return works(time.Minute) })
		lost := false
		d.lose = func(e run.Effect) bool {
			_, asks := e.(run.CheckUntil)
			if asks && !lost {
				lost = true
				return true
			}
			return false
		}
		d.at(2*time.Hour, run.Resume{})
		d.run()
		if d.exit != 0 || !lost {
			t.Fatalf("exit %d\n%s", d.exit, d.story())
		}
	})
}
