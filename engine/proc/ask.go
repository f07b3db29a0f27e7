//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

const (
	// askGrace is how long a command that gave no answer in time may take to end.
	askGrace = 200 * time.Millisecond
	// maxReply bounds what is read of an answer, in bytes.
	maxReply = 8 << 10
)

// Reply is the answer of a command.
type Reply struct {
	// Output is the beginning of what it printed, errors included.
	Output []byte
	Exit   Exit
	// Cut is set if it printed more, and was told by a closed pipe.
	Cut bool
	// Late is set if it had not ended in time, so that it was ended.
	Late bool
}

// Ask runs a command that answers at once, such as one that is asked for its version, and
// waits until it has ended or ctx has; then it is ended, with everything that it has
// started. It reads nothing, has a session of its own, and runs without a guard: nobody
// would miss its answer. A command that prints without end is cut off. Of s the command,
// its directory and its environment count. The error says why it could not be started.
func Ask(ctx context.Context, s Spec) (Reply, error) {
	if err := checkDir(s.Dir); err != nil {
		return Reply{}, err
	}
	path, err := s.command()
	if err != nil {
		return Reply{}, err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return Reply{}, err
	}
	defer func() { _ = null.Close() }()
	out, theirs, err := os.Pipe()
	if err != nil {
		return Reply{}, err
	}
	leader, err := os.StartProcess(path, s.Argv, &os.ProcAttr{
		Dir: s.Dir, Env: s.environment(), Files: []*os.File{null, theirs, theirs},
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
	_ = theirs.Close() // the child has its own
	if err != nil {
		_ = out.Close()
		return Reply{}, fmt.Errorf("start %s: %w", path, err)
	}
	said := make(chan []byte, 1)
	go func() { said <- listen(out) }() // ends with the pipe, which is closed or has a deadline
	var r Reply
	r.Exit, r.Late = attend(ctx, leader)
	_ = out.SetReadDeadline(time.Now()) // somebody else may hold the pipe
	r.Output = <-said
	if r.Cut = len(r.Output) > maxReply; r.Cut {
		r.Output = r.Output[:maxReply]
	}
	return r, nil
}

// attend leads a child to its end: by itself, or once ctx has ended.
func attend(ctx context.Context, leader *os.Process) (exit Exit, late bool) {
	e, _ := look(leader.Pid) // not reaped yet, so it can be seen even if it has ended
	tree := newEscalation(e.identity(), askGrace)
	tree.tree.leader.pid = leader.Pid
	defer tree.stop()
	ended := make(chan ending, 1)
	go func() { ended <- await(leader) }()
	done := ctx.Done()
	var end ending
	for !tree.over() {
		select {
		case <-done:
			done, late = nil, true
			tree.begin(syscall.SIGTERM)
		case end = <-ended:
			tree.leaderEnded(end)
		case <-tree.timer.C:
			tree.step()
		}
	}
	return exitOf(end.reap(leader)), late
}

// listen reads the beginning of an answer, until it ends or its time is up, and closes
// the pipe: whoever prints more is told by a signal.
func listen(out *os.File) []byte {
	defer func() { _ = out.Close() }()
	text, err := io.ReadAll(io.LimitReader(out, maxReply+1))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		text = append(text, waiting(out, maxReply+1-len(text))...)
	}
	return text
}

// waiting gives what can be read of a pipe without a wait, n bytes at most: a reader that
// did not get to it before its deadline has missed it.
func waiting(pipe *os.File, n int) []byte {
	text := make([]byte, n)
	got := 0
	conn, err := pipe.SyscallConn()
	if err != nil || pipe.SetReadDeadline(time.Time{}) != nil {
		return nil
	}
	_ = conn.Read(func(fd uintptr) bool { // an error ends it like the end of the pipe
		for got < n {
			k, err := syscall.Read(int(fd), text[got:])
			if errors.Is(err, syscall.EINTR) {
				continue
			}
			if err != nil || k <= 0 {
				break
			}
			got += k
		}
		return true
	})
	return text[:got]
}
