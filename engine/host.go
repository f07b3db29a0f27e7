package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
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
	// State is that of a run to be taken up, which the host owns from then on; nil
	// starts a new one. The program, the seed and the clock are then its own.
	State *run.State
	// Notice is something that the operator should read; empty for nothing.
	Notice string
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

// errOver is the cause of the end of a host whose run has ended.
var errOver = errors.New("the run has ended")

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
	state     *run.State
	strays    strays // agents of earlier owners that no fact tells of
	agents    map[run.AttemptID]*attempt
	busy      int          // agents and questions under way
	pending   []run.Effect // what is still to be carried out, the oldest first
	carrying  bool         // pending is being worked through
	unsaved   []run.Fact   // what the store could not save yet
	read      *reading     // what was read last for a handoff that a summary delays
	held      []held       // agents that the disk keeps from being started or taken up
	export    export
	heldSince map[run.AttemptID]time.Time
	trouble   string
	deaf      string // why wishes cannot be taken, as it was told
	ticks     ticks
	logins    map[string]login // of families whose login has failed
	looked    time.Time        // when the owner last looked around
	hard      bool             // a hard stop was asked for, be it after the end
	over      bool
}

// Start hosts a program and returns at once. When ctx ends the host lets go: the
// agents that run go on.
func Start(ctx context.Context, l Launch, p Ports) *Host {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	h := &Host{
		launch: l, ports: p, inbox: make(chan run.Happening), done: make(chan struct{}),
		agents: map[run.AttemptID]*attempt{}, logins: map[string]login{}, heldSince: map[run.AttemptID]time.Time{}, state: l.State,
	}
	if s := l.State; s != nil {
		h.launch.Program, h.launch.Seed, h.launch.Epoch, h.launch.Speed = s.Program, s.Seed, s.Epoch, s.Speed
	} else {
		h.state = &run.State{}
	}
	h.ctx, h.cancel = context.WithCancelCause(ctx)
	go h.own()
	return h
}

// ErrNotHosted is the error of a command that nobody obeys any more.
var ErrNotHosted = errors.New("the run has ended, or was left")

// Command asks the run for something. It blocks until the owner has taken it. It fails
// with [ErrNotHosted] once there is none.
func (h *Host) Command(c run.Command) error {
	if !h.send(c) {
		return ErrNotHosted
	}
	return nil
}

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
		h.ports.Log.Error("panic", "in", name, "value", r, "stack", string(debug.Stack()))
		h.cancel(fmt.Errorf("%s panicked: %v", name, r))
	}
}

// own is the owner goroutine.
func (h *Host) own() {
	defer close(h.done)
	h.drive()
	if h.over {
		h.endStrays()
		h.result.Exit, h.result.Err = h.state.Exit, h.lacks()
	} else {
		h.let(context.Cause(h.ctx))
	}
	h.cancel(errOver)
	h.group.Wait()
	h.result.State = h.state
}

// drive takes one happening after the other until the run has ended or the host
// was left.
func (h *Host) drive() {
	defer h.rescue("the owner")
	h.looked = h.ports.Clock.Now()
	if h.launch.State == nil {
		h.step(run.Begin{
			RunID: h.launch.ID, Program: h.launch.Program, Seed: h.launch.Seed,
			Epoch: h.launch.Epoch, Speed: h.launch.Speed, Missing: h.launch.Missing, Seen: h.ports.Ledger.Poll(),
		})
	} else {
		h.resume()
	}
	if h.launch.Notice != "" {
		h.step(run.Noted{Message: h.launch.Notice})
	}
	for !h.over && h.await() {
	}
}

// let records that the host was left before the run ended.
func (h *Host) let(cause error) {
	defer h.rescue("the last export")
	h.result.Left = true
	if !errors.Is(cause, ErrLeft) && !errors.Is(cause, context.Canceled) {
		h.result.Err = cause
	} else {
		h.step(run.Leaving{})
	}
	h.result.Err = errors.Join(h.result.Err, h.lacks())
	_ = h.forget()
	if err := h.ports.Store.Export(h.state, time.Now(), true); err != nil {
		h.ports.Log.Error("export", "error", err)
	}
}

// await takes the next happening, or looks around when it is time to, whichever
// comes first. It reports false once the host was left.
func (h *Host) await() bool {
	clock, next := h.ports.Clock, h.wake(h.ports.Clock.Now())
	switch {
	case len(h.unsaved)+len(h.held) > 0: // a disk gets room by the machine's own time
		clock, next = &Real{}, time.Now().Add(second)
	case h.busy == 0 && clock.Jump(next):
		select {
		case x := <-h.inbox:
			h.take(x)
		case <-h.ctx.Done():
			return false
		default:
			h.tick()
		}
		return true
	}
	timer, stop := clock.After(next)
	defer stop()
	select {
	case x := <-h.inbox:
		h.take(x)
	case <-timer:
		h.tick()
	case <-h.ctx.Done():
		return false
	}
	return true
}

// second is how often the owner looks around at least.
const second = time.Second

// wake is when the owner looks around next: when something is due, at the end of
// a chunk of a park, or a second after it last did if anything goes on that a
// clock runs for.
func (h *Host) wake(now time.Time) time.Time {
	every := second
	if h.launch.Speed == 0 {
		every = 24 * time.Hour
	}
	next := h.looked.Add(every)
	if at := now.Add(every); at.Before(next) { // the clock was set back
		next = at
	}
	if due := h.state.NextDue(now); !due.IsZero() && due.Before(next) {
		next = due
	}
	if at := h.ticks.next(h.state, h.shown()); !at.IsZero() && at.Before(next) {
		next = at
	}
	if next.Before(now) {
		return now
	}
	return next
}

// tick looks around: at the clock, at silent agents, at what is due. While facts
// cannot be saved it only tries that again, and obeys.
func (h *Host) tick() {
	h.notice()
	now := h.ports.Clock.Now()
	h.looked = now
	if len(h.unsaved) > 0 {
		h.save(nil)
		h.carryOut()
	}
	h.obey()
	if len(h.unsaved) > 0 {
		return
	}
	h.retryHeld()
	h.poll()
	for _, o := range h.ticks.due(h.state, h.shown(), now) {
		h.ports.Observe(o)
	}
	for _, id := range slices.Sorted(maps.Keys(h.agents)) {
		if a := h.agents[id]; a != nil && h.launch.Speed != 0 && a.runaway(now, h.state.Program.Limits) {
			h.step(run.RanAway{Lane: a.lane, Attempt: a.id})
		}
	}
	h.spend()
	h.mended(now)
	h.tellStrays()
	h.step(run.Tick{})
}

// take takes a happening from outside. A clock that was set since is noticed first:
// nothing is decided by an instant that nobody waited for.
func (h *Host) take(x run.Happening) {
	h.notice()
	if _, ended := x.(run.Ended); ended {
		h.catchUp()
	}
	h.step(x)
}

// catchUp lets a clock that agents move reach where one has left it, by way of
// everything that is due before.
func (h *Host) catchUp() {
	m, ok := h.ports.Clock.(Mover)
	if !ok {
		return
	}
	for looked := (time.Time{}); !h.over; {
		next, ahead := h.wake(h.ports.Clock.Now()), m.Ahead()
		if !next.Before(ahead) || next.Equal(looked) {
			h.ports.Clock.Jump(ahead)
			return
		}
		h.ports.Clock.Jump(next)
		if looked = next; len(h.unsaved) > 0 {
			return
		}
		h.tick()
	}
}

// notice takes a step of the clock: it is neither silence of an agent nor waiting.
func (h *Host) notice() {
	s, ok := h.ports.Clock.(Stepper)
	if !ok {
		return
	}
	by := s.Stepped()
	if by == 0 {
		return
	}
	now := h.ports.Clock.Now()
	for _, a := range h.agents {
		a.stepped(by, now)
	}
	h.ticks = ticks{}
	h.step(run.Stepped{By: by})
}

// step decides about one happening, saves what was decided, and carries it out.
func (h *Host) step(x run.Happening) {
	if h.over {
		return
	}
	switch x := x.(type) {
	case run.Ended:
		delete(h.agents, x.Attempt)
		h.busy--
	case run.UntilAnswered:
		h.busy--
	case run.Command:
		h.hard = h.hard || x.Verb == run.VerbHardStop && x.Lane == 0
	}
	facts, effects := plan.Decide(h.state, x, h.ports.Clock.Now())
	h.debug(x, facts, effects)
	h.loggedOut(facts)
	for _, e := range effects {
		if ask, ok := e.(run.AskPermit); !ok || !ask.In(h.pending) {
			h.pending = append(h.pending, e)
		}
	}
	h.save(facts)
	h.carryOut()
}
