package scripted

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// tape is the clock file of a world of speed 0: one instant, in nanoseconds since
// 1970, eight bytes, shared by all processes under the lock of the directory. It
// only ever moves forward.
type tape struct{ path, lock string }

// read gives the instant on the tape.
func (t tape) read() (time.Time, error) {
	var at time.Time
	err := locked(t.lock, func() (err error) {
		at, err = t.peek()
		return err
	})
	return at, err
}

// advance moves the tape on to at, unless it is there or beyond already, and gives
// the instant that is on it then.
func (t tape) advance(at time.Time) (time.Time, error) {
	var now time.Time
	err := locked(t.lock, func() (err error) {
		if now, err = t.peek(); err != nil || !at.After(now) {
			return err
		}
		now = time.Unix(0, at.UnixNano()).UTC()
		return t.write(now)
	})
	return now, err
}

func (t tape) peek() (time.Time, error) {
	f, err := os.Open(t.path)
	if err != nil {
		return time.Time{}, fmt.Errorf("read clock: %w", err)
	}
	defer f.Close()
	var b [8]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return time.Time{}, fmt.Errorf("read clock: %w", err)
	}
	return time.Unix(0, int64(binary.BigEndian.Uint64(b[:]))).UTC(), nil
}

func (t tape) write(at time.Time) error {
	f, err := os.OpenFile(t.path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write clock: %w", err)
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(at.UnixNano()))
	_, err = f.WriteAt(b[:], 0)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("write clock: %w", err)
	}
	return nil
}

// locked calls f while no other process or goroutine is in it for this lock file.
// It blocks until then; whoever holds the lock does so for one small file.
func locked(path string, f func() error) error {
	l := flock.New(path, flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return fmt.Errorf("lock world: %w", err)
	}
	defer l.Close()
	return f()
}
