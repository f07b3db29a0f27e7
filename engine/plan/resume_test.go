package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// The rules hold whichever effect or fact an owner dies at, once or several times:
// nothing is started twice, nothing is forgotten.
func TestRulesHoldThroughDeaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		drawOrders(t, &p)
		agents := []string{"claude", "codex"}
		d := begin(t, p, drawWorld(t, agents).play)
		draw := func() {
			d.dies, d.halts = rapid.IntRange(1, 12).Draw(t, "dies at"), 0
			if rapid.Bool().Draw(t, "while it saves") {
				d.dies, d.halts = 0, rapid.IntRange(1, 40).Draw(t, "at fact")
			}
			d.torn = rapid.Bool().Draw(t, "torn")
			d.away = drawSoon(t, "away")
		}
		draw()
		for range rapid.IntRange(0, 6).Draw(t, "happenings") {
			d.at(drawSoon(t, "when"), drawHappening(t, agents))
		}
		d.at(6*time.Hour, run.Command{Verb: run.VerbUnpause})
		d.at(7*time.Hour, run.Command{Verb: run.VerbUnpause}) // who dies at the first has not heard it
		for deaths := rapid.IntRange(0, 4).Draw(t, "deaths"); deaths > 0; deaths-- {
			d.when(drawSoon(t, "again"), draw)
		}
		d.run()
		if n := len(d.started); n != d.count("attempt_started") {
			t.Fatalf("%d agents started for %d attempts\n%s", n, d.count("attempt_started"), d.story())
		}
	})
}

func TestAnAgentThatWasNeverStartedIsStartedByTheNextOwner(t *testing.T) {
	for name, torn := range map[string]bool{"never": false, "unheard of": true} {
		t.Run(name, func(t *testing.T) {
			d := begin(t, program("claude"), once(fails(run.ClassTransport), works(time.Minute)))
			d.dies, d.torn, d.away = 1, torn, time.Hour // at the second spawn
			d.run()
			want := []int{2, 2, 0}
			got := []int{len(d.started), d.count("agent_spawned"), d.count("agent_adopted")}
			if diff := cmp.Diff(want, got); diff != "" || d.exit != 0 {
				t.Fatalf("exit %d: %s\n%s", d.exit, diff, d.story())
			}
		})
	}
}

func TestARunningAgentIsAdopted(t *testing.T) {
	d := begin(t, program("claude"), always(map[string]play{"claude": works(time.Minute)}))
	d.at(30*time.Second, run.Resume{})
	d.run()
	d.before("agent_spawned", "run_resumed", "agent_adopted", "attempt_ended", "run_ended")
	if d.exit != 0 || len(d.started) != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestAnEndInTheMeantimeKeepsItsInstant(t *testing.T) {
	d := begin(t, program("claude"), always(map[string]play{"claude": {served: 0}}))
	at := start.Add(time.Minute)
	d.at(2*time.Hour, run.Resume{})
	d.at(2*time.Hour, run.Ended{Lane: 1, Attempt: 1, At: at, Verdict: run.Verdict{Class: run.ClassSuccess}})
	d.run()
	b, _ := fact[run.AttemptEnded](d)
	if a := d.state.Lanes[0].Attempts[0]; !a.EndedAt.Equal(at) || b.DurationMs != 60_000 {
		t.Fatalf("ended at %s after %d ms", a.EndedAt, b.DurationMs)
	}
}

// By a clock that was set back an agent may end before it was started.
func TestAnEndBeforeTheStartTookNoTime(t *testing.T) {
	d := begin(t, program("claude"), always(map[string]play{"claude": {served: 0}}))
	d.at(time.Hour, run.Ended{Lane: 1, Attempt: 1, At: start.Add(-time.Minute), Verdict: run.Verdict{Class: run.ClassSuccess}})
	d.run()
	if b, _ := fact[run.AttemptEnded](d); b.DurationMs != 0 {
		t.Fatalf("it took %d ms", b.DurationMs)
	}
}

func TestAStoppedRunIsResumedWithWhatItStopped(t *testing.T) {
	for name, tc := range map[string]struct {
		verb    run.Verb
		stopped int
	}{"softly": {run.VerbSoftStop, 1}, "hard": {run.VerbHardStop, 2}} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Tasks, p.Parallel = tasks(3), 2
			d := begin(t, p, once(limited(start.Add(time.Hour)), works(time.Minute)))
			d.at(10*time.Second, run.Command{Verb: tc.verb})
			d.run()
			if d.exit == 0 || d.state.Counts.Stopped != tc.stopped {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
			d.ended = false
			d.decide(run.Resume{})
			if first := d.state.Lane(3); first == nil || first.Job.Task != 0 {
				t.Fatalf("the first is not taken up first\n%s", d.story())
			}
			if d.run(); d.exit != 0 || d.state.Counts.Done != 3 || d.state.Counts.Stopped != 0 {
				t.Fatalf("exit %d, %+v\n%s", d.exit, d.state.Counts, d.story())
			}
		})
	}
}

func TestAHardStopThatDiedHalfwayIsTakenBack(t *testing.T) {
	d := begin(t, program("claude"), always(map[string]play{"claude": works(time.Minute)}))
	d.when(10*time.Second, func() { d.dies, d.away = 1, time.Hour }) // the end is not asked for
	d.at(10*time.Second, run.Command{Verb: run.VerbHardStop})
	d.run()
	d.before("attempt_ending", "run_resumed", "stop_cancelled", "attempt_ended", "attempt_started", "run_ended")
	if d.exit != 0 || d.state.Counts.Stopped != 0 || d.count("retry_scheduled") != 0 { // it is no fault of the agent
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestALaneThatWasStoppedAloneStaysStopped(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(2), 2
	d := begin(t, p, always(map[string]play{"claude": limited(start.Add(time.Hour))}))
	d.at(10*time.Second, run.Command{Verb: run.VerbHardStop, Lane: 1})
	d.at(20*time.Second, run.Command{Verb: run.VerbHardStop})
	d.run()
	d.ended, d.agent = false, always(map[string]play{"claude": works(time.Minute)})
	d.decide(run.Resume{})
	if d.run(); d.exit != 3 || d.state.Counts.Done != 1 || d.state.Counts.Stopped != 1 {
		t.Fatalf("exit %d, %+v\n%s", d.exit, d.state.Counts, d.story())
	}
}

func TestALimitedRunIsResumedLater(t *testing.T) {
	p := program("claude")
	p.NoWait, p.Tasks[0].Wait = true, run.WaitNever
	d := begin(t, p, once(limited(start.Add(time.Hour)), works(time.Minute)))
	if d.run(); d.exit != 75 {
		t.Fatalf("exit %d", d.exit)
	}
	d.ended, d.now = false, start.Add(2*time.Hour)
	d.decide(run.Resume{})
	if d.run(); d.exit != 0 || !d.state.ResetsAt.IsZero() {
		t.Fatalf("exit %d, resets at %s", d.exit, d.state.ResetsAt)
	}
}

// A lane that a pause has held goes on with the resumed run if the pause is over by
// then; one that waits for an instant waits on.
func TestALaneThatIsHeldNoMoreGoesOnWithTheRun(t *testing.T) {
	d := begin(t, program("claude"), once(fails(run.ClassTransport), works(time.Minute)))
	d.at(time.Second, run.Command{Verb: run.VerbPause})
	d.at(30*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.at(31*time.Second, run.Command{Verb: run.VerbUnpause})
	d.at(32*time.Second, run.Resume{})
	d.run()
	d.before("program_unpaused", "run_resumed", "stop_cancelled", "attempt_started", "run_ended")
	if d.exit != 0 || d.state.Counts.Done != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

// The next owner starts an agent with the orders that the last one decided.
func TestAnAgentIsStartedWithItsDeadlineByTheNextOwner(t *testing.T) {
	p := program("claude")
	p.Tasks[0].Deadline = run.Duration(5 * time.Hour)
	var spawns []run.Spawn
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if spawns = append(spawns, sp); len(spawns) == 1 {
			return fails(run.ClassTransport)
		}
		return works(time.Minute)
	})
	d.dies, d.away = 1, time.Hour // at the second spawn
	d.run()
	if len(spawns) != 2 || !spawns[1].Deadline.Equal(start.Add(5*time.Hour)) {
		t.Fatalf("started with %+v\n%s", spawns, d.story())
	}
}

// What was asked of an agent is asked again for the same reason.
func TestAnEndIsAskedForAgainForItsReason(t *testing.T) {
	p := program("claude")
	p.Deadline = run.Duration(time.Hour)
	d := begin(t, p, always(map[string]play{"claude": works(10 * time.Hour)}))
	var whys []run.Ending
	d.lose = func(e run.Effect) bool {
		end, is := e.(run.End)
		if is {
			whys = append(whys, end.Why)
		}
		return is && len(whys) == 1
	}
	d.at(2*time.Hour, run.Resume{})
	d.run()
	if diff := cmp.Diff([]run.Ending{run.EndingDeadline, run.EndingDeadline}, whys); diff != "" {
		t.Fatal(diff)
	}
}

// A task that was taken up again after a stop, and is then blocked, waits in the
// queue like any other: no lane is opened to wait for it.
func TestATaskThatWasStoppedIsBlockedLikeOthers(t *testing.T) {
	d := begin(t, program("claude"), once(works(10*time.Minute), fails(run.ClassTransport)))
	d.agent = func(d *drive, sp run.Spawn) play {
		if len(d.state.Lanes) == 2 {
			return fails(run.ClassAuth)
		}
		return works(10 * time.Minute)
	}
	d.at(10*time.Second, run.Command{Verb: run.VerbHardStop})
	d.run()
	d.ended = false
	d.decide(run.Resume{})
	d.run()
	job := all[run.TaskRequeued](d)
	want := []run.Job{{Requeued: 1, Stopped: true}, {Requeued: 2}}
	for i := range job {
		if i < len(want) && (job[i].Job.Requeued != want[i].Requeued || job[i].Job.Stopped != want[i].Stopped) {
			t.Errorf("requeued %+v", job[i].Job)
		}
	}
	if len(job) != 2 || len(d.state.Lanes) != 2 || d.exit != 75 {
		t.Fatalf("exit %d, %d lanes, requeued %+v\n%s", d.exit, len(d.state.Lanes), job, d.story())
	}
}

// Only the stop of the whole run is taken back, and only from lanes that it reached.
func TestAStopOfOneLaneIsNotTakenBack(t *testing.T) {
	for name, tc := range map[string]struct {
		all       bool
		exit      int
		cancelled int
	}{"lane alone": {false, 3, 0}, "run": {true, 0, 1}} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex")
			p.Tasks, p.Parallel = tasks(2), 2
			p.Tasks[0].Order, p.Tasks[1].Order = p.Order[:1], p.Order[1:]
			spawned := 0
			d := begin(t, p, func(_ *drive, sp run.Spawn) play {
				if sp.Target.Agent == "claude" {
					if spawned++; spawned == 1 {
						return limited(start.Add(time.Hour))
					}
				}
				return works(2 * time.Hour)
			})
			stop := run.Command{Verb: run.VerbSoftStop, Lane: 1}
			if tc.all {
				stop.Lane = 0
			}
			d.at(70*time.Second, stop)
			d.at(75*time.Second, run.Resume{})
			d.at(2*time.Minute, run.Resume{}) // the lane has stopped by then
			d.run()
			if n := d.count("stop_cancelled"); d.exit != tc.exit || n != tc.cancelled || d.count("task_requeued") != 0 {
				t.Fatalf("exit %d, %d taken back\n%s", d.exit, n, d.story())
			}
		})
	}
}

// An answer that has come is not asked for again.
func TestAnAnsweredUntilIsNotAskedAgain(t *testing.T) {
	p := program("claude")
	p.Iterations, p.Until = 2, []string{"true"}
	d := begin(t, p, always(map[string]play{"claude": works(time.Minute)}))
	d.at(90*time.Second, run.Resume{})
	d.run()
	if n := d.count("until_checked"); n != 2 || d.exit != 0 {
		t.Fatalf("exit %d, %d answers\n%s", d.exit, n, d.story())
	}
}

// A lane that ends as soon as it is taken up hides no other.
func TestALaneThatEndsAtOnceHidesNoOther(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks, p.Parallel, p.Iterations, p.Deadline = tasks(2), 2, 2, run.Duration(2*time.Hour)
	p.Tasks[0].Order, p.Tasks[1].Order = p.Order[:1], p.Order[1:]
	d := begin(t, p, always(map[string]play{"claude": works(10 * time.Minute), "codex": works(10 * time.Minute)}))
	d.at(time.Minute, run.Seen{Window: run.Window{
		WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLimit}, Kind: run.KindUsage, How: run.HowStated, Trip: true,
		OpenedAt: start, Until: start.Add(5 * time.Minute), NextTry: start.Add(5 * time.Minute),
	}})
	d.when(9*time.Minute, func() { d.dies, d.away = 1, 3*time.Hour }) // at the question of the third lane
	d.run()
	if len(d.state.Lanes) != 4 || !d.started[3] {
		t.Fatalf("%d lanes, started %v\n%s", len(d.state.Lanes), d.started, d.story())
	}
}

// A stop that was made harder began when it was asked for first.
func TestWhatASoftStopEndedIsResumedAfterAHardOne(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks, p.Parallel = tasks(2), 2
	p.Tasks[0].Order, p.Tasks[1].Order = p.Order[:1], p.Order[1:]
	spawned := map[string]int{}
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if spawned[sp.Target.Agent]++; sp.Target.Agent == "claude" && spawned["claude"] == 1 {
			return limited(start.Add(time.Hour))
		}
		return works(2 * time.Hour)
	})
	d.at(70*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.at(10*time.Minute, run.Command{Verb: run.VerbHardStop})
	if d.run(); d.exit != 130 || d.state.Counts.Stopped != 2 || !d.state.Resumable() {
		t.Fatalf("exit %d, %+v", d.exit, d.state.Counts)
	}
	d.ended = false
	d.decide(run.Resume{})
	if d.run(); d.exit != 0 || d.state.Counts.Done != 2 || d.state.Counts.Stopped != 0 {
		t.Fatalf("exit %d, %+v\n%s", d.exit, d.state.Counts, d.story())
	}
}
