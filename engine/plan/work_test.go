package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// given lists what the agents of a run were given of the work before them.
func given(d *drive, agent func(*drive, run.Spawn) play) (*drive, *[][]run.AttemptID) {
	var work [][]run.AttemptID
	d.agent = func(d *drive, sp run.Spawn) play {
		var ids []run.AttemptID
		for _, w := range sp.Work {
			ids = append(ids, w.Attempt)
			if _, a := d.state.LaneOfAttempt(w.Lane, w.Attempt); a == nil || a.EndedAt.IsZero() {
				d.t.Fatalf("attempt %d of lane %d has not ended", w.Attempt, w.Lane)
			}
		}
		work = append(work, ids)
		return agent(d, sp)
	}
	return d, &work
}

// breaksOff is served, and then fails like others.
func breaksOff(c run.Class) play {
	p := fails(c)
	p.served = time.Second
	return p
}

// A new agent is given what every attempt before it did, whoever made it; one that
// resumes its own session only what others did since.
func TestAnAgentIsGivenTheWorkThatItDoesNotKnow(t *testing.T) {
	for name, test := range map[string]struct {
		order []string
		edit  func(*run.Program)
		plays []play
		want  [][]run.AttemptID
	}{
		"a retry resumes": {
			order: []string{"claude"}, plays: []play{breaksOff(run.ClassTransport), works(time.Minute)},
			want: [][]run.AttemptID{nil, nil},
		},
		"a swap is given all": {
			order: []string{"claude", "codex"},
			plays: []play{breaksOff(run.ClassTransport), breaksOff(run.ClassTransport), breaksOff(run.ClassTransport), works(time.Minute)},
			want:  [][]run.AttemptID{nil, nil, nil, {1, 2, 3}},
		},
		"what was never served is no work": {
			order: []string{"claude", "codex"},
			plays: []play{breaksOff(run.ClassTransport), fails(run.ClassAuth), works(time.Minute)},
			want:  [][]run.AttemptID{nil, nil, {1}},
		},
		"a requeued job keeps its work": {
			order: []string{"claude", "codex"}, edit: func(p *run.Program) { p.MaxSwaps = 0 },
			plays: []play{breaksOff(run.ClassAuth), works(time.Minute)},
			want:  [][]run.AttemptID{nil, {1}},
		},
		"without handoff nothing is given": {
			order: []string{"claude", "codex"}, edit: func(p *run.Program) { p.Handoff = false },
			plays: []play{breaksOff(run.ClassAuth), works(time.Minute)},
			want:  [][]run.AttemptID{nil, nil},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(test.order...)
			if test.edit != nil {
				test.edit(&p)
			}
			n := 0
			d, work := given(&drive{}, func(*drive, run.Spawn) play { n++; return test.plays[n-1] })
			begin(t, p, d.agent).run()
			if diff := cmp.Diff(test.want, *work); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An agent to which its lane returns resumes its session, and is told what the other
// one did meanwhile.
func TestALaneThatReturnsTellsWhatWasDoneMeanwhile(t *testing.T) {
	p := program("claude", "codex")
	d, work := given(&drive{}, func(d *drive, sp run.Spawn) play {
		switch {
		case sp.Target.Agent == "codex":
			f := limited(d.now.Add(4 * time.Hour))
			f.served = time.Second
			return f
		case sp.Attempt == 1:
			f := limited(d.now.Add(time.Hour))
			f.served = time.Second
			return f
		}
		return works(time.Minute)
	})
	d = begin(t, p, d.agent).run()
	if diff := cmp.Diff([][]run.AttemptID{nil, {1}, {2}}, *work); diff != "" {
		t.Fatalf("%s\n%s", diff, d.story())
	}
	if a := d.state.Lane(1).Attempts[2]; a.Resume != "session-1" {
		t.Fatalf("%+v", a)
	}
}

// What an attempt was given is told once, also if a second owner takes its agent up.
func TestAHandoffIsToldOnce(t *testing.T) {
	d := begin(t, program("claude"), func(*drive, run.Spawn) play { return works(time.Hour) })
	for _, id := range []run.AttemptID{1, 1, 7} { // nobody knows a seventh
		d.at(time.Minute, run.HandedOver{Lane: 1, Attempt: id, Bytes: 900})
	}
	d.run()
	if told := all[run.HandoffWritten](d); len(told) != 1 || d.state.Lane(1).Attempts[0].Handed != 900 {
		t.Fatalf("%+v, %+v", told, d.state.Lane(1).Attempts)
	}
}
