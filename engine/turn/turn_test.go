package turn_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var claude, codex = run.Target{Agent: "claude"}, run.Target{Agent: "codex"}

// stage is a run with one lane that works on the first target of its order.
type stage struct {
	*run.Decision
	lane *run.Lane
}

func set(edit func(*run.Program)) stage {
	p := run.Defaults()
	p.Order = []run.Target{claude}
	p.Tasks = []run.Task{{Name: "one", Wait: run.WaitPark}}
	edit(&p)
	st := stage{Decision: &run.Decision{State: &run.State{}, Now: now}}
	st.Record(0, run.RunStarted{RunID: "test", Program: p, Seed: 1, Epoch: now, Speed: 1})
	st.Record(0, run.IterationStarted{Iteration: 1})
	st.Record(1, run.LaneStarted{Task: "one", Job: st.State.Queue[0], Deadline: st.State.Deadline()})
	st.lane = st.State.Lane(1)
	turn.Start(st.Decision, st.lane, p.Order[0])
	return st
}

// ends ends the attempt under way with a verdict.
func (st stage) ends(v run.Verdict) {
	a := st.lane.Running()
	st.Now = st.Now.Add(time.Second)
	turn.Ended(st.Decision, st.lane, a, run.Ended{Lane: 1, Attempt: a.ID, Verdict: v})
}

func (st stage) count(name string) int {
	n := 0
	for _, f := range st.Facts {
		if f.Body.Name() == name {
			n++
		}
	}
	return n
}

func verdict(c run.Class) run.Verdict {
	v := run.Verdict{Class: c}
	if c == run.ClassRateLimited {
		v.Kind, v.Scope, v.How, v.Reset = run.KindUsage, run.ScopeFamily, run.HowStated, now.Add(time.Hour)
	}
	return v
}

// end is what the table of classes says about one of them.
type end struct {
	State   run.LaneState
	Retried int
	Window  run.Kind
	Health  int
	Requeue int
}

func (st stage) end() end {
	e := end{State: st.lane.State, Retried: st.count("retry_scheduled"), Health: st.count("health_failed"), Requeue: st.count("task_requeued")}
	if w := st.State.Windows; len(w) > 0 {
		e.Window = w[0].Kind
	}
	return e
}

func TestWhatEachClassDoesWithoutAnotherTarget(t *testing.T) {
	usage, throttle, auth, billing := run.KindUsage, run.KindThrottle, run.KindAuth, run.KindBilling
	park := map[run.Class]end{
		run.ClassSuccess:         {State: run.LaneDone},
		run.ClassRateLimited:     {State: run.LaneParked, Window: usage},
		run.ClassOverloaded:      {State: run.LaneWaiting, Retried: 1},
		run.ClassTransport:       {State: run.LaneWaiting, Retried: 1},
		run.ClassStalled:         {State: run.LaneWaiting, Retried: 1},
		run.ClassIncomplete:      {State: run.LaneWaiting, Retried: 1},
		run.ClassContextOverflow: {State: run.LaneWorking},
		run.ClassAuth:            {State: run.LaneBlocked, Window: auth, Requeue: 1},
		run.ClassBilling:         {State: run.LaneBlocked, Window: billing, Requeue: 1},
		run.ClassFailed:          {State: run.LaneFailed},
		run.ClassDeadline:        {State: run.LaneFailed},
		run.ClassCancelled:       {State: run.LaneWaiting, Retried: 1}, // nobody here asked for it
	}
	never := map[run.Class]end{}
	for c, e := range park {
		never[c] = e
	}
	blocked := end{State: run.LaneBlocked, Requeue: 1}
	faulty := end{State: run.LaneBlocked, Health: 1, Requeue: 1}
	never[run.ClassRateLimited] = end{State: run.LaneBlocked, Window: usage, Requeue: 1}
	never[run.ClassOverloaded] = end{State: run.LaneBlocked, Window: throttle, Requeue: 1}
	never[run.ClassContextOverflow] = end{State: run.LaneFailed}
	for _, c := range []run.Class{run.ClassTransport, run.ClassStalled, run.ClassIncomplete, run.ClassCancelled} {
		never[c] = faulty
	}
	off := map[run.Class]end{run.ClassRateLimited: blocked, run.ClassOverloaded: blocked}
	for name, tt := range map[string]struct {
		edit func(*run.Program)
		want map[run.Class]end
	}{
		"wait = park":                      {func(*run.Program) {}, park},
		"wait = never":                     {func(p *run.Program) { p.Tasks[0].Wait = run.WaitNever }, never},
		"a run that must not wait":         {func(p *run.Program) { p.NoWait = true }, never},
		"wait = never without the breaker": {func(p *run.Program) { p.Tasks[0].Wait, p.Breaker.On = run.WaitNever, false }, off},
	} {
		for class, want := range tt.want {
			t.Run(name+"/"+class.String(), func(t *testing.T) {
				st := set(tt.edit)
				st.ends(verdict(class))
				if diff := cmp.Diff(want, st.end()); diff != "" {
					t.Fatal(diff)
				}
			})
		}
	}
}

func TestWhichClassesSwapOnceTheyAreSpent(t *testing.T) {
	for class, swaps := range map[run.Class]bool{
		run.ClassSuccess: false, run.ClassRateLimited: true, run.ClassOverloaded: false, run.ClassTransport: true,
		run.ClassStalled: true, run.ClassIncomplete: true, run.ClassAuth: true, run.ClassBilling: true,
		run.ClassFailed: false, run.ClassDeadline: false,
	} {
		t.Run(class.String(), func(t *testing.T) {
			st := set(func(p *run.Program) { p.Order, p.Retry.MaxRetries = []run.Target{claude, codex}, 0 })
			st.ends(verdict(class))
			if got := st.lane.Target == codex; got != swaps || st.count("provider_fallback") != map[bool]int{true: 1}[swaps] {
				t.Fatalf("swapped: %v", got)
			}
		})
	}
}

func TestAnEndThatWeAskedForIsNotBlamedOnTheProvider(t *testing.T) {
	for why, want := range map[run.Ending]run.Class{
		run.EndingStop: run.ClassCancelled, run.EndingSwap: run.ClassCancelled, run.EndingDeadline: run.ClassDeadline,
		run.EndingStall: run.ClassStalled, run.EndingBudget: run.ClassFailed,
	} {
		for _, said := range []run.Class{run.ClassTransport, run.ClassIncomplete, run.ClassCancelled} {
			st := set(func(*run.Program) {})
			turn.Finish(st.Decision, st.lane, st.lane.Running(), why)
			st.ends(run.Verdict{Class: said})
			if got := st.lane.Last.Class; got != want {
				t.Errorf("%s, then %s: %s, want %s", why, said, got, want)
			}
		}
		st := set(func(*run.Program) {})
		turn.Finish(st.Decision, st.lane, st.lane.Running(), why)
		st.ends(run.Verdict{Class: run.ClassSuccess})
		if st.lane.State != run.LaneDone {
			t.Errorf("%s, then success: %s", why, st.lane.State)
		}
	}
}

func TestAnEndIsTakenOnce(t *testing.T) {
	st := set(func(*run.Program) {})
	a := st.lane.Running()
	st.ends(verdict(run.ClassSuccess))
	turn.Ended(st.Decision, st.lane, a, run.Ended{Lane: 1, Attempt: a.ID, Verdict: verdict(run.ClassFailed)})
	if st.count("attempt_ended") != 1 || st.count("usage")+st.count("usage_incomplete") != 1 {
		t.Fatal("an attempt ends twice")
	}
}

func TestASwapIsNotMadeAtTheDeadline(t *testing.T) {
	st := set(func(p *run.Program) {
		p.Order, p.Deadline, p.Retry.MaxRetries = []run.Target{claude, codex}, run.Duration(time.Second), 0
	})
	st.ends(verdict(run.ClassTransport)) // at the very instant
	if st.lane.State != run.LaneBlocked || st.count("attempt_started") != 1 {
		t.Fatalf("%s with %d attempts", st.lane.State, st.count("attempt_started"))
	}
}

func TestTheEstimateThatARungKeeps(t *testing.T) {
	st := set(func(*run.Program) {})
	for _, want := range []run.OverflowRung{{Rung: 1, Keep: 0.75}, {Rung: 2, Keep: 0.5}} {
		st.ends(verdict(run.ClassContextOverflow))
		var got run.OverflowRung
		for _, f := range st.Facts {
			if b, ok := f.Body.(run.OverflowRung); ok {
				got = b
			}
		}
		if got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

func TestAHardStopOutlastsASoftOne(t *testing.T) {
	st := set(func(*run.Program) {})
	turn.Stop(st.Decision, st.lane, true)
	turn.Stop(st.Decision, st.lane, false)
	turn.TakeBack(st.Decision, st.lane)
	if st.lane.Stop != run.StopHard || st.lane.Running().Ending != run.EndingStop {
		t.Fatalf("stop %s", st.lane.Stop)
	}
}

func TestAnAnswerThatComesAfterAStopStartsNothing(t *testing.T) {
	for name, granted := range map[string]bool{"granted": true, "refused": false} {
		t.Run(name, func(t *testing.T) {
			st := set(func(*run.Program) {})
			key := run.WindowKey{Family: "claude", Sort: run.SortLimit}
			st.ends(verdict(run.ClassRateLimited))
			st.Now = now.Add(time.Hour)
			turn.Look(st.Decision, st.lane)
			st.Record(0, run.StopRequested{Run: true})
			turn.Answered(st.Decision, st.lane, run.PermitAnswered{
				Lane: 1, Target: claude, Keys: []run.WindowKey{key}, Granted: granted, Why: run.WokenDue,
			})
			if st.count("attempt_started") != 1 || st.lane.State.Final() {
				t.Fatalf("%s with %d attempts", st.lane.State, st.count("attempt_started"))
			}
			if got := st.released(key); got != granted {
				t.Fatalf("given back: %v", got)
			}
		})
	}
}

func (st stage) released(k run.WindowKey) bool {
	for _, e := range st.Effects {
		if e, ok := e.(run.ReleasePermit); ok && e.Key == k {
			return true
		}
	}
	return false
}

func TestAnAttemptThatWeEndStillTellsOfALimit(t *testing.T) {
	st := set(func(*run.Program) {})
	turn.Stop(st.Decision, st.lane, true)
	st.ends(verdict(run.ClassRateLimited))
	if st.lane.State != run.LaneStopped || len(st.State.Windows) != 1 || st.count("family_tripped") != 1 {
		t.Fatalf("%s, windows %v", st.lane.State, st.State.Windows)
	}
}

func TestTheProbeOfAnOpenHealthHasNoLadder(t *testing.T) {
	st := set(func(*run.Program) {})
	key := run.WindowKey{Family: "claude", Sort: run.SortHealth}
	st.Record(0, run.WindowOpened{Window: run.Window{WindowKey: key, Kind: run.KindHealth, OpenedAt: now, Until: now, NextTry: now, How: run.HowAssumed}})
	st.Record(1, run.PermitGranted{Key: key, Attempt: 1, Lapses: now.Add(90 * time.Second)})
	st.ends(verdict(run.ClassTransport))
	if got := st.end(); got.State != run.LaneBlocked || got.Retried != 0 || got.Health != 1 || st.count("health_opened") != 1 {
		t.Fatalf("%+v", got)
	}
}

func TestASoftStopEndsALaneWithItsAttempt(t *testing.T) {
	st := set(func(p *run.Program) { p.Order = []run.Target{claude, codex} })
	turn.Stop(st.Decision, st.lane, false)
	st.ends(verdict(run.ClassTransport))
	if got := st.end(); got != (end{State: run.LaneStopped}) || st.count("provider_fallback") != 0 {
		t.Fatalf("%+v", got)
	}
}

func TestASwapDoesNotGoToATargetThatWasLimitedMeanwhile(t *testing.T) {
	st := set(func(p *run.Program) { p.Order = []run.Target{claude, codex} })
	turn.Swap(st.Decision, st.lane) // ends the attempt, to go on with codex
	until := now.Add(time.Hour)
	st.Record(0, run.WindowOpened{Window: run.Window{
		WindowKey: run.WindowKey{Family: "codex", Sort: run.SortLimit}, Kind: run.KindUsage,
		OpenedAt: now, Until: until, NextTry: until, How: run.HowStated,
	}})
	st.ends(run.Verdict{Class: run.ClassIncomplete})
	for _, e := range st.Effects {
		if a, ok := e.(run.AskPermit); ok {
			t.Fatalf("asks for the permit of %s", a.Target)
		}
	}
	if st.lane.Running() == nil || st.lane.Target != claude {
		t.Fatalf("%s on %s", st.lane.State, st.lane.Target)
	}
}

func TestAStalledAgentIsToldByItsLimit(t *testing.T) {
	for rule, want := range map[string]string{
		"end.stall":   "the agent fell silent for longer than stall_timeout",
		"end.output":  "the agent printed more than max_output_bytes",
		"end.runaway": "the agent ran away: step after step without tokens",
		"":            "the agent fell silent or ran away",
	} {
		st := set(func(p *run.Program) { p.Retry.MaxRetries = 0 })
		v := verdict(run.ClassStalled)
		if rule != "" {
			v.Evidence = []run.Evidence{{Rule: rule}}
		}
		st.ends(v)
		said := ""
		for _, f := range st.Facts {
			if b, ok := f.Body.(run.Error); ok {
				said = b.Message
			}
		}
		if said != want {
			t.Errorf("%q: %q", rule, said)
		}
	}
}

// What a swap names as its reason is why the lane could not go on, not what came before.
func TestASwapSaysWhyTheTargetIsLeft(t *testing.T) {
	tooLong := verdict(run.ClassContextOverflow)
	limit := run.WindowKey{Family: "claude", Sort: run.SortLimit}
	trip := func(st stage) {
		st.Record(0, run.WindowOpened{Window: run.Window{
			WindowKey: limit, Kind: run.KindUsage, Trip: true, OpenedAt: now, Until: now.Add(time.Hour),
			NextTry: now.Add(time.Hour), How: run.HowStated,
		}})
	}
	for name, test := range map[string]struct {
		before func(stage)
		ends   run.Verdict
		want   run.Class
	}{
		"limited":                           {func(stage) {}, verdict(run.ClassRateLimited), run.ClassRateLimited},
		"not logged in":                     {func(stage) {}, verdict(run.ClassAuth), run.ClassAuth},
		"too long, and limited meanwhile":   {trip, tooLong, run.ClassRateLimited},
		"too long for every rung":           {func(st stage) { st.ends(tooLong); st.ends(tooLong) }, tooLong, run.ClassContextOverflow},
		"too long for every rung, and then": {func(st stage) { st.ends(tooLong); st.ends(tooLong); trip(st) }, tooLong, run.ClassContextOverflow},
		"the last retry is spent":           {func(st stage) { trip(st); st.lane.Retries = 99 }, verdict(run.ClassTransport), run.ClassTransport},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(func(p *run.Program) { p.Order = []run.Target{claude, codex} })
			test.before(st)
			st.ends(test.ends)
			swaps := 0
			for _, f := range st.Facts {
				if b, ok := f.Body.(run.ProviderFallback); ok {
					if swaps++; b.Reason != test.want {
						t.Errorf("swapped for %s, not %s", b.Reason, test.want)
					}
				}
			}
			if swaps != 1 {
				t.Errorf("%d swaps", swaps)
			}
		})
	}
}
