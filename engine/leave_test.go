package engine_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

func TestLeaveLetsAgentsGoOn(t *testing.T) {
	for name, leave := range map[string]func(h *engine.Host, cancel func()){
		"left":      func(h *engine.Host, _ func()) { h.Leave() },
		"cancelled": func(_ *engine.Host, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				p := program(3, "claude")
				w.script = func(a *actor) int {
					if a.n == 3 {
						return hitsLimit(a, w.start.Add(5*time.Hour))
					}
					return succeeds(a, 24*time.Hour)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				h := engine.Start(ctx, engine.Launch{ID: "test", Program: p, Speed: 1}, w.ports)
				w.later(time.Minute, func() { leave(h, cancel) })
				res := h.Wait()
				if !res.Left || res.Err != nil || w.now() != time.Minute {
					t.Fatalf("left %v with %v at %s", res.Left, res.Err, w.now())
				}
				w.replays(res)
				if w.follows != 0 {
					t.Errorf("%d files are still followed", w.follows)
				}
				synctest.Wait()
				for _, a := range w.actors[:2] {
					select {
					case <-a.done:
						t.Errorf("agent %d has ended", a.n)
					case <-a.ended:
						t.Errorf("agent %d was asked to end", a.n)
					default:
					}
				}
				if w.store.exported() != res.State.Seq {
					t.Errorf("exported up to %d of %d", w.store.exported(), res.State.Seq)
				}
				h.Command(run.Command{Verb: run.VerbHardStop}) // does nothing, and returns
				h.Leave()
			})
		})
	}
}

// panics is a follower that panics.
type panics struct{}

func (panics) Follow(context.Context, string, interface {
	Bytes(p []byte)
	Restart()
},
) error {
	panic("boom")
}

// A panic in any port ends the host, not the terminal, and says where it was.
func TestPanicsAreRescued(t *testing.T) {
	for name, tc := range map[string]struct {
		breaks func(p *engine.Ports)
		names  string
	}{
		"follower": {func(p *engine.Ports) { p.Follower = panics{} }, "a follower panicked: boom"},
		"start":    {func(p *engine.Ports) { p.Start = func(proc.GuardSpec) (engine.Process, error) { panic("boom") } }, "the owner panicked: boom"},
		"facts":    {func(p *engine.Ports) { p.Facts = func([]run.Fact) { panic("boom") } }, "the owner panicked: boom"},
		"observe":  {func(p *engine.Ports) { p.Observe = func(run.Observation) { panic("boom") } }, "a follower panicked: boom"},
		"redact":   {func(p *engine.Ports) { p.Redact = func(string) string { panic("boom") } }, "the owner panicked: boom"},
		"ledger":   {func(p *engine.Ports) { p.Ledger = nil }, "the owner panicked: runtime error"},
		"open":     {func(p *engine.Ports) { p.Open = func(string) (io.ReadCloser, error) { panic("boom") } }, "an agent's watch panicked: boom"},
		"store":    {func(p *engine.Ports) { p.Store = nil }, "the owner panicked: runtime error"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				tc.breaks(&w.ports)
				h := w.host(program(2, "claude"), func(a *actor) int {
					if a.n == 1 {
						a.say(text("msg_1"))
						return hitsLimit(a, w.start.Add(time.Hour))
					}
					return succeeds(a, 24*time.Hour)
				})
				res := h.Wait()
				if res.Err == nil || !strings.HasPrefix(res.Err.Error(), tc.names) || !res.Left || res.State == nil {
					t.Errorf("left %v with %v, want %s", res.Left, res.Err, tc.names)
				}
				if w.follows != 0 {
					t.Errorf("%d files are still followed", w.follows)
				}
			})
		})
	}
}

// An owner that panics while it shows a park says so, too.
func TestPanicOfAnObserverOfParks(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.ports.Observe = func(o run.Observation) {
			if o.Body.Name() == "park_tick" {
				panic("boom")
			}
		}
		h := w.host(program(1, "claude"), func(a *actor) int { return hitsLimit(a, w.start.Add(time.Hour)) })
		if res := h.Wait(); res.Err == nil || res.Err.Error() != "the owner panicked: boom" || w.now() != 32*time.Second {
			t.Errorf("%v at %s", res.Err, w.now())
		}
	})
}
