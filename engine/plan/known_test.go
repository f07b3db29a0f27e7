package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// Each test here shows that Layover does not have a weakness that is known from earlier
// systems of its kind.

// Known: the fallback could not be reached at the first exhaustion, for the health of a
// family opens only at the third.
func TestKnownFallbackIsReachedAtTheFirstExhaustion(t *testing.T) {
	p := program("claude", "codex")
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if sp.Target.Agent == "claude" {
			return fails(run.ClassTransport)
		}
		return works(time.Minute)
	}).run()
	if d.exit != 0 || d.count("retry_scheduled") != 2 || d.count("provider_fallback") != 1 || d.count("health_opened") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

// Known: a short wait that was asked for was slept through, whatever the deadline or the
// stop key said.
func TestKnownAnInlineWaitObeysDeadlineAndStop(t *testing.T) {
	const refused, asked = 2 * time.Second, 100 * time.Second
	for name, tt := range map[string]struct {
		deadline time.Duration
		stop     run.Verb
		exit     int
		ends     time.Duration
		waits    int
	}{
		"nothing":     {0, 0, 0, refused + asked + time.Minute, 1},
		"deadline":    {2 * time.Minute, 0, 75, refused, 0}, // less 30 s it comes before the wait is over
		"soft stop":   {0, run.VerbSoftStop, 3, refused + 2*30*time.Second, 1},
		"hard stop":   {0, run.VerbHardStop, 130, 50 * time.Second, 1},
		"just enough": {refused + asked + 31*time.Second, 0, 1, refused + asked + 31*time.Second, 1},
	} {
		for _, breaker := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				p := program("claude")
				p.Breaker.On, p.Deadline = breaker, run.Duration(tt.deadline)
				d := begin(t, p, once(limited(start.Add(refused+asked)), works(time.Minute)))
				if tt.stop != 0 {
					d.at(50*time.Second, run.Command{Verb: tt.stop})
				}
				d.run()
				if at := d.now.Sub(start); d.exit != tt.exit || at != tt.ends || d.count("retry_scheduled") != tt.waits || d.count("turn_parked") != 0 {
					t.Errorf("breaker %v: exit %d after %s, %d inline waits\n%s", breaker, d.exit, at, d.count("retry_scheduled"), d.story())
				}
			})
		}
	}
}

// Known: one cut connection after a wait of hours killed the turn, for its retries had
// been spent before.
func TestKnownATurnSurvivesATransportErrorAfterALongPark(t *testing.T) {
	for name, before := range map[string]play{"a stated limit": limited(start.Add(5 * time.Hour)), "a bare limit": bare(), "an overload": fails(run.ClassOverloaded)} {
		for _, breaker := range []bool{true, false} {
			for _, served := range []time.Duration{-1, time.Second} {
				t.Run(name, func(t *testing.T) {
					p := program("claude")
					p.Breaker.On = breaker
					cut := fails(run.ClassTransport)
					cut.served = served
					done := 0
					d := begin(t, p, func(d *drive, _ run.Spawn) play {
						switch {
						case d.now.Before(start.Add(5 * time.Hour)):
							return before
						case done == 0:
							done++
							return cut
						}
						return works(time.Minute)
					}).run()
					if d.exit != 0 || d.count("turn_parked") == 0 || d.count("turn_ended") != 1 || d.count("health_failed") != 0 {
						t.Errorf("breaker %v, served %v: exit %d\n%s", breaker, served, d.exit, d.story())
					}
				})
			}
		}
	}
}

// Known: lanes that were refused together woke in the same second. Each draws its own
// jitter, up to an eighth of the wait: twenty are spread over 3.75 s after a backoff of
// 30 s, about five of them in each second, and over 75 s after ten minutes. What fifty
// seeds draw at worst is bounded here. A window lets go of one every 250 ms, exactly.
func TestKnownAFanOutDoesNotWakeInOneSecond(t *testing.T) {
	const (
		lanes, seeds = 20, 50
		steps        = time.Second + (lanes-1)*250*time.Millisecond // the probe is served after a second
	)
	asked := limited(start.Add(2*time.Second + 10*time.Minute))
	for name, tt := range map[string]struct {
		breaker bool
		refusal play
		// spread is how long it takes at least until all are awake, at most how long.
		atLeast, atMost time.Duration
		most            int // in any one second
	}{
		"not asked to":         {false, bare(), 2800 * time.Millisecond, 3750 * time.Millisecond, 12},
		"asked to":             {false, asked, 56 * time.Second, 75 * time.Second, 4},
		"window":               {true, asked, steps, steps, 4},
		"window, not asked to": {true, bare(), steps, steps, 4},
	} {
		t.Run(name, func(t *testing.T) {
			worst := 0
			for seed := range uint64(seeds) {
				p := program("claude")
				p.Breaker.On = tt.breaker
				p.Tasks, p.Parallel, p.Retry.MaxRetries = tasks(lanes), lanes, 0
				d := begin(t, p, func(_ *drive, sp run.Spawn) play {
					if sp.Attempt <= lanes {
						return tt.refusal
					}
					return works(time.Minute)
				}, func(d *drive) { d.seed = seed }).run()
				var at []time.Time
				for _, f := range d.facts {
					if a, ok := f.Body.(run.AttemptStarted); ok && a.Attempt > lanes {
						at = append(at, f.At)
					}
				}
				if n := d.count("turn_parked"); d.exit != 0 || len(at) != lanes || n != lanes {
					t.Fatalf("exit %d, %d parked, %d woken\n%s", d.exit, n, len(at), d.story())
				}
				if over := at[lanes-1].Sub(at[0]); over < tt.atLeast || over > tt.atMost {
					t.Errorf("seed %d: woken within %s, want from %s to %s", seed, over, tt.atLeast, tt.atMost)
				}
				worst = max(worst, inOneSecond(at))
			}
			if worst > tt.most {
				t.Errorf("%d woken in one second, want %d at most", worst, tt.most)
			}
		})
	}
}

// inOneSecond is how many of some instants, in their order, are within one second.
func inOneSecond(at []time.Time) int {
	most, first := 0, 0
	for i := range at {
		for at[i].Sub(at[first]) >= time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// Known: the same with a window: all of them at its end.
func TestKnownAFanOutIsReleasedInSteps(t *testing.T) {
	p := program("claude")
	p.Tasks = []run.Task{
		{Name: "a", Wait: run.WaitPark}, {Name: "b", Wait: run.WaitPark}, {Name: "c", Wait: run.WaitPark}, {Name: "d", Wait: run.WaitPark},
	}
	p.Parallel = 4
	reset := start.Add(time.Hour)
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(reset) {
			return limited(reset)
		}
		return works(time.Hour)
	}).run()
	if d.exit != 0 || d.count("turn_parked") != 4 || d.count("turn_woken") != 4 || d.count("permit_granted") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
	var starts []time.Time
	for _, f := range d.facts {
		if f.Body.Name() == "attempt_started" && !f.At.Before(reset) {
			starts = append(starts, f.At)
		}
	}
	for i := 2; i < len(starts); i++ {
		if gap := starts[i].Sub(starts[i-1]); gap != 250*time.Millisecond {
			t.Fatalf("released %s apart", gap)
		}
	}
	// The probe works for an hour; the others go on at its first served sign.
	if last := starts[len(starts)-1].Sub(reset); last > 5*time.Second {
		t.Fatalf("the last lane was released %s after the reset", last)
	}
}

// Known: jitter made a wait that fits longer than the allowance, so that it was given up.
func TestKnownJitterKeepsAFittingHintWithinTheAllowance(t *testing.T) {
	const lanes, hint = 20, time.Hour
	p := breakerOff(program("claude"))
	p.Tasks, p.Parallel = tasks(lanes), lanes
	p.Deadline = run.Duration(2*time.Second + hint + time.Second + 30*time.Second) // it fits by a second
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(hint)) {
			return limited(start.Add(2*time.Second + hint))
		}
		return works(10 * time.Second)
	}).run()
	parks := all[run.TurnParked](d)
	if d.exit != 0 || len(parks) != lanes || d.count("error") != 0 {
		t.Fatalf("exit %d, %d parks\n%s", d.exit, len(parks), d.story())
	}
	for _, w := range parks {
		if got := w.PlannedMs.D(); got < hint || got > hint+time.Second {
			t.Errorf("planned for %s, asked for %s, allowed %s", got, hint, hint+time.Second)
		}
	}
}

// Known: every lane that waited tried the limit at once.
func TestKnownOneProbeAtATime(t *testing.T) {
	const lanes = 8
	reset, over := start.Add(time.Hour), start.Add(3*time.Hour)
	p := program("claude")
	p.Tasks, p.Parallel = tasks(lanes), lanes
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		switch {
		case d.now.Before(reset):
			return limited(reset)
		case d.now.Before(over): // each probe takes a minute to be refused
			return play{served: -1, after: time.Minute, verdict: limited(d.now.Add(30 * time.Minute)).verdict}
		}
		w := works(10 * time.Minute)
		w.served = 30 * time.Second
		return w
	}).run()
	trying, most, tries := 0, 0, 0
	for _, f := range d.facts {
		if f.At.Before(reset) {
			continue
		}
		switch f.Body.(type) {
		case run.AttemptStarted:
			tries++
			trying++
			most = max(most, trying)
		case run.ProbeSettled:
			if trying--; f.At.After(over) {
				trying = -lanes // it is good: the others may go
			}
		}
	}
	if d.exit != 0 || most != 1 || tries < lanes+3 {
		t.Errorf("exit %d, %d tries, %d at once\n%s", d.exit, tries, most, d.story())
	}
}

// Known: a stop, a login or a request that the provider refuses counted as ill health of
// the family, and kept others from it.
func TestKnownOnlyFaultsAreIllHealth(t *testing.T) {
	for name, tt := range map[string]struct {
		class run.Class
		stop  run.Verb
		ill   bool
	}{
		"transport": {class: run.ClassTransport, ill: true}, "stalled": {class: run.ClassStalled, ill: true},
		"incomplete": {class: run.ClassIncomplete, ill: true}, "login": {class: run.ClassAuth}, "payment": {class: run.ClassBilling},
		"bad request": {class: run.ClassFailed}, "too long": {class: run.ClassContextOverflow}, "limit": {class: run.ClassRateLimited},
		"overload": {class: run.ClassOverloaded}, "soft stop": {class: run.ClassTransport, stop: run.VerbSoftStop},
		"hard stop": {class: run.ClassTransport, stop: run.VerbHardStop},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Tasks, p.Parallel, p.Deadline = tasks(5), 5, run.Duration(10*time.Minute)
			d := begin(t, p, func(*drive, run.Spawn) play { return fails(tt.class) })
			if tt.stop != 0 {
				d.at(time.Second, run.Command{Verb: tt.stop})
			}
			d.run()
			if n := d.count("health_failed") + d.count("health_opened"); n > 0 != tt.ill {
				t.Errorf("%d signs of ill health\n%s", n, d.story())
			}
		})
	}
}

// Known: the time waited was added up from what had been planned.
func TestKnownWaitingIsMeasuredByTheClock(t *testing.T) {
	const refused, reset = 2 * time.Second, 3 * time.Hour
	for name, tt := range map[string]struct {
		do    func(d *drive)
		woken time.Duration
	}{
		"as planned": {func(*drive) {}, reset},
		"woken":      {func(d *drive) { d.at(10*time.Minute, run.Command{Verb: run.VerbWake, Lane: 1}) }, 10 * time.Minute},
		"hard stop":  {func(d *drive) { d.at(11*time.Minute, run.Command{Verb: run.VerbHardStop}) }, 11 * time.Minute},
		"late": {func(d *drive) {
			d.when(time.Hour, func() { d.dead, d.away = true, 4*time.Hour })
		}, 5 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			d := begin(t, program("claude"), once(limited(start.Add(reset)), works(time.Minute)))
			tt.do(d)
			d.run()
			woken, at := fact[run.TurnWoken](d)
			if want := tt.woken - refused; woken.WaitedMs.D() != want || at != tt.woken || d.state.Counts.Parked != want {
				t.Errorf("woken after %s, waited %s, counted %s, want %s", at, woken.WaitedMs.D(), d.state.Counts.Parked, want)
			}
		})
	}
}

// Known: a restart forgot the wait, and tried at once.
func TestKnownAParkIsKeptThroughARestart(t *testing.T) {
	reset := start.Add(3 * time.Hour)
	d := begin(t, program("claude"), once(limited(reset), works(time.Minute)))
	var before time.Time
	d.when(time.Hour, func() { before = d.state.WakeAt(d.state.Lane(1)) })
	d.at(time.Hour, run.Resume{})
	d.when(time.Hour, func() {
		if after := d.state.WakeAt(d.state.Lane(1)); !after.Equal(before) || before.Before(reset) {
			t.Errorf("wakes at %s, then at %s", before, after)
		}
	})
	d.run()
	if woken, at := fact[run.TurnWoken](d); woken.Reason != run.WokenDue || start.Add(at) != before {
		t.Fatalf("woken by %s at %s, not at %s", woken.Reason, start.Add(at), before)
	}
}

// Known: spawns that were refused left no trace, so nobody could say what was saved.
func TestKnownRefusedSpawnsAreRecorded(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(3), 3
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.now.Before(start.Add(time.Hour)) && sp.Attempt == 1 {
			return limited(start.Add(time.Hour))
		}
		return works(3 * time.Hour)
	})
	// The other two run on; lanes of a second run of the tasks find it open.
	d.run()
	if n := d.count("spawn_refused"); n != 0 {
		t.Fatalf("%d refusals of lanes that were let in", n)
	}
	p.Iterations, p.Parallel = 1, 1
	d = begin(t, p, func(d *drive, sp run.Spawn) play {
		if d.now.Before(start.Add(time.Hour)) {
			return limited(start.Add(time.Hour))
		}
		return works(time.Minute)
	})
	d.at(time.Minute, run.Command{Verb: run.VerbHardStop, Lane: 1})
	d.at(2*time.Minute, run.Seen{Window: stated("claude", 2*time.Hour)})
	d.run()
	byLane := map[run.LaneID]int{}
	for _, f := range d.facts {
		if f.Body.Name() == "spawn_refused" {
			byLane[f.Lane]++
		}
	}
	if diff := cmp.Diff(map[run.LaneID]int{2: 1}, byLane); diff != "" {
		t.Fatal(diff, d.story())
	}
}
