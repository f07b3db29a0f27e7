//go:build unix

package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// longestPoll and shortestPoll bound the time between two looks at the limits.
	longestPoll  = 500 * time.Millisecond
	shortestPoll = 5 * time.Millisecond
	// writeBound is how long a guard tries to write the exit file.
	writeBound = time.Minute
	writeEvery = time.Second
)

const (
	guardDone   = 0
	guardFailed = 1 // nothing was started, or the end could not be written
	guardUsage  = 2 // the orders are not to be followed
)

// GuardMain is the whole of a guard: a process that starts one agent, ends it
// when it has to, and writes how it ended. It takes the process over, its signals
// and its standard files, and gives its exit status once nothing of the agent's
// tree is left. [StartGuarded] starts it, with the orders as standard input; on
// orders that it cannot follow it prints one line and gives 2.
//
// The agent's end is taken first, then what it left running is ended, then the
// exit file is written, and then the lock is released. TERM and INT end the tree,
// and QUIT ends it by force; other signals that would end a process are passed over.
func GuardMain(orders io.Reader) int {
	signals := make(chan os.Signal, 8) // more than can be of use; further ones are repeats
	signal.Notify(signals, unix.SIGTERM, unix.SIGINT, unix.SIGQUIT)
	passed := make(chan os.Signal, 1) // caught and not ignored: an agent would inherit that
	signal.Notify(passed, unix.SIGHUP, unix.SIGPIPE, unix.SIGUSR1, unix.SIGUSR2, unix.SIGALRM)
	o, err := readOrders(orders)
	if orders == os.Stdin {
		mute(0)
	}
	if err != nil {
		_, _ = os.Stdout.Write(refuse(err).line()) // nobody may be there
		return guardUsage
	}
	g, err := newGuard(o)
	if err != nil {
		_, _ = os.Stdout.Write(refuse(err).line())
		return guardFailed
	}
	_, _ = os.Stdout.Write(g.who.line())
	mute(1)
	return g.run(signals)
}

// mute gives a standard file's number to one that holds nothing.
func mute(fd int) {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	if null != fd {
		_ = unix.Dup2(null, fd)
		_ = unix.Close(null)
	}
}

// guard is an agent that was started and what ends it.
type guard struct {
	orders orders
	who    answer
	lock   *os.File
	owner  *os.File // the lock of the run; nil if its owner's death means nothing
	agent  *os.Process
	output *growth
	end    *escalation
	record exitRecord
}

// newGuard starts the agent. Nothing was started if it fails.
func newGuard(o orders) (_ *guard, err error) {
	g := &guard{orders: o}
	defer func() {
		if err != nil {
			g.close()
		}
	}()
	if g.lock, err = inheritedLock(string(o.Lock)); err != nil {
		return nil, err
	}
	if o.OnDeath == EndTree {
		if g.owner, err = openPrivate(string(o.RunLock), os.O_RDONLY); err != nil {
			return nil, fmt.Errorf("lock of the run: %w", err)
		}
	}
	g.who = answer{PID: os.Getpid(), Boot: bootID()}
	self, _ := look(g.who.PID)
	g.who.Start = self.start
	reaper := becomeReaper()
	agent, outputs, err := launch(o.spec())
	if err != nil {
		return nil, err
	}
	g.agent, g.output = agent, newGrowth(outputs, time.Now())
	e, _ := look(agent.Pid) // not reaped yet, so it can be seen even if it has ended
	g.who.Agent, g.who.AgentStart = agent.Pid, e.start
	g.end = newEscalation(e.identity(), orDefault(o.Grace))
	g.end.tree.leader.pid, g.end.tree.reaper = agent.Pid, reaper
	// Without it the agent is only harder to find for an owner that comes later.
	_, _ = g.lock.WriteAt(g.who.line(), 0)
	return g, nil
}

func (g *guard) close() {
	for _, f := range []*os.File{g.lock, g.owner} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// run leads the agent to its end and gives the guard's exit status.
func (g *guard) run(signals <-chan os.Signal) int {
	defer g.close()
	g.lead(signals)
	for until := time.Now().Add(writeBound); ; {
		err := g.record.write(string(g.orders.Exit))
		if err == nil {
			return guardDone
		}
		full := errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
		if !full || time.Now().After(until) {
			return guardFailed // whoever waits finds no exit file: lost
		}
		<-time.After(writeEvery)
	}
}

func (g *guard) lead(signals <-chan os.Signal) {
	defer g.end.stop()
	news := make(chan ending, 1)
	go func() { news <- await(g.agent) }() // ends with the agent; lead waits for it
	died := make(chan struct{})
	if g.owner != nil {
		go mourn(g.owner, g.orders.OwnerWait, died) // ends with the process
	}
	children := make(chan os.Signal, 1)
	signal.Notify(children, unix.SIGCHLD)
	defer signal.Stop(children)
	orphans := false // some child has ended since the last look
	poll := time.NewTicker(g.pollEvery())
	defer poll.Stop()
	var last ending
	for !g.end.over() {
		select {
		case s := <-signals:
			sig := unix.SIGTERM
			if s == unix.SIGQUIT {
				sig = unix.SIGKILL
			}
			g.begin(CauseStop, sig)
		case <-died:
			died = nil
			g.begin(CauseOwnerDied, unix.SIGTERM)
		case <-children:
			orphans = true
		case <-poll.C:
			if orphans {
				orphans = false
				reap(g.agent.Pid)
			}
			if cause := g.exceeded(time.Now()); cause != "" {
				g.begin(cause, unix.SIGTERM)
			}
		case <-g.end.timer.C:
			g.end.step()
		case last = <-news:
			g.record.Time = time.Now().UTC()
			g.end.leaderEnded(last)
		}
	}
	exit := exitOf(last.reap(g.agent))
	g.record.Code, g.record.Signal, g.record.Left = exit.Code, exit.Signal, g.end.left
}

func (g *guard) pollEvery() time.Duration {
	if g.orders.Stall > 0 {
		return min(longestPoll, max(shortestPoll, g.orders.Stall/4))
	}
	return longestPoll
}

// begin ends the tree. The first cause counts, and only while the agent lives.
func (g *guard) begin(cause string, sig syscall.Signal) {
	if g.record.Cause == "" && !g.end.ended {
		g.record.Cause = cause
	}
	g.end.begin(sig)
}

// exceeded names the limit that the agent has gone beyond; empty if none.
func (g *guard) exceeded(now time.Time) string {
	added, silent := g.output.look(now)
	o := g.orders
	switch {
	case !o.Deadline.IsZero() && !now.Round(0).Before(o.Deadline): // by the wall's clock
		return CauseDeadline
	case o.MaxOutput > 0 && added > o.MaxOutput:
		return CauseOutput
	case o.Stall > 0 && silent >= o.Stall:
		return CauseStall
	}
	return ""
}

// mourn waits until the lock of a run has been free for the whole of wait, and
// closes died. It holds the lock only for the moment that it takes to notice. A lock
// that was removed and made again is watched in its new place.
func mourn(owner *os.File, wait time.Duration, died chan<- struct{}) {
	for {
		if flock(owner, unix.LOCK_SH) != nil || flock(owner, unix.LOCK_UN) != nil {
			return // cannot be known, so nobody is ended for it
		}
		poll := time.NewTicker(min(time.Second, max(shortestPoll, wait/10)))
		end := time.After(wait)
		for free, over := true, false; free; {
			select {
			case <-poll.C:
			case <-end:
				over = true
			}
			free = flock(owner, unix.LOCK_SH|unix.LOCK_NB) == nil
			_ = flock(owner, unix.LOCK_UN)
			if !free || !over {
				continue
			}
			if again := madeAgain(owner); again != nil {
				owner = again
				break
			}
			close(died)
			return
		}
		poll.Stop()
	}
}

// madeAgain opens the file that has taken the place of another; nil if none has.
func madeAgain(f *os.File) *os.File {
	old, err := f.Stat()
	if err != nil {
		return nil
	}
	now, err := os.Lstat(f.Name())
	if err != nil || os.SameFile(old, now) {
		return nil
	}
	again, err := openPrivate(f.Name(), os.O_RDONLY)
	if err != nil {
		return nil
	}
	return again
}
