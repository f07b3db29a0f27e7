package turn_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// last is the last agent that is to be started.
func (st stage) last() run.Spawn {
	var last run.Spawn
	for _, e := range st.Effects {
		if e, ok := e.(run.Spawn); ok {
			last = e
		}
	}
	return last
}

// takesOver is a lane that claude has worked on and that codex takes over.
func takesOver(edit func(*run.Program)) stage {
	st := set(func(p *run.Program) {
		p.Order, p.HandoffSummary = []run.Target{claude, codex}, true
		edit(p)
	})
	turn.Served(st.Decision, st.lane, st.lane.Running(), "text")
	st.ends(verdict(run.ClassAuth))
	return st
}

// summarises is such a lane whose handoff is too long.
func summarises(edit func(*run.Program)) stage {
	st := takesOver(edit)
	turn.Cut(st.Decision, st.lane, st.lane.Running(), 100_000)
	return st
}

// wakes lets an inline wait come to its end.
func (st stage) wakes() {
	st.Now = st.lane.Wait.WakeAt
	turn.Look(st.Decision, st.lane)
}

func unedited(*run.Program) {}

// What a lane does once the attempt to summarise has ended: it goes on with its work, or,
// if its target refused the summary, as it would have after any attempt.
func TestAfterASummary(t *testing.T) {
	type after struct {
		State   run.LaneState
		Asked   int
		Skipped int
		Retried int
		Summary run.AttemptID // of the last agent
		Ask     bool
		Window  run.Kind
		Requeue int
	}
	never := func(p *run.Program) { p.Tasks[0].Wait = run.WaitNever }
	off := func(p *run.Program) { p.Breaker.On = false }
	without := after{State: run.LaneWorking, Asked: 1, Skipped: 1}
	limited := after{State: run.LaneParked, Asked: 1, Skipped: 1, Window: run.KindUsage}
	for name, test := range map[string]struct {
		edit  func(*run.Program)
		class run.Class
		want  after
	}{
		"success":                {unedited, run.ClassSuccess, after{State: run.LaneWorking, Asked: 1, Summary: 2}},
		"failed":                 {unedited, run.ClassFailed, without},
		"context_overflow":       {unedited, run.ClassContextOverflow, without},
		"transport":              {unedited, run.ClassTransport, after{State: run.LaneWaiting, Asked: 1, Retried: 1}},
		"transport, never":       {never, run.ClassTransport, without},
		"rate_limited":           {unedited, run.ClassRateLimited, limited},
		"rate_limited, off":      {off, run.ClassRateLimited, after{State: run.LaneParked, Asked: 1, Skipped: 1}},
		"rate_limited, never":    {never, run.ClassRateLimited, after{State: run.LaneBlocked, Asked: 1, Window: run.KindUsage, Requeue: 1}},
		"overloaded":             {unedited, run.ClassOverloaded, after{State: run.LaneWaiting, Asked: 1, Retried: 1}},
		"auth":                   {unedited, run.ClassAuth, after{State: run.LaneBlocked, Asked: 1, Window: run.KindAuth, Requeue: 1}},
		"cancelled by something": {unedited, run.ClassCancelled, after{State: run.LaneWaiting, Asked: 1, Retried: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			st := summarises(test.edit)
			if e := st.last(); !e.Summarise || e.Ask || e.Attempt != 2 || e.Deadline != st.Now.Add(2*time.Minute) {
				t.Fatalf("%+v", e)
			}
			st.ends(verdict(test.class))
			got := after{
				State: st.lane.State, Asked: st.count("summary_asked"), Skipped: st.count("summary_skipped"),
				Retried: st.count("retry_scheduled"), Summary: st.last().Summary, Ask: st.last().Ask, Requeue: st.count("task_requeued"),
			}
			for _, w := range st.State.Windows {
				if w.Family == "codex" {
					got.Window = w.Kind
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if a := st.lane.Attempts[len(st.lane.Attempts)-1]; a.ID == 3 && (len(st.last().Work) != 1 || st.last().Resume != "" || st.last().Summarise) {
				t.Errorf("%+v", st.last())
			}
		})
	}
}

// A lane that parks, or goes elsewhere, because the target of its summary refused it
// does not ask that target for one again: it goes on with what it had been given.
func TestASummaryIsNotAskedForAfterAPark(t *testing.T) {
	for name, test := range map[string]struct {
		class   run.Class
		breaker bool
		ends    int // attempts to summarise that end so, until the lane parks
	}{
		"limited":         {run.ClassRateLimited, true, 1},
		"limited, off":    {run.ClassRateLimited, false, 1},
		"overloaded":      {run.ClassOverloaded, true, 3},
		"overloaded, off": {run.ClassOverloaded, false, 3},
	} {
		t.Run(name, func(t *testing.T) {
			st := summarises(func(p *run.Program) { p.Breaker.On = test.breaker })
			for i := range test.ends {
				if i > 0 {
					st.wakes()
					turn.Cut(st.Decision, st.lane, st.lane.Running(), 100_000)
				}
				st.ends(verdict(test.class))
			}
			if st.lane.State != run.LaneParked || st.count("summary_asked") != test.ends || st.count("summary_skipped") != 1 {
				t.Fatalf("%s, %d asked, %d skipped", st.lane.State, st.count("summary_asked"), st.count("summary_skipped"))
			}
			st.Now = st.Now.Add(30 * time.Second) // there is time left for one
			if w := st.State.Window(run.WindowKey{Family: "codex", Sort: run.SortLimit}); w != nil {
				st.Record(0, run.WindowCleared{Key: w.WindowKey, Why: "served"})
				st.Record(1, run.ParkMoved{WakeAt: st.Now, Released: true})
			} else {
				st.Now = st.lane.Wait.WakeAt
			}
			turn.Look(st.Decision, st.lane)
			if a, e := st.lane.Running(), st.last(); a == nil || e.Attempt != a.ID || e.Ask || e.Summarise || len(e.Work) == 0 {
				t.Fatalf("%s, %+v, %+v", st.lane.State, a, e)
			}
		})
	}
}

// The ladder of a summary is climbed within its time, and what it took is given back.
func TestASummaryIsRetriedByTheLadder(t *testing.T) {
	st := summarises(unedited)
	until := st.lane.Running().Summary.Until
	for range 2 {
		st.ends(verdict(run.ClassTransport))
		st.wakes()
		if !st.last().Ask {
			t.Fatalf("%+v", st.last())
		}
		turn.Cut(st.Decision, st.lane, st.lane.Running(), 100_000)
		if a := st.lane.Running(); a.Summary == nil || !a.Summary.Until.Equal(until) {
			t.Fatalf("%+v, want until %s", a, until)
		}
	}
	st.ends(verdict(run.ClassTransport))
	if a := st.lane.Running(); a == nil || a.ID != 5 || a.Summary != nil || st.last().Ask || st.lane.Retries != 0 {
		t.Fatalf("%+v, %d retries", a, st.lane.Retries)
	}
	if n := st.count("retry_scheduled"); n != 2 || st.count("turn_parked")+st.count("health_failed") != 0 {
		t.Errorf("%d retries", n)
	}
}

// After its time a summary is ended, and another one is not begun.
func TestASummaryHasItsTime(t *testing.T) {
	st := summarises(unedited)
	st.Now = st.State.NextDue(st.Now)
	turn.Look(st.Decision, st.lane)
	a := st.lane.Running()
	if !st.Now.Equal(a.Summary.Until) || a.Ending != run.EndingSummary {
		t.Fatalf("at %s %+v", st.Now, a)
	}
	st.ends(verdict(run.ClassIncomplete))
	if a := st.lane.Running(); a == nil || a.ID != 3 || st.last().Ask || st.count("retry_scheduled") != 0 {
		t.Errorf("%+v", a)
	}

	st = summarises(unedited)
	st.ends(verdict(run.ClassTransport))
	st.Now = st.Now.Add(3 * time.Minute) // such as while it was held
	turn.Look(st.Decision, st.lane)
	turn.Cut(st.Decision, st.lane, st.lane.Running(), 100_000)
	if e := st.last(); e.Attempt != 3 || e.Ask || e.Summarise || st.count("summary_asked") != 1 {
		t.Errorf("%+v", e)
	}
}

// A clock that is set back gives a summary no more time.
func TestTheTimeOfASummaryIsMovedWithTheClock(t *testing.T) {
	st := summarises(unedited)
	st.Record(0, run.ClockStepped{ByMs: -3_600_000})
	st.Now = st.Now.Add(time.Minute - time.Hour)
	if due := st.State.NextDue(st.Now); due != st.Now.Add(time.Minute) {
		t.Errorf("it is due at %s, now is %s", due, st.Now)
	}
}

// A summary that was written is used until something has been done since.
func TestASummaryIsUsedAgain(t *testing.T) {
	st := summarises(unedited)
	st.ends(verdict(run.ClassSuccess))
	st.ends(verdict(run.ClassTransport))
	st.wakes()
	if e := st.last(); e.Attempt != 4 || e.Summary != 2 || e.Ask {
		t.Errorf("nothing was done, but %+v", e)
	}
	turn.Served(st.Decision, st.lane, st.lane.Running(), "text")
	st.ends(verdict(run.ClassTransport))
	st.wakes()
	if e := st.last(); e.Attempt != 5 || e.Summary != 0 || !e.Ask || len(e.Work) != 2 {
		t.Errorf("it covers too little, but %+v", e)
	}
}

// Nobody is kept waiting by a summary who probes, stops, or does not want one.
func TestWhoDoesNotSummarise(t *testing.T) {
	for name, st := range map[string]stage{
		"no option":  takesOver(func(p *run.Program) { p.HandoffSummary = false }),
		"no handoff": takesOver(func(p *run.Program) { p.Handoff = false }),
	} {
		if e := st.last(); e.Attempt != 2 || e.Ask {
			t.Errorf("%s: %+v", name, e)
		}
	}

	st := summarises(unedited)
	st.ends(verdict(run.ClassRateLimited))
	st.Now = st.State.Windows[1].NextTry
	turn.Look(st.Decision, st.lane)
	ask := st.Effects[len(st.Effects)-1].(run.AskPermit)
	turn.Answered(st.Decision, st.lane, run.PermitAnswered{Lane: 1, Target: codex, Keys: ask.Keys, Granted: true, Why: ask.Why})
	if e := st.last(); e.Attempt != 3 || !e.Probe || e.Ask || e.Summarise {
		t.Errorf("a probe: %+v", e)
	}
	st.Record(0, run.WindowCleared{Key: ask.Keys[0], Why: "operator"})
	turn.TakeUp(st.Decision, st.lane)
	if e := st.last(); e.Attempt != 3 || e.Ask {
		t.Errorf("a probe that was taken up: %+v", e)
	}

	st = summarises(unedited)
	turn.Stop(st.Decision, st.lane, false)
	st.ends(verdict(run.ClassSuccess))
	if st.lane.State != run.LaneStopped || st.last().Attempt != 2 {
		t.Errorf("after a soft stop: %s, %+v", st.lane.State, st.last())
	}

	st = summarises(unedited)
	turn.Stop(st.Decision, st.lane, true)
	if end, ok := st.Effects[len(st.Effects)-1].(run.End); !ok || end.Attempt != 2 {
		t.Errorf("a hard stop: %+v", st.Effects)
	}
}

// The session of a summary is not that of the turn, nor is its end the turn's.
func TestASummaryIsNoWork(t *testing.T) {
	st := summarises(unedited)
	v := verdict(run.ClassSuccess)
	v.Session = "summary"
	st.ends(v)
	if l := st.lane; l.Sessions[codex] != "" || l.Last.Class != run.ClassAuth || l.Attempts[1].Session != "summary" {
		t.Errorf("sessions %v, last %s", l.Sessions, l.Last.Class)
	}
}

// What is summarised for an agent that comes back to its session is what it does not know,
// in another session.
func TestASummaryForAnAgentThatComesBack(t *testing.T) {
	st := set(func(p *run.Program) { p.Order, p.HandoffSummary = []run.Target{claude, codex}, true })
	for range 2 {
		a := st.lane.Running()
		turn.Served(st.Decision, st.lane, a, "text")
		st.Record(1, run.SessionLearned{Attempt: a.ID, Session: "s-" + a.Target.Agent})
		turn.Swap(st.Decision, st.lane)
		st.ends(verdict(run.ClassCancelled))
	}
	turn.Cut(st.Decision, st.lane, st.lane.Running(), 100_000)
	a, e := st.lane.Running(), st.last()
	if a.Resume != "" || !e.Summarise || e.Resume != "s-claude" || len(e.Work) != 1 || e.Work[0].Attempt != 2 {
		t.Fatalf("%+v, %+v", a, e)
	}
	st.ends(verdict(run.ClassSuccess))
	a, e = st.lane.Running(), st.last()
	if a.Resume != "s-claude" || e.Summary != 3 || len(e.Work) != 1 {
		t.Errorf("%+v, %+v", a, e)
	}
}

// A summary is no part of the conversation that a rung is a share of.
func TestASummaryOnARung(t *testing.T) {
	st := set(func(p *run.Program) { p.HandoffSummary = true })
	for range 2 {
		turn.Served(st.Decision, st.lane, st.lane.Running(), "text")
		st.ends(verdict(run.ClassContextOverflow))
		turn.Cut(st.Decision, st.lane, st.lane.Running(), 100_000)
		st.ends(verdict(run.ClassSuccess))
		st.Record(1, run.HandoffWritten{Attempt: st.lane.Running().ID, Bytes: 3000})
	}
	if got, want := st.handed(), (handed{0.5 / 0.75, 3000, 3, 3000}); got != want || st.last().Summary != 4 {
		t.Errorf("%+v, want %+v; %+v", got, want, st.last())
	}
}

// A new owner goes on where the old one was: the question is put again, or the agent
// that summarises is started or adopted.
func TestASummaryIsTakenUp(t *testing.T) {
	st := takesOver(unedited)
	turn.TakeUp(st.Decision, st.lane)
	if e := st.last(); !e.Ask || e.Attempt != 2 {
		t.Errorf("before the question: %+v", e)
	}
	turn.Cut(st.Decision, st.lane, st.lane.Running(), 100_000)
	before := st.last()
	turn.TakeUp(st.Decision, st.lane)
	if diff := cmp.Diff(before, st.last()); diff != "" || !before.Summarise {
		t.Error(diff)
	}
	st.Record(1, run.AgentSpawned{Attempt: 2, Worker: "w"})
	turn.TakeUp(st.Decision, st.lane)
	if a, ok := st.Effects[len(st.Effects)-1].(run.Adopt); !ok || a.Attempt != 2 {
		t.Errorf("%+v", st.Effects)
	}
}

// A summary that could be as long as what it summarises is not worth an attempt.
func TestALittleThatIsLeftOutIsNotSummarised(t *testing.T) {
	for left, want := range map[int]int{1: 0, 8 << 10: 0, 8<<10 + 1: 1} {
		st := takesOver(unedited)
		turn.Cut(st.Decision, st.lane, st.lane.Running(), left)
		if e := st.last(); st.count("summary_asked") != want || e.Summarise != (want == 1) || e.Ask {
			t.Errorf("%d bytes left out: %d asked, %+v", left, st.count("summary_asked"), e)
		}
	}
}
