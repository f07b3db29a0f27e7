//go:build unix

package proc

import (
	"os"
	"syscall"
	"time"
)

// Exit is how a process ended. It has the fields of run.Exit and converts to it.
type Exit struct {
	// Code is the exit status; -1 if a signal ended the process or it is not known.
	Code int
	// Signal names the signal that ended it, such as "killed"; empty if none did.
	Signal string
	// Lost is set when the end could not be learned, so Code means nothing.
	Lost bool
}

// Process is a started process and whatever it starts. Its methods may be called
// from any goroutine. Only [Start] makes one; the zero value is of no use.
type Process struct {
	id         identity
	grace      time.Duration
	leader     *os.Process
	term, kill chan struct{} // capacity 1: an order is given once
	done       chan struct{}
	exit       Exit // set before done is closed, as is left
	left       int
}

// PID is the number of the process, of its process group and of its session.
func (p *Process) PID() int { return p.id.pid }

// StartTime is when the kernel started the process, in the kernel's own words:
// clock ticks since boot on Linux. Together with PID it names the process, also
// after the number was given to another one. It is empty if it could not be read.
func (p *Process) StartTime() string { return p.id.start }

// End asks the process and everything under it to end, and ends by force what is
// left after the grace. It returns at once, and does nothing when called again.
func (p *Process) End() { order(p.term) }

// Kill ends the process and everything under it by force. It returns at once.
func (p *Process) Kill() { order(p.kill) }

func order(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // already given
	}
}

// Done is closed when Wait would return.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait blocks until the process has ended and been reaped, and nothing known of
// its tree is left. What the process leaves running when it ends by itself is
// ended as by End, so Wait may take the grace longer than the process.
func (p *Process) Wait() Exit {
	<-p.done
	return p.exit
}

// Left is how many processes of the tree outlived KILL, because the kernel holds
// them or forbids us to signal them. It blocks like Wait.
func (p *Process) Left() int {
	<-p.done
	return p.left
}

// Alive reports whether the process with this number and start time runs. Without
// a start time any process of that number counts. One that has ended but was not
// reaped by its parent is not alive.
func Alive(pid int, startTime string) bool {
	e, ok := look(pid)
	return ok && !e.zombie && (startTime == "" || e.start == startTime)
}

// StartTime is when the kernel started a process of any owner, in the words of
// [Process.StartTime]; empty if there is none of that number or it cannot be read.
func StartTime(pid int) string {
	e, _ := look(pid)
	return e.start
}

// own takes over a process that was just started.
func own(leader *os.Process, grace time.Duration) *Process {
	if grace <= 0 {
		grace = DefaultGrace
	}
	e, _ := look(leader.Pid) // not reaped yet, so it can be seen even if it has ended
	p := &Process{
		id:    identity{pid: leader.Pid, start: e.start},
		grace: grace, leader: leader,
		term: make(chan struct{}, 1), kill: make(chan struct{}, 1),
		done: make(chan struct{}),
	}
	go p.lead()
	return p
}

// ending is the news that the leader has ended.
type ending struct {
	reaped bool // no longer ours to signal by number
	state  *os.ProcessState
}

// await returns when our child has ended. The child stays unreaped, which keeps
// its number from being given away, unless the system cannot tell one without
// the other.
func await(leader *os.Process) ending {
	if awaitEnd(leader.Pid) == nil {
		return ending{}
	}
	state, _ := leader.Wait() // nil state: lost
	return ending{reaped: true, state: state}
}

// lead owns the process until it is reaped and its tree is gone.
func (p *Process) lead() {
	defer close(p.done)
	news := make(chan ending, 1)
	go func() { news <- await(p.leader) }() // ends with the process; lead waits for it

	e := newEscalation(p.id, p.grace)
	defer e.stop()
	for !e.over() {
		select {
		case <-p.term:
			e.begin(syscall.SIGTERM)
		case <-p.kill:
			e.begin(syscall.SIGKILL)
		case <-e.timer.C:
			e.step()
		case end := <-news:
			e.leaderEnded(end)
		}
	}
	p.left, p.exit = e.left, exitOf(e.end.reap(p.leader))
}

// reap gives the state of the leader and its number back; nil if it is lost.
func (e ending) reap(leader *os.Process) *os.ProcessState {
	if e.reaped {
		return e.state
	}
	state, _ := leader.Wait()
	return state
}

func exitOf(state *os.ProcessState) Exit {
	if state == nil {
		return Exit{Code: -1, Lost: true}
	}
	exit := Exit{Code: state.ExitCode()}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		exit.Signal = ws.Signal().String()
	}
	return exit
}
