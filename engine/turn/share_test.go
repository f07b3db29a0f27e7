package turn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// handed is how much of the conversation the last spawn is to be given.
type handed struct {
	keep  float64
	given int
	since run.AttemptID
	most  int
}

func (st stage) handed() handed {
	var h handed
	for _, e := range st.Effects {
		if e, ok := e.(run.Spawn); ok {
			h = handed{e.Keep, e.Given, e.Since, e.Most}
		}
	}
	return h
}

// A rung is reckoned from what the conversation that was too long began with, and the
// second one leaves no more than the first.
func TestARungIsAShareOfTheConversationThatWasTooLong(t *testing.T) {
	type end struct {
		handed int // what the attempt was given
		class  run.Class
	}
	const overflow = run.ClassContextOverflow
	for name, test := range map[string]struct {
		order []run.Target
		ends  []end
		want  handed
	}{
		"first rung":              {nil, []end{{0, overflow}}, handed{keep: 0.75}},
		"second, without handoff": {nil, []end{{0, overflow}, {0, overflow}}, handed{keep: 0.5}},
		"second":                  {nil, []end{{0, overflow}, {3000, overflow}}, handed{0.5 / 0.75, 3000, 2, 3000}},
		"after a swap": {
			[]run.Target{claude, codex}, []end{{0, run.ClassAuth}, {900, overflow}}, handed{0.75, 900, 2, 0},
		},
		"another target": {
			[]run.Target{claude, codex}, []end{{0, overflow}, {3000, overflow}, {2000, overflow}}, handed{1, 2000, 3, 0},
		},
		"no overflow": {
			[]run.Target{claude, codex}, []end{{0, overflow}, {3000, run.ClassAuth}}, handed{1, 3000, 2, 0},
		},
		"no rung": {[]run.Target{claude, codex}, []end{{500, run.ClassAuth}}, handed{keep: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(func(p *run.Program) {
				p.Retry.MaxRetries = 0
				if test.order != nil {
					p.Order = test.order
				}
			})
			for _, e := range test.ends {
				a := st.lane.Running()
				turn.Served(st.Decision, st.lane, a, "text")
				if e.handed > 0 {
					st.Record(1, run.HandoffWritten{Attempt: a.ID, Bytes: e.handed})
				}
				st.ends(verdict(e.class))
			}
			if diff := cmp.Diff(test.want, st.handed(), cmp.AllowUnexported(handed{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An agent that came back to its session goes on with the conversation that it began,
// whatever another one was given in between.
func TestAConversationBeganWithItsOwnTarget(t *testing.T) {
	st := set(func(p *run.Program) { p.Order = []run.Target{claude, codex} })
	for range 2 {
		a := st.lane.Running()
		turn.Served(st.Decision, st.lane, a, "text")
		st.Record(1, run.SessionLearned{Attempt: a.ID, Session: "s-" + a.Target.Agent})
		if a.Target == codex {
			st.Record(1, run.HandoffWritten{Attempt: a.ID, Bytes: 900})
		}
		turn.Swap(st.Decision, st.lane)
		st.ends(verdict(run.ClassCancelled))
	}
	if a := st.lane.Running(); a.Target != claude || a.Resume != "s-claude" {
		t.Fatalf("%+v", a)
	}
	st.ends(verdict(run.ClassContextOverflow))
	if got, want := st.handed(), (handed{keep: 0.75}); got != want || st.lane.Running().Resume != "" {
		t.Errorf("%+v, want %+v", got, want)
	}
}
