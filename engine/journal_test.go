package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// A run on a real disk: what is on it gives the final state, field by field.
func TestRunOnARealJournal(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		j, err := journal.Create(t.TempDir(), "20000101_000000_0badcafe")
		if err != nil {
			t.Fatal(err)
		}
		w.ports.Store = both{w.store, j}
		h := w.host(program(2, "claude"), func(a *actor) int {
			if a.n <= 2 {
				return hitsLimit(a, w.start.Add(5*time.Hour))
			}
			return succeeds(a, 20*time.Minute)
		})
		w.later(time.Hour, func() { go h.Command(run.Command{Verb: run.VerbWake, Lane: 1, From: "key"}) })
		w.later(70*time.Minute, func() {
			go h.Command(run.Command{Verb: run.VerbHardStop, From: "key"})
		})
		res := w.ends(h, 130)
		replayed, report, err := journal.Replay(j.Dir())
		if err != nil || report.Torn != 0 || report.Unknown != 0 {
			t.Fatalf("%v, %+v", err, report)
		}
		if diff := cmp.Diff(res.State, replayed, cmpopts.IgnoreUnexported(run.State{}, run.Lane{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the journal does not give the state (-live +replayed):\n%s", diff)
		}
		for _, a := range res.State.Lane(1).Attempts {
			if b, err := os.ReadFile(filepath.Join(j.Dir(), "workers", a.Worker, "prompt.md")); err != nil || string(b) != w.actors[a.ID-1].task() {
				t.Errorf("the prompt of attempt %d: %q, %v", a.ID, b, err)
			}
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// both saves into a real journal what the store of a world saves.
type both struct {
	*store
	real *journal.Journal
}

func (b both) Append(facts []run.Fact) error {
	if err := b.real.Append(facts); err != nil {
		return err
	}
	return b.store.Append(facts)
}

func (b both) Export(s *run.State, now time.Time, force bool) error {
	if err := b.real.Export(s, now, force); err != nil {
		return err
	}
	return b.store.Export(s, now, force)
}

func (b both) Worker(label, hex string) (journal.Worker, error) { return b.real.Worker(label, hex) }

// The until command ends the program once it succeeds.
func TestUntilEndsTheIterations(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		asked := 0
		w.until = func() (int, error) {
			if asked++; asked == 3 {
				return 0, nil
			}
			return 1, nil
		}
		p := program(1, "claude")
		p.Iterations, p.Until = 5, []string{untilCommand}
		res := w.ends(w.host(p, func(a *actor) int { return succeeds(a, time.Minute) }), 0)
		got, _ := bodies[run.UntilChecked](w)
		want := []run.UntilChecked{{Iteration: 1}, {Iteration: 2}, {Iteration: 3, Done: true}}
		if diff := cmp.Diff(want, got); diff != "" || res.State.Counts.Done != 3 {
			t.Errorf("%d done, asked (-want +got):\n%s", res.State.Counts.Done, diff)
		}
	})
}

// A command that is not there is told, and does not end the iterations.
func TestUntilThatCannotBeAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.until = func() (int, error) { return 0, proc.ErrNotFound }
		p := program(1, "claude")
		p.Iterations, p.Until = 2, []string{untilCommand}
		w.ends(w.host(p, func(a *actor) int { return succeeds(a, time.Minute) }), 0)
		asked, _ := bodies[run.UntilChecked](w)
		if len(asked) != 2 || asked[0].Done || asked[0].Error == "" {
			t.Errorf("asked %+v", asked)
		}
	})
}
