//go:build unix

package proc

import (
	"os"
	"syscall"
)

// Exit is how an agent ended. It has the fields of run.Exit and converts to it.
type Exit struct {
	// Code is the exit status; -1 if a signal ended the agent or it is not known.
	Code int
	// Signal names the signal that ended it, such as "killed"; empty if none did.
	Signal string
	// Lost is set when the end could not be learned, so Code means nothing.
	Lost bool
}

// ending is the news that the leader of a tree has ended.
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
