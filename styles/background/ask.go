//go:build unix

package background

import (
	"errors"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// query asks for the background colour: OSC 11, ended by ST.
const query = "\x1b]11;?\x1b\\"

// Ask asks the terminal for the colour of its background and waits at most
// timeout, which should not exceed 100 ms, for the answer. It reports whether the
// background is dark, and ok only if the terminal said so; otherwise dark is true.
//
// It does not ask, and returns at once, if in or out is no terminal, if the
// process is in the background, if keys are already waiting to be read, if timeout
// is not positive, or if TERM names a terminal known not to understand. The mode
// of the terminal is afterwards as it was.
//
// The returned Input, never nil, must be read instead of in from then on: it gives
// back keys that were pressed meanwhile and drops an answer that comes late.
func Ask(in, out *os.File, timeout time.Duration) (dark, ok bool, input *Input) {
	input = &Input{file: in}
	if timeout <= 0 || !answers(os.Getenv("TERM")) || !foreground(in) || !term.IsTerminal(out.Fd()) {
		return true, false, input
	}
	mode, err := term.MakeRaw(in.Fd())
	if err != nil {
		return true, false, input
	}
	defer func() { _ = term.Restore(in.Fd(), mode) }()

	// Keys that wait already would be read only to be handed on late.
	if ready, err := readable(in, 0); ready || err != nil {
		return true, false, input
	}
	if _, err := out.WriteString(query); err != nil {
		return true, false, input
	}
	input.awaiting = true
	dark, ok = listen(in, input, time.Now().Add(timeout))
	return dark, ok, input
}

// answers reports whether terminals of that name may be asked.
func answers(name string) bool {
	return name != "" && name != "dumb" && name != "linux"
}

// foreground reports whether f is the terminal that this process controls.
func foreground(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// listen reads until the answer is complete or the instant until has come.
func listen(in *os.File, input *Input, until time.Time) (dark, ok bool) {
	var buf [256]byte
	for {
		ready, err := readable(in, time.Until(until))
		if err != nil || !ready {
			return true, false
		}
		n, err := unix.Read(int(in.Fd()), buf[:])
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
			continue
		}
		if err != nil || n <= 0 {
			return true, false
		}
		if answer, found := input.take(buf[:n]); found {
			colour, known := parse(answer)
			return !known || colour.dark(), known
		}
	}
}

// readable waits at most the given time for f to have something to read.
func readable(f *os.File, wait time.Duration) (bool, error) {
	fd := int(f.Fd())
	until := time.Now().Add(wait)
	for {
		var set unix.FdSet
		set.Set(fd)
		left := unix.NsecToTimeval(int64(max(0, time.Until(until))))
		n, err := unix.Select(fd+1, &set, nil, nil, &left)
		if !errors.Is(err, unix.EINTR) {
			return n > 0, err
		}
	}
}
