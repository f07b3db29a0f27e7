package ledger

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"example.com/layover/engine/run"
)

// maxUntold bounds the changes that are kept because they could not be told yet.
const maxUntold = 256

// Shared is a ledger as the owner of a run uses it: what cannot be shared now is
// shared later, and faults are logged once. Its permits are those of the
// [Ledger]. It is safe for use by several goroutines.
type Shared struct {
	*Ledger
	log func(error)

	mu     sync.Mutex
	untold []change
	stamp  Stamp
	said   string
}

// change is something to tell the others.
type change struct {
	window  run.Window
	cleared bool
}

// Share makes a ledger ready for the owner of a run. Log takes the faults of
// sharing, each once until another one follows or sharing works again.
func Share(l *Ledger, log func(error)) *Shared { return &Shared{Ledger: l, log: log} }

// Merge tells the others of a window, see [Ledger.Merge]. What fails is kept, in
// its order, and told with the next Merge or Poll.
func (s *Shared) Merge(w run.Window, cleared bool) {
	if cleared {
		w.OpenedAt = orNow(w.OpenedAt, s.now())
	}
	w.Permit, w.Waiters = nil, nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.untold = append(s.untold, change{w, cleared})
	s.complain(s.tell())
}

// Poll gives what others told since the last call, see [Ledger.Since]: the first
// call gives all there is. It is meant to be called each second.
func (s *Shared) Poll() []run.Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.tell()
	seen, next, fault := s.Since(s.stamp)
	s.stamp = next
	s.complain(errors.Join(err, fault))
	return seen
}

// tell shares what is untold; what fails stays, and what follows it on its window.
func (s *Shared) tell() error {
	var faults []error
	stuck, busy := map[run.WindowKey]bool{}, false
	s.untold = slices.DeleteFunc(s.untold, func(c change) bool {
		if busy || stuck[c.window.WindowKey] {
			return false // one wait is enough
		}
		err := s.Ledger.Merge(c.window, c.cleared)
		if err != nil {
			faults = append(faults, err)
		}
		busy = errors.Is(err, ErrBusy)
		stuck[c.window.WindowKey] = err != nil && !errors.Is(err, ErrInvalid)
		return !stuck[c.window.WindowKey]
	})
	if n := len(s.untold) - maxUntold; n > 0 {
		s.untold = slices.Delete(s.untold, 0, n)
		faults = append(faults, fmt.Errorf("%d changes of windows were never shared", n))
	}
	return errors.Join(faults...)
}

// complain logs a fault unless it was the last one, too.
func (s *Shared) complain(err error) {
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said != s.said && err != nil {
		s.log(err)
	}
	s.said = said
}
