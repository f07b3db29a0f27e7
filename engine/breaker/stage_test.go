package breaker_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var (
	claude = run.Target{Agent: "claude"}
	opus   = run.Target{Agent: "claude", Model: "opus"}
	sonnet = run.Target{Agent: "claude", Model: "sonnet"}
	codex  = run.Target{Agent: "codex"}
)

func limitOn(model string) run.WindowKey {
	return run.WindowKey{Family: "claude", Model: model, Sort: run.SortLimit}
}

var health = run.WindowKey{Family: "claude", Sort: run.SortHealth}

// stage is a run on which single rules of the breaker are tried.
type stage struct {
	t *testing.T
	*run.Decision
}

// set opens a run with a number of lanes, each with one attempt on a target.
func set(t *testing.T, lanes int, target run.Target) stage {
	t.Helper()
	p := run.Defaults()
	p.Order = []run.Target{opus, sonnet, claude, codex}
	p.Tasks = []run.Task{{Name: "one", Wait: run.WaitPark}}
	st := stage{t, &run.Decision{State: &run.State{}, Now: now}}
	st.Record(0, run.RunStarted{RunID: "test", Program: p, Seed: 1, Epoch: now, Speed: 1})
	for i := range lanes {
		id := run.LaneID(i + 1)
		st.Record(0, run.IterationStarted{Iteration: i + 1})
		st.Record(id, run.LaneStarted{Task: "one", Job: st.State.Queue[0]})
		st.Record(id, run.LaneRouted{Why: "start", To: target})
		st.Record(id, run.AttemptStarted{Attempt: run.AttemptID(id), Target: target})
	}
	return st
}

func (st stage) lane(id run.LaneID) (*run.Lane, *run.Attempt) {
	l := st.State.Lane(id)
	return l, &l.Attempts[len(l.Attempts)-1]
}

// after lets time go on.
func (st stage) after(d time.Duration) { st.Now = now.Add(d) }

// open opens a window that lasts for a while and may be tried at its end.
func (st stage) open(k run.WindowKey, lasts time.Duration, how run.How) *run.Window {
	st.t.Helper()
	until := st.Now.Add(lasts)
	st.Record(0, run.WindowOpened{Window: run.Window{
		WindowKey: k, Kind: run.KindUsage, OpenedAt: st.Now, Until: until, NextTry: until, How: how,
	}})
	return st.State.Window(k)
}

// permit gives the permit of a window to the attempt of a lane.
func (st stage) permit(k run.WindowKey, id run.LaneID) {
	st.t.Helper()
	_, a := st.lane(id)
	a.Permits = append(a.Permits, k)
	st.Record(id, run.PermitGranted{Key: k, Attempt: a.ID, Lapses: st.Now.Add(90 * time.Second)})
}

// served lets a model answer the attempt of a lane.
func (st stage) served(id run.LaneID) (*run.Lane, *run.Attempt) {
	st.t.Helper()
	l, a := st.lane(id)
	st.Record(id, run.AttemptServed{Attempt: a.ID, Sign: "text"})
	return l, a
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
