package plan_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// Each test here is about a fault that simulated months have found.

// Found: the answer to a permit was taken though the window had moved while it was
// asked for.
func TestAnAnswerThatIsOutOfDateIsNotTaken(t *testing.T) {
	d := begin(t, program("claude"), once(limited(start.Add(time.Hour)), works(time.Minute)))
	asked := 0
	d.refuse = func(run.AskPermit) bool {
		if asked++; asked == 1 { // another process was told of a later end
			d.decide(run.Seen{Window: stated("claude", 2*time.Hour)})
		}
		return false
	}
	d.run()
	a := d.state.Lane(1).Attempts
	if d.exit != 0 || len(a) != 2 || !a[1].StartedAt.Equal(start.Add(2*time.Hour)) || d.count("permit_granted") != 1 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

// Found: a refusal that was read late, for nobody owned the run when the agent ended,
// counted from the reading: its window opened, or was extended, though the end that was
// stated had passed.
func TestARefusalThatIsReadLateCountsFromTheEndOfTheAgent(t *testing.T) {
	reset := start.Add(time.Hour)
	for name, before := range map[string]bool{"opens": false, "extends": true} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Tasks, p.Parallel = tasks(2), 2
			d := begin(t, p, func(_ *drive, sp run.Spawn) play {
				switch {
				case sp.Attempt == 1 && before:
					return limited(reset)
				case sp.Attempt == 2:
					return play{served: -1}
				}
				return works(time.Minute)
			})
			d.when(90*time.Second, func() { d.dead, d.away = true, 2*time.Hour })
			d.at(100*time.Second, run.Ended{Lane: 2, Attempt: 2, At: start.Add(100 * time.Second), Verdict: limited(reset).verdict})
			d.run()
			var windows []run.Window
			for _, b := range all[run.WindowOpened](d) {
				windows = append(windows, b.Window)
			}
			for _, b := range all[run.WindowExtended](d) {
				windows = append(windows, b.Window)
			}
			for _, w := range windows {
				if !w.Until.Equal(reset) || w.How != run.HowStated {
					t.Errorf("%s", &w)
				}
			}
			if back := start.Add(2*time.Hour + 90*time.Second); d.exit != 0 || len(windows) == 0 || d.now.Sub(back) > 5*time.Minute {
				t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
			}
		})
	}
}

// Found: of two lanes that had asked for the same permit when Layover died, one did
// nothing for ever. The second asks while the agent of another lane is started, before
// the first is answered.
func TestTwoLanesThatHadAskedForOnePermitGoOn(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks, p.Parallel, p.Iterations = tasks(3), 3, 2
	p.Tasks[0].Order, p.Tasks[1].Order, p.Tasks[2].Order = p.Order[1:], p.Order[:1], p.Order[:1]
	d := begin(t, p, func(*drive, run.Spawn) play { return works(5 * time.Minute) })
	d.at(time.Minute, run.Seen{Window: stated("claude", 2*time.Minute)})
	d.when(4*time.Minute, func() { d.dies, d.away = 2, time.Minute }) // at the first of the questions
	d.run()
	d.before("run_resumed", "turn_parked", "permit_granted", "run_ended")
	if n := len(d.state.Lanes); d.exit != 0 || n != 6 || d.state.Counts.Done != 6 {
		t.Fatalf("exit %d, %d lanes\n%s", d.exit, n, d.story())
	}
}

// Found: a lane without patience stayed, though a target became free, because another
// lane asked for the permit of its own target in the same decision, or for that of the
// first target that it might have gone to.
func TestALaneWithoutPatienceLeavesThoughOthersAsk(t *testing.T) {
	const at = 10 * time.Minute
	for name, order := range map[string][]string{
		"for its target":           {"claude", "codex"},
		"and for the first other":  {"claude", "gemini", "codex"},
		"and for the second other": {"claude", "codex", "gemini"},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(order...)
			n := len(order)
			p.Tasks, p.Parallel, p.Patience = tasks(n), n, 0
			login := stated("codex", 0)
			login.Sort, login.Kind, login.Until, login.NextTry = run.SortLogin, run.KindAuth, time.Time{}, time.Time{}
			d := begin(t, p, func(d *drive, _ run.Spawn) play {
				if d.now.Before(start.Add(at)) {
					return limited(start.Add(at))
				}
				return works(time.Minute)
			})
			d.at(0, run.Seen{Window: login})
			d.at(0, run.Seen{Window: stated("gemini", at)})
			d.at(at, run.CredentialsChanged{Family: "codex"}) // in the decision at which the others are due
			d.run()
			for _, f := range d.facts {
				if _, swap := f.Body.(run.ProviderFallback); swap && !f.At.Equal(start.Add(at)) {
					t.Errorf("lane %d swaps after %s", f.Lane, f.At.Sub(start))
				}
			}
			if d.exit != 0 || d.count("provider_fallback") != n-1 || d.now.Sub(start) != at+time.Minute {
				t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
			}
		})
	}
}

// Found: a jump of the clock over the end of an inline wait made a park of no length.
func TestAClockStepOverAnInlineWaitMakesNoPark(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(2), 2
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(100 * time.Second)) {
			return limited(start.Add(100 * time.Second))
		}
		return works(time.Minute)
	})
	d.jumps = true
	d.at(50*time.Second, run.Stepped{By: 5 * time.Minute})
	d.run()
	if d.exit != 0 || d.count("retry_scheduled") != 2 || d.count("turn_parked") != 0 {
		t.Fatalf("exit %d\n%s", d.exit, d.story())
	}
}

// Found: where the stated end is always a moment away the schedule makes the wait
// longer; one of more than two minutes was called inline.
func TestAWaitThatTheScheduleMakesLongIsAPark(t *testing.T) {
	d := begin(t, program("claude"), func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(2 * time.Hour)) {
			return limited(d.now.Add(3 * time.Second))
		}
		return works(time.Minute)
	}).run()
	longest := time.Duration(0)
	for _, b := range all[run.RetryScheduled](d) {
		longest = max(longest, b.DelayMs.D())
	}
	if d.exit != 0 || longest > 2*time.Minute || d.count("retry_scheduled") == 0 || d.count("turn_parked") == 0 {
		t.Fatalf("exit %d, an inline wait of %s\n%s", d.exit, longest, d.story())
	}
}

// Found: the rule that nobody returns to what has proved nothing was held against the
// operator, too, who may send a lane wherever a target is free.
func TestARouteByTheOperatorNeedsNoProof(t *testing.T) {
	for name, codex := range map[string]play{"while it works": works(time.Hour), "while it waits": limited(start.Add(time.Hour))} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex")
			d := begin(t, p, func(d *drive, sp run.Spawn) play {
				switch {
				case sp.Target.Agent == "codex":
					return codex
				case d.now.Before(start.Add(5 * time.Minute)):
					return fails(run.ClassTransport)
				}
				return works(time.Minute)
			})
			d.at(10*time.Minute, run.Command{Verb: run.VerbSwap, Lane: 1})
			d.run()
			swaps := all[run.ProviderFallback](d)
			if d.exit != 0 || len(swaps) != 2 || !swaps[0].Counted || swaps[1].Counted || swaps[1].To.Agent != "claude" || d.count("probe_settled") != 0 {
				t.Fatalf("exit %d %+v\n%s", d.exit, swaps, d.story())
			}
		})
	}
}

// Found: the rule that no park outlives its budget was held against a park that a jump
// of the clock carries past it, if that ends in the answer to what another lane asks.
func TestAParkThatAJumpCarriesPastItsBudgetEndsAtOnce(t *testing.T) {
	p := program("claude")
	p.Tasks, p.Parallel = tasks(2), 2
	p.Tasks[1].Deadline = run.Duration(time.Hour)
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(10 * time.Minute)) {
			return limited(start.Add(10 * time.Minute))
		}
		return works(time.Minute)
	})
	d.jumps = true
	d.at(5*time.Minute, run.Stepped{By: 3 * time.Hour})
	d.refuse = func(run.AskPermit) bool { d.refuse = nil; return true }
	d.run()
	l := d.state.Lane(2)
	if d.exit != 1 || l.State != run.LaneBlocked || !l.EndedAt.Equal(start.Add(3*time.Hour+5*time.Minute)) {
		t.Fatalf("exit %d, %s at %s\n%s", d.exit, l.State, l.EndedAt, d.story())
	}
}

// An agent that answers, and dies at once, again and again, is not started for ever at
// once: its family is left alone for longer and longer.
func TestAnAgentThatAnswersAndDiesIsLeftAlone(t *testing.T) {
	p := program("claude")
	d := begin(t, p, func(d *drive, _ run.Spawn) play {
		if d.now.Before(start.Add(3 * time.Hour)) {
			f := fails(run.ClassIncomplete)
			f.served = time.Second
			return f
		}
		return works(time.Minute)
	}).run()
	if n := d.spawn[run.Target{Agent: "claude"}]; d.exit != 0 || n > 150 {
		t.Fatalf("exit %d after %d attempts in three hours", d.exit, n)
	}
}

// A pinned task that comes back to the queue stays with its target.
func TestAPinnedTaskStaysWithItsTargetThroughTheQueue(t *testing.T) {
	p := program("claude", "codex")
	p.Tasks[0].Pinned, p.Tasks[0].Wait = true, run.WaitNever
	d := begin(t, p, once(limited(start.Add(time.Hour)), works(time.Minute))).run()
	if d.exit != 0 || d.spawn[run.Target{Agent: "codex"}] != 0 || d.count("task_requeued") != 1 {
		t.Fatalf("exit %d, %v\n%s", d.exit, d.spawn, d.story())
	}
}

// Found: a probe of a throttle that had lapsed was answered late, and closed the usage
// limit that had been stated in the meantime: its call had been let in before.
func TestALateAnswerClosesNoLimitThatWasStatedAfterItsCall(t *testing.T) {
	const reset = 2 * time.Hour
	for name, told := range map[string]bool{"another process says so": true, "another lane is refused": false} {
		t.Run(name, func(t *testing.T) {
			p := program("claude")
			p.Tasks, p.Parallel = tasks(2), 2
			d := begin(t, p, func(d *drive, sp run.Spawn) play {
				switch {
				case sp.Attempt <= 2:
					return bare()
				case sp.Attempt == 3: // the probe that lapses
					return play{served: 3 * time.Minute, after: 10 * time.Minute, verdict: run.Verdict{Class: run.ClassSuccess}}
				case d.now.Before(start.Add(reset)) && !told:
					return limited(start.Add(reset))
				case d.now.Before(start.Add(reset)):
					return play{served: -1, after: 10 * time.Minute, verdict: bare().verdict}
				}
				return works(time.Minute)
			})
			if told {
				d.at(150*time.Second, run.Seen{Window: stated("claude", reset)})
			}
			d.run()
			for _, f := range d.facts {
				if _, cleared := f.Body.(run.WindowCleared); cleared && f.At.Before(start.Add(reset)) {
					t.Errorf("cleared after %s by lane %d", f.At.Sub(start), f.Lane)
				}
			}
			if d.exit != 0 || d.count("window_cleared") == 0 || d.state.Counts.Done != 2 {
				t.Fatalf("exit %d\n%s", d.exit, d.story())
			}
		})
	}
}

// Found: a lane that had waited for longer than max_park, as its provider had said, was
// given up at the moment at which another lane probed the window, if a lane went to a third
// target in the same decision.
func TestALaneIsNotGivenUpWhileItsWindowIsProbed(t *testing.T) {
	for name, order := range map[string][]string{"it may not go there": {"claude"}, "somebody else goes there": {"claude", "gemini"}} {
		t.Run(name, func(t *testing.T) {
			reset := start.Add(8 * time.Hour)
			p := program("claude", "gemini")
			p.Tasks, p.Parallel = tasks(3), 3
			p.Tasks[1].Order = p.Order[:len(order)]
			d := begin(t, p, func(d *drive, _ run.Spawn) play {
				if d.now.Before(reset) {
					return limited(reset)
				}
				return works(time.Minute)
			})
			d.at(0, run.Seen{Window: stated("gemini", 8*time.Hour)})
			d.run()
			if d.exit != 0 || d.count("task_requeued") > 0 || d.count("provider_fallback") != 1 || len(d.state.Lanes) != 3 {
				t.Fatalf("exit %d after %s\n%s", d.exit, d.now.Sub(start), d.story())
			}
		})
	}
}

// Found: an agent that was served and refused again and again kept its lane for ever: each
// time what had been waited counted anew. It leaves for another target once its patience is
// over, and gives up after max_park without one.
func TestAnAgentThatIsAlwaysBrokenOffIsLeft(t *testing.T) {
	overloaded := play{served: time.Second, after: 3 * time.Second, verdict: run.Verdict{Class: run.ClassOverloaded}}
	throttled := bare()
	throttled.served, throttled.after = time.Second, 3*time.Second
	for name, brief := range map[string]play{"overloaded": overloaded, "limited": throttled} {
		t.Run(name, func(t *testing.T) {
			d := begin(t, program("claude", "codex"), func(_ *drive, sp run.Spawn) play {
				if sp.Target.Agent == "claude" {
					return brief
				}
				return works(time.Minute)
			})
			d.run()
			if _, at := fact[run.ProviderFallback](d); d.exit != 0 || at > 4*time.Minute || d.spawn[d.state.Program.Order[0]] > 30 {
				t.Errorf("exit %d, it leaves after %s\n%s", d.exit, at, d.story())
			}
			p := program("claude")
			p.MaxPark = run.Duration(20 * time.Minute)
			d = begin(t, p, func(*drive, run.Spawn) play { return brief }).run()
			if lasted := d.now.Sub(start); d.exit != 75 || lasted > time.Hour {
				t.Errorf("exit %d after %s\n%s", d.exit, lasted, d.story())
			}
		})
	}
}
