package plan_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// once plays one attempt first and then another for ever.
func once(first, then play) func(*drive, run.Spawn) play {
	n := 0
	return func(*drive, run.Spawn) play {
		if n++; n == 1 {
			return first
		}
		return then
	}
}

// always plays the same for each agent.
func always(by map[string]play) func(*drive, run.Spawn) play {
	return func(_ *drive, sp run.Spawn) play { return by[sp.Target.Agent] }
}

func tasks(n int) []run.Task {
	var ts []run.Task
	for i := range n {
		ts = append(ts, run.Task{Name: string(rune('a' + i)), Wait: run.WaitPark})
	}
	return ts
}

// fact finds the first fact of a kind, and when it was.
func fact[T run.Body](d *drive) (T, time.Duration) {
	d.t.Helper()
	for _, f := range d.facts {
		if b, ok := f.Body.(T); ok {
			return b, f.At.Sub(start)
		}
	}
	var none T
	d.t.Fatalf("no %s in\n%s", none.Name(), d.story())
	return none, 0
}

func TestWaitInlineNeverParks(t *testing.T) {
	for name, on := range map[string]bool{"breaker on": true, "breaker off": false} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Breaker.On = on
			p.Tasks[0].Wait = run.WaitInline
			p.Deadline = run.Duration(time.Hour)
			d := begin(t, p, func(*drive, run.Spawn) play { return bare() }).run()
			if d.count("turn_parked") != 0 || d.count("turn_ended") == 0 || d.exit != 75 {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
		})
	}
}

func TestWaitInlineUsesTheLadder(t *testing.T) {
	p := program("claude")
	p.Tasks[0].Wait = run.WaitInline
	d := begin(t, p, once(fails(run.ClassTransport), works(time.Minute))).run()
	if d.exit != 0 || d.count("retry_scheduled") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

func TestAShortStatedWaitIsWaitedInlineAndNeverLessThanAsked(t *testing.T) {
	for name, on := range map[string]bool{"breaker on": true, "breaker off": false} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Breaker.On = on
			reset := start.Add(122 * time.Second) // the refusal comes after two seconds
			d := begin(t, p, once(limited(reset), works(time.Minute))).run()
			r, _ := fact[run.RetryScheduled](d)
			if d.count("turn_parked") != 0 || !r.WakeAt.Equal(reset) || d.state.Lane(1).Attempts[1].StartedAt.Before(reset) {
				t.Fatalf("%+v\n%s", r, d.story())
			}
		})
	}
}

func TestAStatedWaitOfMoreThanTwoMinutesParks(t *testing.T) {
	p := program("claude")
	d := begin(t, p, once(limited(start.Add(123*time.Second)), works(time.Minute))).run()
	if d.count("turn_parked") != 1 || d.count("retry_scheduled") != 0 {
		t.Fatal(d.story())
	}
}

// A served attempt is progress, unless its provider breaks it off within a minute.
func TestProgressResetsLadderStreakAndWaitedTime(t *testing.T) {
	for name, tc := range map[string]struct {
		lasts            time.Duration
		retries, streaks []int
	}{
		"progress": {time.Minute + time.Second, []int{1, 2, 1, 2}, []int{1, 1, 2}},
		"brief":    {time.Minute, []int{1, 2}, []int{1, 2, 3, 4, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			p := breakerOff(program("claude"))
			n := 0
			d := begin(t, p, func(*drive, run.Spawn) play {
				n++
				b := bare()
				if n == 4 {
					b.served, b.after = time.Second, tc.lasts
				}
				if n == 8 {
					return works(time.Minute)
				}
				return b
			}).run()
			var retries, streaks []int
			for _, f := range d.facts {
				switch b := f.Body.(type) {
				case run.RetryScheduled:
					retries = append(retries, b.Retry)
				case run.TurnParked:
					streaks = append(streaks, b.Streak)
				}
			}
			if diff := cmp.Diff([][]int{tc.retries, tc.streaks}, [][]int{retries, streaks}); diff != "" {
				t.Fatal(diff, d.story())
			}
		})
	}
}

func TestAWaitThatNobodyStatedEndsAfterMaxPark(t *testing.T) {
	for name, on := range map[string]bool{"breaker on": true, "breaker off": false} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Breaker.On = on
			p.MaxPark = run.Duration(time.Hour)
			d := begin(t, p, func(*drive, run.Spawn) play { return bare() }).run()
			e, at := fact[run.Error](d)
			if d.exit != 75 || !e.Retryable || at < time.Hour || at > time.Hour+3*time.Minute {
				t.Fatalf("exit %d after %s\n%s", d.exit, at, d.story())
			}
		})
	}
}

func TestAStatedWaitWithoutADeadlineIsUnbounded(t *testing.T) {
	p := program("claude")
	reset := start.Add(100 * time.Hour)
	d := begin(t, p, once(limited(reset), works(time.Minute))).run()
	park, _ := fact[run.TurnParked](d)
	if d.exit != 0 || park.AllowanceMs != nil || d.now.Before(reset) {
		t.Fatalf("exit %d at %s", d.exit, d.now)
	}
}

func TestAParkedLaneGivesUpOnceItsWindowOutlastsTheDeadline(t *testing.T) {
	p := program("claude")
	p.Patience = run.Off
	p.Tasks, p.Parallel = tasks(2), 2
	p.Deadline = run.Duration(8 * time.Hour)
	probe := func(d *drive, sp run.Spawn) play {
		if sp.Attempt <= 2 {
			return limited(time.Time{})
		}
		return limited(start.Add(20 * time.Hour))
	}
	d := begin(t, p, probe).run()
	if d.exit != 75 || d.now.Sub(start) > 5*time.Minute || len(d.state.ExitWhy) == 0 || !d.state.ResetsAt.Equal(start.Add(20*time.Hour)) {
		t.Fatalf("exit %d after %s, resets %s\n%s", d.exit, d.now.Sub(start), d.state.ResetsAt, d.story())
	}
}

func TestAParkedLaneSwapsOnceItsWindowIsStatedToLast(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks, p.Parallel = tasks(2), 2
	p.Patience = run.Duration(30 * time.Minute)
	d := begin(t, p, func(_ *drive, sp run.Spawn) play {
		switch {
		case sp.Target.Agent == "codex":
			return works(time.Minute)
		case sp.Attempt <= 2:
			return limited(time.Time{})
		}
		return limited(start.Add(20 * time.Hour))
	}).run()
	swaps := 0
	for _, f := range d.facts {
		if f.Body.Name() == "provider_fallback" && f.At.Sub(start) < 2*time.Minute {
			swaps++
		}
	}
	if d.exit != 0 || swaps != 2 {
		t.Fatalf("exit %d, %d lanes swap when the window is stated\n%s", d.exit, swaps, d.story())
	}
}

func TestWithoutTheBreakerPatienceEndsParksThatNobodyStated(t *testing.T) {
	p := breakerOff(program("claude", "codex"))
	d := begin(t, p, always(map[string]play{"claude": bare(), "codex": works(time.Minute)})).run()
	_, at := fact[run.ProviderFallback](d)
	woken, _ := fact[run.TurnWoken](d)
	if d.exit != 0 || at < 2*time.Minute || at > 2*time.Minute+30*time.Second || woken.Reason != run.WokenDue {
		t.Fatalf("exit %d, swapped after %s\n%s", d.exit, at, d.story())
	}
}

func TestEachReasonToWakeOccurs(t *testing.T) {
	parked := func() run.Program { return program("claude", "codex") }
	limit := func(reset time.Duration) func(*drive, run.Spawn) play {
		return func(d *drive, sp run.Spawn) play {
			if sp.Target.Agent == "claude" && d.spawn[sp.Target] == 1 {
				return limited(start.Add(reset))
			}
			return works(time.Minute)
		}
	}
	for name, tt := range map[string]struct {
		do   run.Happening
		edit func(*run.Program)
		want run.Woken
	}{
		"due":       {run.Tick{}, nil, run.WokenDue},
		"stop":      {run.Command{Verb: run.VerbSoftStop}, nil, run.WokenStop},
		"hard stop": {run.Command{Verb: run.VerbHardStop}, nil, run.WokenHardStop},
		"operator":  {run.Command{Verb: run.VerbWake, Lane: 1}, nil, run.WokenOperator},
		"cleared":   {run.Command{Verb: run.VerbClear, Family: "claude"}, nil, run.WokenCleared},
		"swap":      {run.Tick{}, func(p *run.Program) { p.Patience = run.Duration(4 * time.Minute) }, run.WokenSwap},
		"deadline":  {run.Seen{Window: stated("claude", 20*time.Hour)}, func(p *run.Program) { p.Order = p.Order[:1] }, run.WokenDeadline},
	} {
		t.Run(name, func(t *testing.T) {
			p := parked()
			p.Patience, p.Deadline = run.Off, run.Duration(time.Hour)
			reset := 10 * time.Minute
			if tt.want == run.WokenSwap {
				reset = 3 * time.Minute
			}
			if tt.edit != nil {
				tt.edit(&p)
			}
			d := begin(t, p, limit(reset))
			if tt.want == run.WokenSwap { // the window turns out to last for longer
				tt.do = run.Seen{Window: stated("claude", 50*time.Minute)}
			}
			d.at(70*time.Second, tt.do)
			d.run()
			woken, _ := fact[run.TurnWoken](d)
			if woken.Reason != tt.want {
				t.Fatalf("woken by %s\n%s", woken.Reason, d.story())
			}
		})
	}
}

// stated is a limit of a family that another process was told.
func stated(family string, until time.Duration) run.Window {
	at := start.Add(until)
	return run.Window{
		WindowKey: run.WindowKey{Family: family, Sort: run.SortLimit}, Kind: run.KindUsage,
		OpenedAt: start, Until: at, NextTry: at, How: run.HowStated,
	}
}

func TestAClockStepKeepsStatedInstantsAndMovesBackoffs(t *testing.T) {
	for name, tt := range map[string]struct {
		play play
		move time.Duration
	}{
		"stated": {limited(start.Add(4 * time.Hour)), 0}, "not stated": {bare(), 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			p := breakerOff(program("claude"))
			p.Retry.MaxRetries = 0
			d := begin(t, p, once(tt.play, works(time.Minute)))
			d.at(3*time.Second, run.Stepped{By: 10 * time.Second})
			d.run()
			park, _ := fact[run.TurnParked](d)
			moved, _ := fact[run.ParkMoved](d)
			if got := moved.WakeAt.Sub(park.WakeAt); got != tt.move {
				t.Fatalf("moved by %s", got)
			}
		})
	}
}

func TestAClockStepCarriesNoParkPastTheReserve(t *testing.T) {
	p := breakerOff(program("claude"))
	p.Retry.MaxRetries, p.Deadline = 0, run.Duration(10*time.Minute)
	d := begin(t, p, func(*drive, run.Spawn) play { return bare() })
	d.at(3*time.Second, run.Stepped{By: 20 * time.Minute}) // the clock itself is not moved here
	d.run()
	woken, at := fact[run.TurnWoken](d)
	if d.exit != 75 || woken.Reason != run.WokenDeadline || at != 9*time.Minute+30*time.Second {
		t.Fatalf("exit %d, woken by %s after %s", d.exit, woken.Reason, at)
	}
}

func TestSleepingTimeIsNotWaitingTime(t *testing.T) {
	for name, edit := range map[string]func(*run.Program){
		"patience":                     func(*run.Program) {},
		"patience without the breaker": func(p *run.Program) { p.Breaker.On = false },
		"max_park":                     func(p *run.Program) { p.Order, p.MaxPark = p.Order[:1], run.Duration(2*time.Minute) },
		"max_park without the breaker": func(p *run.Program) {
			p.Order, p.MaxPark, p.Breaker.On = p.Order[:1], run.Duration(2*time.Minute), false
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex")
			p.Retry.MaxRetries = 0
			edit(&p)
			d := begin(t, p, always(map[string]play{"claude": bare(), "codex": works(time.Minute)}))
			d.jumps = true
			d.at(4*time.Second, run.Stepped{By: time.Hour})
			d.run()
			for _, f := range d.facts {
				name, at := f.Body.Name(), f.At.Sub(start)
				if (name == "provider_fallback" || name == "error") && at < time.Hour+2*time.Minute {
					t.Fatalf("it has waited long enough after %s\n%s", at, d.story())
				}
			}
		})
	}
}

func TestARequestedWakeSaysWhoHoldsThePermit(t *testing.T) {
	t.Run("another lane", func(t *testing.T) {
		p := program("claude")
		p.Tasks, p.Parallel = tasks(2), 2
		d := begin(t, p, func(d *drive, sp run.Spawn) play {
			if sp.Attempt <= 2 {
				return limited(start.Add(10 * time.Minute))
			}
			return play{served: 80 * time.Second, after: 3 * time.Minute, verdict: run.Verdict{Class: run.ClassSuccess}}
		})
		d.at(10*time.Minute+30*time.Second, run.Command{Verb: run.VerbWake, Lane: 2})
		d.run()
		if n, _ := fact[run.Notice](d); !strings.Contains(n.Message, "probed by a") || d.exit != 0 {
			t.Fatalf("exit %d %q", d.exit, n.Message)
		}
	})
	t.Run("another process", func(t *testing.T) {
		p := program("claude")
		d := begin(t, p, once(limited(start.Add(10*time.Hour)), works(time.Minute)))
		d.refuse = func(run.AskPermit) bool { return d.now.Sub(start) < time.Hour }
		d.at(time.Minute, run.Command{Verb: run.VerbWake, Lane: 1})
		d.run()
		if n, _ := fact[run.Notice](d); !strings.Contains(n.Message, "probed by another") || d.now.Sub(start) < 10*time.Hour {
			t.Fatalf("%q, tried after %s", n.Message, d.now.Sub(start))
		}
	})
}

func TestALaneStaysInItsOnePark(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(3), 3
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Sub(start) < 40*time.Minute {
			return limited(time.Time{})
		}
		return works(time.Minute)
	}).run()
	probes := d.count("permit_granted")
	if parks := d.count("turn_parked"); d.exit != 0 || probes < 4 || parks != probes-1+3 {
		t.Fatalf("%d parks, %d probes\n%s", parks, probes, d.story())
	}
	if !slices.Contains(d.names(0), "park_moved") {
		t.Fatal("the lanes that wait are told nothing")
	}
}

func TestAClockStepKeepsStatedWindowsAndMovesTheOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		reset time.Time
		moved time.Duration
	}{"stated": {start.Add(4 * time.Hour), 0}, "assumed": {time.Time{}, 10 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			d := begin(t, p, once(limited(tt.reset), works(time.Minute)))
			d.at(3*time.Second, run.Stepped{By: 10 * time.Second})
			d.run()
			w, _ := fact[run.WindowOpened](d)
			if got := d.state.Lane(1).Attempts[1].StartedAt.Sub(w.NextTry); d.exit != 0 || got != tt.moved {
				t.Fatalf("exit %d, moved by %s", d.exit, got)
			}
		})
	}
}
