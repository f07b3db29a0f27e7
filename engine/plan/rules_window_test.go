package plan_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestBareLimitIsProbedByTheThrottleSchedule(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(10 * time.Minute)) {
			return bare()
		}
		return works(time.Minute)
	}).run()
	var gaps []time.Duration
	attempts := d.state.Lane(1).Attempts
	for i := 1; i < len(attempts); i++ {
		gaps = append(gaps, attempts[i].StartedAt.Sub(attempts[i-1].EndedAt))
	}
	if d.exit != 0 || slices.Min(gaps) < 5*time.Second || slices.Max(gaps) > 15*time.Second || gaps[len(gaps)-1] != 15*time.Second {
		t.Fatalf("exit %d, probed after %v", d.exit, gaps)
	}
}

func TestUnknownUsageIsProbedByTheUsageSchedule(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(90 * time.Minute)) {
			return limited(time.Time{})
		}
		return works(time.Minute)
	}).run()
	var gaps []time.Duration
	attempts := d.state.Lane(1).Attempts
	for i := 1; i < len(attempts); i++ {
		gaps = append(gaps, attempts[i].StartedAt.Sub(attempts[i-1].EndedAt))
	}
	want := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute}
	if diff := cmp.Diff(want, gaps[:5]); diff != "" || slices.Max(gaps) != 15*time.Minute {
		t.Fatalf("%s\n%v", diff, gaps)
	}
}

func TestALateEndThatStatesALaterResetExtendsThoughItsGenerationIsOld(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(2), 2
	first, later := start.Add(10*time.Minute), start.Add(3*time.Hour)
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case sp.Attempt == 1:
			return limited(first)
		case sp.Attempt == 2: // let in before the window; ends when another probes it
			l := limited(later)
			l.after = 10*time.Minute + 30*time.Second
			return l
		case d.now.Before(later):
			return play{served: -1, after: 5 * time.Minute, verdict: limited(first).verdict}
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.now.Before(later) || len(d.state.Trips) != 1 || d.count("permit_granted") != 2 {
		t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
	}
}

func TestAnAttemptThatIsStoppedStillTellsOfALimit(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(*drive, run.Spawn) play {
		l := limited(start.Add(time.Hour))
		l.after = time.Minute
		return l
	})
	d.at(10*time.Second, run.Command{Verb: run.VerbSoftStop})
	d.run()
	if d.exit != 3 || d.count("window_opened") != 1 || d.count("family_tripped") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestALoginThatFailsIsNeverTriedByItselfAndOthersAreUsed(t *testing.T) {
	p := program("claude", "codex")
	p.Iterations = 5
	d := begin(t, p, always(map[string]play{"claude": fails(run.ClassAuth), "codex": works(time.Hour)})).run()
	if d.exit != 0 || d.spawn[run.Target{Agent: "claude"}] != 1 || d.spawn[run.Target{Agent: "codex"}] != 5 {
		t.Fatalf("exit %d %v", d.exit, d.spawn)
	}
	if w := d.state.Windows; len(w) != 1 || w[0].Kind != run.KindAuth || d.count("family_tripped")+d.count("health_failed") != 0 {
		t.Fatalf("%v", w)
	}
}

func TestALoginThatIsMendedIsUsedAgain(t *testing.T) {
	for name, mend := range map[string]run.Happening{
		"operator":    run.Command{Verb: run.VerbClear, Family: "claude"},
		"credentials": run.CredentialsChanged{Family: "claude"},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			d := begin(t, p, once(fails(run.ClassBilling), works(time.Minute)))
			d.at(2*time.Hour, mend)
			d.run()
			if d.exit != 0 || d.now.Sub(start) != 2*time.Hour+time.Minute || d.count("program_waiting") == 0 {
				t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
			}
		})
	}
}

func TestASuspectedFamilyIsRoutedAroundButNotBlocked(t *testing.T) {
	for name, tt := range map[string]struct {
		order []string
		want  string
	}{"another is free": {[]string{"claude", "codex"}, "codex"}, "nobody else is": {[]string{"claude"}, "claude"}} {
		t.Run(name, func(t *testing.T) {
			p := program(tt.order...)
			p.Patience = run.Off
			p.Tasks, p.Parallel = tasks(3), 2
			d := begin(t, p, func(_ *drive, sp run.Spawn) play {
				w := works(time.Minute)
				if sp.Attempt == 1 { // suspected when the third lane opens
					w.suspect, w.after = 2*time.Second, time.Hour
				}
				return w
			}).run()
			if got := d.state.Lane(3).Attempts[0].Target.Agent; got != tt.want || d.exit != 0 || d.count("spawn_refused") != 0 {
				t.Fatalf("exit %d, routed to %s", d.exit, got)
			}
		})
	}
}

func TestAModelLimitLeavesTheOtherModelsFree(t *testing.T) {
	p := program("claude:opus", "claude:sonnet", "codex")
	p.Iterations = 3
	v := limited(start.Add(20 * time.Hour))
	v.verdict.Scope = run.ScopeModel
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		if sp.Target.Model == "opus" {
			return v
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.spawn[run.Target{Agent: "claude", Model: "sonnet"}] != 3 || d.count("family_tripped") != 0 {
		t.Fatalf("exit %d %v", d.exit, d.spawn)
	}
}

func TestAMisreadDateDoesNotBlockForDays(t *testing.T) {
	p := program("claude", "codex")
	p.Iterations = 6
	far := limited(start.Add(100 * time.Hour))
	far.verdict.How = run.HowText
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Attempt == 1 {
			return far
		}
		return works(50 * time.Minute)
	}).run()
	if d.exit != 0 || d.spawn[run.Target{Agent: "claude"}] < 3 {
		t.Fatalf("exit %d, spawns %v", d.exit, d.spawn)
	}
}

func TestAHalfOpenFamilyIsTriedByOneProbeWithoutALadder(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(4), 4
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(20 * time.Minute)) {
			return fails(run.ClassTransport)
		}
		return works(time.Minute)
	}).run()
	opened := 0
	for _, f := range d.facts {
		if f.Body.Name() == "health_opened" {
			opened++
		}
	}
	probes, attempts := d.count("permit_granted"), d.count("attempt_started")
	if d.exit != 0 || attempts > 4*3+2+probes+3 || opened < 3 {
		t.Fatalf("exit %d, %d attempts, %d probes, opened %d times", d.exit, attempts, probes, opened)
	}
}

func TestASuspectedProbeIsLeftAloneUntilItsPermitLapses(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		switch {
		case sp.Target.Agent == "codex":
			return works(time.Minute)
		case sp.Attempt == 1:
			return limited(start.Add(time.Minute))
		}
		return play{served: -1, suspect: time.Second} // retries inside for ever
	})
	d.run()
	e, at := fact[run.AttemptEnding](d) // patience is spent after 122 s
	if d.exit != 0 || e.Why != run.EndingSwap || at != time.Minute+90*time.Second {
		t.Fatalf("exit %d, ended after %s\n%s", d.exit, at, d.story())
	}
}
