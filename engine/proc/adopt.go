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

// AdoptSpec says where the guard of an earlier owner left its traces. Who the
// guard is stands in its lock.
type AdoptSpec struct {
	// Lock and Exit are the paths of a [GuardSpec].
	Lock, Exit string
	// Grace is the time between TERM and KILL for what is left of the tree of a
	// guard that was lost; zero or less means DefaultGrace.
	Grace time.Duration
}

// Adopt takes over an agent whose guard we did not start. It returns at once; an
// end that was before is told as one that is now. It fails if the lock is there
// and cannot be opened or asked.
func Adopt(s AdoptSpec) (*Guarded, error) {
	g := &Guarded{exit: s.Exit, grace: orDefault(s.Grace), done: make(chan struct{})}
	lock, err := openPrivate(s.Lock, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) { // no guard has ever been
		g.settle()
		return g, nil
	}
	if err != nil {
		return nil, fmt.Errorf("adopt: %w", err)
	}
	if err := flock(lock, unix.LOCK_SH|unix.LOCK_NB); err != nil && !errors.Is(err, unix.EWOULDBLOCK) {
		_ = lock.Close()
		return nil, fmt.Errorf("adopt: ask %s: %w", s.Lock, err)
	}
	g.lock = lock
	g.known()
	go func() { // ends with the guard
		_ = flock(lock, unix.LOCK_SH) // it could be asked a moment ago
		g.known()
		_ = lock.Close()
		g.settle()
	}()
	return g, nil
}
