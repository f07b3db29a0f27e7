//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openPrivate opens a regular file that is ours; a link, a pipe or a device is
// refused, and nothing is waited for.
func openPrivate(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// flock changes the lock of an open file, and goes on waiting when interrupted.
func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// tryLock takes the lock of a file, which is made if it is missing.
func tryLock(path string) (*os.File, error) {
	f, err := openPrivate(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// inheritedLock gives the lock that came with this process as the descriptor
// lockFD. It fails if that is not the file at path, locked.
func inheritedLock(path string) (*os.File, error) {
	var have, want unix.Stat_t
	err := unix.Fstat(lockFD, &have)
	if err == nil {
		err = unix.Stat(path, &want)
	}
	if err != nil {
		return nil, fmt.Errorf("inherit the lock: %w", err)
	}
	if have.Dev != want.Dev || have.Ino != want.Ino || have.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, errors.New("inherit the lock: another file came with the orders")
	}
	unix.CloseOnExec(lockFD) // the agent must not hold it
	f := os.NewFile(lockFD, path)
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("inherit the lock: %w", err)
	}
	return f, nil
}

// lockFD is the descriptor of a guard's lock, the first after the standard ones.
const lockFD = 3
