package foreign_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// standing is where a run stands that a state shows.
func standing(k foreign.Known, s *run.State, now time.Time) run.Standing {
	states := map[run.LaneState]int{}
	for _, l := range s.Lanes {
		states[l.State]++
	}
	limited := slices.ContainsFunc(s.Suspicions, func(x run.Suspicion) bool { // by its own file
		return x.Lane == 0 && now.Before(x.Until) && strings.HasPrefix(x.Why, "team-harness")
	})
	switch {
	case s.Phase == run.PhaseEnded && s.ExitWhy == "team-harness, which kept the run, is gone",
		s.Phase != run.PhaseEnded && strings.HasPrefix(s.Notice, "team-harness, which kept the run, is gone"):
		return run.StandingOrphaned
	case s.Phase == run.PhaseEnded && s.Exit == 0:
		return run.StandingDone
	case s.Phase == run.PhaseEnded && strings.HasPrefix(s.ExitWhy, "nothing heard for 30 minutes"):
		return run.StandingSilent
	case s.Phase == run.PhaseEnded:
		return run.StandingFailed
	case states[run.LaneWorking] > 0:
		return run.StandingWorking
	case states[run.LaneParked] > 0:
		return run.StandingLimited
	case states[run.LaneOpen] > 0:
		return run.StandingAsking
	case states[run.LaneWaiting] == 0 && limited:
		return run.StandingLimited
	}
	return run.StandingIdle
}

// agree holds a run in the list against what is shown of it once it is open.
func agree(t *rapid.T, k foreign.Known, s *run.State, now time.Time) {
	w, crew := k.See(now)
	working := 0
	for _, n := range crew {
		working += n
	}
	if as := w.AsOf(now); working != as.Lanes.Working {
		t.Fatalf("%d at work, by family %v; %s", as.Lanes.Working, crew, as.State)
	}
	if got, want := standing(k, s, now), w.Standing(now); got != want {
		t.Fatalf("it is %s in the list, and open %s", want, got)
	}
	var lanes run.LaneCounts
	for _, l := range s.Lanes {
		switch l.State {
		case run.LaneWorking:
			lanes.Working++
		case run.LaneOpen, run.LaneWaiting, run.LaneParked:
			lanes.Waiting++
		}
	}
	if at := w.Standing(now); (at.Live() || at == run.StandingOrphaned) && (lanes.Working != w.Lanes.Working || lanes.Waiting != w.Lanes.Waiting) || !at.Live() && at != run.StandingOrphaned && lanes != (run.LaneCounts{}) {
		t.Fatalf("%+v in the list, and open %+v", w.Lanes, lanes)
	}
	u := s.Usage
	if math.Abs(u.CostUSD-w.Usage.CostUSD) > 1e-9 {
		t.Fatalf("used %+v in the list, and open %+v", w.Usage, u)
	}
	if u.CostUSD = w.Usage.CostUSD; u != w.Usage {
		t.Fatalf("used %+v in the list, and open %+v", w.Usage, u)
	}
	var listed, open []string
	others := slices.Clone(k.Others)
	for i := range others {
		if s.Phase == run.PhaseEnded { // which families are limited elsewhere does not concern it
			others[i].Suspicion = run.Suspicion{}
		}
	}
	for _, x := range foreign.Suspicions(now, slices.Concat(k.Words(), others)) {
		if slices.ContainsFunc(s.Families, func(f *run.Family) bool { return f.Name == x.Family }) {
			listed = append(listed, x.Family+" "+x.Model)
		}
	}
	for _, x := range s.Suspicions {
		if now.Before(x.Until) && slices.ContainsFunc(s.Families, func(f *run.Family) bool { return f.Name == x.Family }) {
			open = append(open, x.Family+" "+x.Model)
		}
	}
	slices.Sort(open)
	if open = slices.Compact(open); !slices.Equal(listed, open) {
		t.Fatalf("suspected are %q in the list, and open %q", listed, open)
	}
}

// Whatever is known of a run of another tool, the list and the screen of the run agree.
func TestTheListAndTheOpenRunAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := &tool{file: runfile.File{RunID: "r", Start: dawn}, logs: map[string]stream.Account{}, now: dawn, alive: foreign.Living}
		f := &follower{}
		others := othersOf(t)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			steps := x.steps(t)
			delete(steps, "fault: far ahead") // of which each looks as well as it can
			steps["others"] = func() { others = othersOf(t) }
			step(t, steps)
			file := x.file
			file.Agents = slices.Clone(file.Agents)
			k := x.known(&file)
			k.Others = others(x.now)
			k.Removed = rapid.IntRange(0, 19).Draw(t, "removed") == 0
			f.see(t, k, x.now)
			agree(t, k, f.state, x.now)
		}
	})
}

func step(t *rapid.T, steps map[string]func()) {
	names := make([]string, 0, len(steps))
	for name := range steps {
		names = append(names, name)
	}
	slices.Sort(names)
	steps[rapid.SampledFrom(names).Draw(t, "step")]()
}

// othersOf makes what other files say of limits.
func othersOf(t *rapid.T) func(now time.Time) []foreign.Word {
	var words []foreign.Word
	for i := range rapid.IntRange(0, 3).Draw(t, "words") {
		since := dawn.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "since")) * time.Minute)
		w := foreign.Word{Family: rapid.SampledFrom([]string{"claude", "codex", "gemini"}).Draw(t, "family")}
		if w.Served = since; rapid.Bool().Draw(t, "refused") {
			w.Served = time.Time{}
			w.Suspicion = run.Suspicion{Family: w.Family, Why: fmt.Sprint("other ", i), Since: since, Until: since.Add(time.Hour)}
		}
		words = append(words, w)
	}
	return func(now time.Time) []foreign.Word {
		return slices.DeleteFunc(slices.Clone(words), func(w foreign.Word) bool { return later(w.Served, w.Suspicion.Since).After(now) })
	}
}

// So do they for a session.
func TestTheListAndTheOpenSessionAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := foreign.Known{Key: "/s/x.jsonl", Origin: rapid.SampledFrom([]run.Origin{run.OriginSession, run.OriginStream}).Draw(t, "origin")}
		f, now, a := &follower{}, dawn, &k.Account
		others := othersOf(t)
		open := func() {
			a.Turn, a.Verdict, a.At, a.Activity.Lines = stream.TurnOpen, run.Verdict{}, now, a.Activity.Lines+1
		}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			step(t, map[string]func(){
				"begins": func() { a.Family, a.Session, a.Dir, a.Began, a.Activity.Lines = "claude", "s", "/d", now, 1 },
				"is asked": func() {
					open()
					a.Activity.Retry = run.Retry{}
				},
				"works": func() {
					open()
					a.Suspect, a.SuspectedAt, a.Limit, a.ServedAt, a.Activity.Retry = "", time.Time{}, run.Verdict{}, now, run.Retry{}
					a.Activity.Usage.Output++
				},
				"tries again": func() {
					open()
					a.Activity.Retry = run.Retry{Attempt: 2, Status: 529, Delay: 5 * time.Second}
				},
				"is refused": func() {
					open()
					a.Suspect, a.SuspectedAt = "429", cmp.Or(a.SuspectedAt, now)
				},
				"is over": func() {
					a.Activity.Retry = run.Retry{}
					a.Turn, a.At, a.Verdict = stream.TurnOver, now, run.Verdict{Class: rapid.SampledFrom(run.Classes()).Draw(t, "class")}
					if c := a.Verdict.Class; c == run.ClassRateLimited || c == run.ClassOverloaded {
						a.Verdict.Reset, a.Verdict.How = now.Add(40*time.Minute), run.HowStated
						a.Suspect, a.SuspectedAt, a.Limit = "its turn ended at a limit", now, a.Verdict
					}
				},
				"time goes on": func() { now = now.Add(time.Duration(rapid.IntRange(1, 70).Draw(t, "minutes")) * time.Minute) },
				"starts anew":  func() { *a = stream.Account{} },
				"another":      func() { a.Session += "x" },
				"a sub-agent":  func() { k.Beside.Output += 3 },
				"others":       func() { others = othersOf(t) },
			})
			k.Modified = later(a.At, dawn)
			k.Others = others(now)
			k.Removed = rapid.IntRange(0, 19).Draw(t, "removed") == 0
			f.see(t, k, now)
			agree(t, k, f.state, now)
		}
	})
}
