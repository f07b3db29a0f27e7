package engine_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// A disk that has no room for an agent's directory is not the agent's fault: the
// agent is started once there is room.
func TestAnAgentThatTheDiskKeepsBackIsStartedLater(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.store.fillWorkers(errFull)
		w.later(time.Hour, func() { w.store.fillWorkers(nil) })
		h := w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, time.Minute) })
		res := w.ends(h, 0)
		troubles, _ := seeings[run.Trouble](w)
		if diff := cmp.Diff([]run.Trouble{{Message: errFull.Error()}, {}}, troubles); diff != "" {
			t.Errorf("troubles (-want +got):\n%s", diff)
		}
		if at := w.times("start 1"); len(at) != 1 || at[0] < time.Hour || at[0] > time.Hour+2*time.Second || res.State.Counts.Done != 1 {
			t.Errorf("started at %v, counts %+v", at, res.State.Counts)
		}
	})
}

// A hard stop ends what has not been started yet.
func TestAHardStopEndsAnAgentThatTheDiskKeepsBack(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.store.fillWorkers(errors.Join(errFull))
		h := w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, time.Minute) })
		w.later(time.Minute, func() { h.Command(run.Command{Verb: run.VerbHardStop}) })
		if res := w.ends(h, 130); res.State.Counts.Stopped != 1 || len(w.times("start 1")) != 0 {
			t.Errorf("counts %+v", res.State.Counts)
		}
	})
}
