package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// A task's own order is what its lanes go by, and no other: for where they begin, where
// they go, what is free for them, and whether anything is worth leaving for.
func TestATaskGoesByItsOwnOrder(t *testing.T) {
	type lane struct {
		On    string // the targets of its attempts
		Parks int
		Swaps int
		Ended time.Duration
		Free  string // where it was refused
	}
	const refused, hour, work = 2 * time.Second, time.Hour, 10 * time.Minute
	for name, tt := range map[string]struct {
		orders   [2][]string // of the tasks; of the program it is claude, codex, gemini
		limited  string      // the agent that is limited for an hour
		refusal  play        // how; else with that reset
		seen     []run.Seen  // what other runs have seen
		swap     bool        // the operator has the first lane swapped after a minute
		patience run.Duration
		want     [2]lane
	}{
		"each begins with its first": {
			orders: [2][]string{{"codex"}, {"gemini:pro", "codex"}},
			want:   [2]lane{{On: "[codex]", Ended: work}, {On: "[gemini:pro]", Ended: work}},
		},
		"a window holds only who has nothing else": {
			orders: [2][]string{{"claude"}, {"codex"}}, limited: "claude",
			want: [2]lane{{On: "[claude claude]", Parks: 1, Ended: hour + work}, {On: "[codex]", Ended: work}},
		},
		"a fallback is of its order": {
			orders: [2][]string{{"claude", "gemini"}, {"claude", "codex:mini"}}, limited: "claude",
			want: [2]lane{{On: "[claude gemini]", Swaps: 1, Ended: refused + work}, {On: "[claude codex:mini]", Swaps: 1, Ended: refused + work}},
		},
		"without an order it has the program's": {
			orders: [2][]string{{"claude", "gemini"}, nil}, limited: "claude",
			want: [2]lane{{On: "[claude gemini]", Swaps: 1, Ended: refused + work}, {On: "[claude codex]", Swaps: 1, Ended: refused + work}},
		},
		"patience looks at its order": {
			orders: [2][]string{{"claude", "claude:opus"}, {"claude", "codex"}}, limited: "claude",
			want: [2]lane{{On: "[claude claude]", Parks: 1, Ended: hour + work}, {On: "[claude codex]", Swaps: 1, Ended: refused + work}},
		},
		"without patience both wait": {
			orders: [2][]string{{"claude"}, {"claude", "codex"}}, limited: "claude", patience: run.Off,
			want: [2]lane{{On: "[claude claude]", Parks: 1, Ended: hour + work}, {On: "[claude claude]", Parks: 1, Ended: hour + work}},
		},
		"patience that is spent goes where its order says": {
			orders: [2][]string{{"gemini"}, {"claude", "codex"}}, limited: "claude", refusal: limited(time.Time{}),
			want: [2]lane{{On: "[gemini]", Ended: work}, {On: "[claude claude codex]", Parks: 2, Swaps: 1, Ended: 2*time.Minute + 2*refused + work}},
		},
		"an operator's swap stays in it": {
			orders: [2][]string{{"claude", "gemini"}, {"codex"}}, swap: true,
			want: [2]lane{{On: "[claude gemini]", Ended: time.Minute + work}, {On: "[codex]", Ended: work}},
		},
		"it waits for its own target": {
			orders: [2][]string{{"claude"}, {"codex"}}, seen: []run.Seen{{Window: stated("claude", hour)}, {Window: stated("codex", 2*hour)}},
			want: [2]lane{{On: "[claude]", Parks: 1, Ended: hour + work, Free: "[]"}, {On: "[codex]", Parks: 1, Ended: 2*hour + work, Free: "[]"}},
		},
		"what is free is of its order": {
			orders: [2][]string{{"claude"}, {"claude", "gemini"}}, seen: []run.Seen{{Window: stated("claude", hour)}},
			want: [2]lane{{On: "[claude]", Parks: 1, Ended: hour + work, Free: "[]"}, {On: "[gemini]", Ended: work, Free: "[gemini]"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex", "gemini")
			p.Tasks, p.Parallel = tasks(2), 2
			if tt.patience != 0 {
				p.Patience = tt.patience
			}
			for i, order := range tt.orders {
				p.Tasks[i].Order = program(order...).Order
			}
			d := begin(t, p, func(d *drive, sp run.Spawn) play {
				if sp.Target.Agent == tt.limited && d.now.Before(start.Add(hour)) {
					if tt.refusal.verdict.Class != 0 {
						return tt.refusal
					}
					return limited(start.Add(hour))
				}
				w := works(work)
				w.served = 0
				return w
			}, func(d *drive) {
				d.seen = tt.seen
			})
			if tt.swap {
				d.at(time.Minute, run.Command{Verb: run.VerbSwap, Lane: 1})
			}
			d.run()
			var got [2]lane
			for i, l := range d.state.Lanes {
				var on []run.Target
				for _, a := range l.Attempts {
					on = append(on, a.Target)
				}
				got[i] = lane{On: fmt.Sprint(on), Swaps: l.Swaps, Ended: l.EndedAt.Sub(start).Round(time.Second)}
			}
			for _, f := range d.facts {
				switch b := f.Body.(type) {
				case run.TurnParked:
					got[f.Lane-1].Parks++
				case run.SpawnRefused:
					got[f.Lane-1].Free = fmt.Sprint(b.Free)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || d.exit != 0 || len(d.state.Lanes) != 2 {
				t.Errorf("exit %d, %d lanes (-want +got)\n%s\n%s", d.exit, len(d.state.Lanes), diff, d.story())
			}
		})
	}
}

// What a program waits for that has only such work left, and what it names when it gives
// up, is of the orders of those tasks.
func TestAWaitingProgramLooksAtTheOrdersOfItsTasks(t *testing.T) {
	for name, tt := range map[string]struct {
		deadline run.Duration
		login    bool
		until    time.Time
		why      string
		exit     int
	}{
		"a reset":               {0, false, start.Add(time.Hour), "every target is limited or unhealthy", 0},
		"a reset after the end": {run.Duration(30 * time.Minute), false, time.Time{}, "", 75},
		"a login":               {0, true, start.Add(6 * time.Hour), "codex needs a login: log in, or clear it", 75},
	} {
		t.Run(name, func(t *testing.T) {
			p := program("claude", "codex")
			p.Tasks, p.Deadline = tasks(2), tt.deadline
			for i := range p.Tasks {
				p.Tasks[i].Order, p.Tasks[i].Wait = program("codex").Order, run.WaitNever
			}
			seen := []run.Seen{{Window: stated("claude", 10*time.Minute)}, {Window: stated("codex", time.Hour)}}
			if tt.login {
				for i := range seen {
					w := &seen[i].Window
					w.Sort, w.Kind, w.Until, w.NextTry = run.SortLogin, run.KindAuth, time.Time{}, time.Time{}
				}
			}
			d := begin(t, p, func(*drive, run.Spawn) play { return works(time.Minute) }, func(d *drive) { d.seen = seen }).run()
			var waiting run.ProgramWaiting
			if told := all[run.ProgramWaiting](d); len(told) > 0 {
				waiting = told[len(told)-1]
			}
			if d.exit != tt.exit || !waiting.Until.Equal(tt.until) || waiting.Why != tt.why || d.spawn[run.Target{Agent: "claude"}] != 0 {
				t.Errorf("exit %d: %s, waiting %+v\n%s", d.exit, d.state.ExitWhy, waiting, d.story())
			}
			if !tt.login && tt.exit != 0 && !d.state.ResetsAt.Equal(start.Add(time.Hour)) {
				t.Errorf("it resets at %s", d.state.ResetsAt)
			}
		})
	}
}
