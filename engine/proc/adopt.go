//go:build unix

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ErrNoTrace is matched by the error of [Adopt] where no guard has ever started an
// agent.
var ErrNoTrace = errors.New("no agent was started")

// AdoptSpec says where the guard of an earlier owner left its traces. Who the
// guard is stands in its lock.
type AdoptSpec struct {
	// Lock, Exit and Stdout are the paths of a [GuardSpec].
	Lock, Exit, Stdout string
	// Grace is the time between TERM and KILL for what is left of the tree of a
	// guard that was lost; zero or less means DefaultGrace.
	Grace time.Duration
}

// tellBound is how long a guard that has just begun has to tell who it is.
const tellBound = 2 * time.Second

// Adopt takes over an agent whose guard we did not start, and tells whether the
// guard is there. It returns at once, or within two seconds if that guard has only
// just begun; an end that was before is told as one that is now. It fails with
// [ErrNoTrace] if there is neither a guard nor anything that one has left, and
// otherwise if the lock is there and cannot be opened or asked.
func Adopt(s AdoptSpec) (g *Guarded, live bool, err error) {
	g = &Guarded{exit: s.Exit, grace: orDefault(s.Grace), done: make(chan struct{})}
	lock, err := openPrivate(s.Lock, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		if !s.traced() {
			return nil, false, fmt.Errorf("adopt: %w", ErrNoTrace)
		}
		g.settle()
		return g, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("adopt: %w", err)
	}
	err = flock(lock, unix.LOCK_SH|unix.LOCK_NB)
	live = errors.Is(err, unix.EWOULDBLOCK)
	if err == nil {
		info, statErr := lock.Stat()
		if statErr == nil && info.Size() == 0 && !s.traced() { // its owner died before the guard was there
			err = ErrNoTrace
		}
	}
	if err != nil && !live {
		_ = lock.Close()
		return nil, false, fmt.Errorf("adopt: ask %s: %w", s.Lock, err)
	}
	g.lock = lock
	for until := time.Now().Add(tellBound); live && g.known().PID == 0 && time.Now().Before(until); {
		<-time.After(shortestPoll)
		live = errors.Is(flock(lock, unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
	}
	g.known()
	go func() { // ends with the guard
		_ = flock(lock, unix.LOCK_SH) // it could be asked a moment ago
		g.known()
		_ = lock.Close()
		g.settle()
	}()
	return g, live, nil
}

// traced reports whether a guard may have come as far as to start an agent: it
// opens the agent's output first, and writes the exit file last.
func (s AdoptSpec) traced() bool {
	for _, path := range []string{s.Exit, s.Stdout} {
		if path == "" {
			continue
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}
