package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"example.com/layover/engine/plan"
	"example.com/layover/engine/run"
)

// Launch is the program to host and what makes its run what it is.
type Launch struct {
	ID      string
	Program run.Program
	Seed    uint64
	// Epoch and Speed describe the clock; real time has speed 1.
	Epoch   time.Time
	Speed   float64
	Missing []string
}

// Result is how a hosted run ended.
type Result struct {
	// Exit is the exit status of design.md §8.
	Exit int
	// Left is set if the host was left while the run went on.
	Left bool
	// State is the final state; it changes no more.
	State *run.State
	// Err is what went wrong with hosting itself; nil if nothing did.
	Err error
}

// ErrLeft is the cause to cancel a host's context with if its agents are to go on
// without it.
var ErrLeft = errors.New("left by the operator")

// Host runs one program. [Start] makes it.
type Host struct {
	launch Launch
	ports  Ports
	ctx    context.Context
	cancel context.CancelCauseFunc
	inbox  chan run.Happening
	done   chan struct{}
	result Result
	group  sync.WaitGroup

	// Only the owner goroutine touches these.
	state   run.State
	agents  map[run.AttemptID]*attempt
	busy    int // agents and questions under way
	pending []run.Effect
	trouble string
	ticks   ticks
	saved   time.Time
	over    bool
}

// Start hosts a program and returns at once. When ctx ends the host lets go: the
// agents that run go on.
func Start(ctx context.Context, l Launch, p Ports) *Host {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	h := &Host{
		launch: l, ports: p, inbox: make(chan run.Happening), done: make(chan struct{}),
		agents: map[run.AttemptID]*attempt{}, ticks: ticks{},
	}
	h.ctx, h.cancel = context.WithCancelCause(ctx)
	go h.own()
	return h
}

// Command asks the run for something. It blocks until the owner has taken it, and
// does nothing once the run has ended.
func (h *Host) Command(c run.Command) { h.send(c) }

// Leave lets go of the run: nothing is decided any more, the agents go on.
func (h *Host) Leave() { h.cancel(ErrLeft) }

// Wait blocks until the run has ended or was left, and every goroutine of the
// host is gone.
func (h *Host) Wait() Result {
	<-h.done
	return h.result
}

// Done is closed when Wait would return.
func (h *Host) Done() <-chan struct{} { return h.done }

// send hands a happening to the owner.
func (h *Host) send(x run.Happening) bool {
	select {
	case h.inbox <- x:
		return true
	case <-h.ctx.Done():
		return false
	}
}

// guard runs a goroutine of the host; a panic in it ends the host, not the
// terminal.
func (h *Host) guard(name string, f func()) {
	h.group.Go(func() {
		defer h.rescue(name)
		f()
	})
}

func (h *Host) rescue(name string) {
	if r := recover(); r != nil {
		h.ports.Log.Error("panic", "in", name, "value", r)
		h.cancel(fmt.Errorf("%s panicked: %v", name, r))
	}
}

// own is the owner goroutine.
func (h *Host) own() {
	defer close(h.done)
	defer func() {
		h.cancel(nil)
		h.group.Wait()
		h.result.State = &h.state
	}()
	defer h.rescue("the owner")
	h.step(run.Begin{
		RunID: h.launch.ID, Program: h.launch.Program, Seed: h.launch.Seed,
		Epoch: h.launch.Epoch, Speed: h.launch.Speed, Missing: h.launch.Missing,
	})
	for !h.over {
		if err := h.await(); err != nil {
			h.let(err)
			return
		}
	}
	h.result.Exit = h.state.Exit
}

// let records that the host was left before the run ended.
func (h *Host) let(cause error) {
	h.result.Left = true
	if !errors.Is(cause, ErrLeft) && !errors.Is(cause, context.Canceled) {
		h.result.Err = cause
	}
	if err := h.ports.Store.Export(&h.state, time.Now(), true); err != nil {
		h.ports.Log.Error("export", "error", err)
	}
}

// await takes the next happening, or what is due, whichever comes first.
func (h *Host) await() error {
	now := h.ports.Clock.Now()
	next := h.wake(now)
	if h.busy == 0 && !next.IsZero() && h.ports.Clock.Jump(next) {
		select {
		case x := <-h.inbox:
			h.step(x)
		case <-h.ctx.Done():
			return context.Cause(h.ctx)
		default:
			h.tick()
		}
		return nil
	}
	timer, stop := h.ports.Clock.After(next)
	defer stop()
	select {
	case x := <-h.inbox:
		h.step(x)
	case <-timer:
		h.tick()
	case <-h.ctx.Done():
		return context.Cause(h.ctx)
	}
	return nil
}

// second is how often the owner looks around at least.
const second = time.Second

// wake is when the owner looks around next: when something is due, at the end of
// a chunk of a park, or after a second if anything goes on that a clock runs for.
func (h *Host) wake(now time.Time) time.Time {
	next := now.Add(second)
	if h.launch.Speed == 0 {
		next = now.Add(24 * time.Hour)
	}
	if due := h.state.NextDue(now); !due.IsZero() && due.Before(next) {
		next = due
	}
	if at := h.ticks.next(&h.state); !at.IsZero() && at.Before(next) {
		next = at
	}
	if next.Before(now) {
		return now
	}
	return next
}

// tick looks around: at the clock, at silent agents, at what is due.
func (h *Host) tick() {
	if s, ok := h.ports.Clock.(Stepper); ok {
		if by := s.Stepped(); by != 0 {
			h.step(run.Stepped{By: by})
		}
	}
	now := h.ports.Clock.Now()
	for _, a := range h.agents {
		if a.runaway(now, h.state.Program.Limits) {
			h.step(run.RanAway{Lane: a.lane, Attempt: a.id})
		}
	}
	for _, o := range h.ticks.due(&h.state, now) {
		h.ports.Observe(o)
	}
	h.step(run.Tick{})
}

// step decides about one happening and carries out what was decided.
func (h *Host) step(x run.Happening) {
	if h.over {
		return
	}
	if end, ok := x.(run.Ended); ok {
		delete(h.agents, end.Attempt)
		h.busy--
	}
	if _, ok := x.(run.UntilAnswered); ok {
		h.busy--
	}
	facts, effects := plan.Decide(&h.state, x, h.ports.Clock.Now())
	if h.save(facts) {
		effects, h.pending = append(h.pending, effects...), nil
		for _, e := range effects {
			h.carry(e)
		}
		return
	}
	h.pending = append(h.pending, effects...)
}

// save writes facts down before anybody acts on them. While that fails nothing
// new is started; what runs is left alone.
func (h *Host) save(facts []run.Fact) bool {
	if len(facts) == 0 && h.trouble == "" {
		return true
	}
	err := h.ports.Store.Append(facts)
	h.share(facts)
	if len(facts) > 0 {
		h.ports.Facts(facts)
	}
	if wall := time.Now(); err == nil && (wall.Sub(h.saved) >= second || h.state.Phase == run.PhaseEnded) {
		h.saved = wall
		err = h.ports.Store.Export(&h.state, wall, h.state.Phase == run.PhaseEnded)
	}
	h.tell(err)
	return err == nil
}

// tell shows that saving fails, once, and that it works again.
func (h *Host) tell(err error) {
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said == h.trouble {
		return
	}
	h.trouble = said
	h.ports.Observe(run.Observation{At: h.ports.Clock.Now(), Body: run.Trouble{Message: said}})
	h.ports.Log.Error("save", "error", said)
}

// share tells the ledger of windows that changed here.
func (h *Host) share(facts []run.Fact) {
	for _, f := range facts {
		switch b := f.Body.(type) {
		case run.WindowOpened:
			h.ports.Ledger.Merge(b.Window, false)
		case run.WindowExtended:
			h.ports.Ledger.Merge(b.Window, false)
		case run.WindowCleared:
			h.ports.Ledger.Merge(run.Window{WindowKey: b.Key}, true)
		}
	}
}
