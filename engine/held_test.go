package engine_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/proc"
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

// What the machine lacks for a while is no fault of the agent's: it is started once it
// can be. A command that stays away is.
func TestAnAgentThatCannotBeStartedForAWhileIsStartedLater(t *testing.T) {
	for name, tc := range map[string]struct {
		err  error
		lack time.Duration
		exit int
	}{
		"processes":        {fmt.Errorf("start: %w", syscall.EAGAIN), 5 * time.Minute, 0},
		"descriptors":      {syscall.EMFILE, 5 * time.Minute, 0},
		"no answer":        {proc.ErrNoAnswer, 5 * time.Minute, 0},
		"being updated":    {proc.ErrNotFound, 30 * time.Second, 0},
		"gone":             {proc.ErrNotFound, 5 * time.Minute, 1},
		"not for starting": {errors.New("no such directory"), time.Second, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.missing = tc.err
				w.later(tc.lack, func() {
					w.mu.Lock()
					defer w.mu.Unlock()
					w.missing = nil
				})
				h := w.host(program(1, "claude"), func(a *actor) int { return succeeds(a, time.Minute) })
				w.ends(h, tc.exit)
				troubles, _ := seeings[run.Trouble](w)
				if tc.exit == 0 && (len(troubles) != 2 || !troubles[0].Start || troubles[1].Message != "") {
					t.Errorf("troubles %+v", troubles)
				}
			})
		})
	}
}

// A hard stop needs no disk: what runs is ended, what was to be started is not, and the
// run ends with what it could not save.
func TestAHardStopNeedsNoDisk(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(3, "claude")
		p.Parallel, p.Limits.StallTimeout = 1, 0
		h := w.host(p, func(a *actor) int { return succeeds(a, time.Hour) })
		w.later(30*time.Minute, func() { w.store.fill(errFull) })
		w.later(2*time.Hour, func() { go func() { _ = h.Command(run.Command{Verb: run.VerbHardStop}) }() })
		w.free = true // the rules about saving do not hold for an end
		res := h.Wait()
		if res.Exit != 130 || res.Err == nil || !strings.Contains(res.Err.Error(), "could not be saved") || w.now() > 2*time.Hour+time.Minute {
			t.Errorf("exit %d with %v at %s", res.Exit, res.Err, w.now())
		}
		if n := len(w.actors); n != 1 {
			t.Errorf("%d agents were started", n)
		}
	})
}

// An agent at work is ended by a hard stop though nothing can be saved.
func TestAHardStopEndsAgentsWithoutADisk(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.free = true
		h := w.host(patient("claude"), func(a *actor) int { return succeeds(a, 10*time.Hour) })
		w.later(30*time.Minute, func() { w.store.fill(errFull) })
		w.later(time.Hour, func() { go func() { _ = h.Command(run.Command{Verb: run.VerbHardStop}) }() })
		if res := h.Wait(); res.Exit != 130 || len(w.times("end 1")) != 1 || w.now() > time.Hour+time.Minute {
			t.Errorf("exit %d, ended at %v, over at %s", res.Exit, w.times("end 1"), w.now())
		}
	})
}

// endless is a file that takes longer to read than anybody waits.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	time.Sleep(time.Second)
	p[0] = '\n'
	return 1, nil
}

func (endless) Close() error { return nil }

// A hard stop waits a few seconds for what an agent has printed, not for all of it.
func TestAHardStopDoesNotWaitForTheReading(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.ports.Open = func(path string) (io.ReadCloser, error) {
			if strings.HasSuffix(path, "stdout.jsonl") {
				return endless{}, nil
			}
			return w.open(path)
		}
		h := w.host(patient("claude"), func(a *actor) int { return succeeds(a, time.Hour) })
		w.later(time.Minute, func() { go func() { _ = h.Command(run.Command{Verb: run.VerbHardStop}) }() })
		if w.ends(h, 130); w.now() > time.Minute+10*time.Second {
			t.Errorf("over at %s", w.now())
		}
	})
}
