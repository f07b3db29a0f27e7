//go:build unix

package proc

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Guarded is an agent under a guard, and whatever it starts. Its methods may be
// called from any goroutine. [StartGuarded] and [Adopt] make one; the zero value
// is of no use.
type Guarded struct {
	who   atomic.Pointer[answer] // nil while it is not known
	lock  *os.File               // of an adopted one, to learn who it is; else nil
	exit  string                 // path
	grace time.Duration
	done  chan struct{}
	// Set before done is closed:
	record exitRecord
	lost   bool
}

// PID is the number of the agent, of its process group and of its session; zero
// if it is not known any more.
func (g *Guarded) PID() int { return g.known().Agent }

// StartTime is when the kernel started the agent, in the words of [StartTime].
func (g *Guarded) StartTime() string { return g.known().AgentStart }

// GuardPID is the number of the guard; zero if it is not known any more.
func (g *Guarded) GuardPID() int { return g.known().PID }

// Done is closed when Wait would return.
func (g *Guarded) Done() <-chan struct{} { return g.done }

// Wait blocks until the guard is gone, which is after the agent and all of its
// tree. What the guard has not told is lost; then whatever can still be found of
// the tree is ended first.
func (g *Guarded) Wait() Exit {
	<-g.done
	if g.lost {
		return Exit{Code: -1, Lost: true}
	}
	return Exit{Code: g.record.Code, Signal: g.record.Signal}
}

// Cause is why the guard ended the agent, one of the Cause constants; empty if
// the agent ended by itself or the end is lost. It blocks like Wait.
func (g *Guarded) Cause() string {
	<-g.done
	return g.record.Cause
}

// EndedAt is when the agent itself ended; zero if that is lost. It blocks like Wait.
func (g *Guarded) EndedAt() time.Time {
	<-g.done
	return g.record.Time
}

// Left is how many processes of the tree outlived KILL, because the kernel holds
// them or forbids the guard to signal them. It blocks like Wait.
func (g *Guarded) Left() int {
	<-g.done
	return g.record.Left
}

// End asks the guard to end the agent and everything under it, by force what is
// left after the grace. It returns at once and may be called again.
func (g *Guarded) End() { g.tell(unix.SIGTERM) }

// Kill asks the guard to end the agent and everything under it by force. It
// returns at once.
func (g *Guarded) Kill() { g.tell(unix.SIGQUIT) }

func (g *Guarded) tell(sig syscall.Signal) {
	guard := g.known().guard()
	deliver(guard, sig)
	deliver(guard, unix.SIGCONT) // one that was stopped cannot obey
}

// known tells who the guard and its agent are. An adopted guard may have had no
// time to write that down yet.
func (g *Guarded) known() answer {
	if who := g.who.Load(); who != nil {
		return *who
	}
	if g.lock == nil {
		return answer{}
	}
	who := recorded(g.lock)
	if who.PID > 0 {
		g.who.Store(&who)
	}
	return who
}

// settle learns the end of an agent whose guard is gone.
func (g *Guarded) settle() {
	defer close(g.done)
	defer func() {
		if recover() != nil { // nothing can be said of its end
			g.record, g.lost = exitRecord{}, true
		}
	}()
	var err error
	if g.record, err = readExit(g.exit); err != nil {
		g.record, g.lost = exitRecord{Left: sweep(g.known().agent(), g.grace)}, true
	}
}
