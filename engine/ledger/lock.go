package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockWait is how long a merge waits for the lock of its window, and lockPoll
	// how often it tries.
	lockWait = time.Second
	lockPoll = time.Millisecond
	// lockTries bounds how often a lock is taken anew because its file was removed
	// meanwhile.
	lockTries = 8
)

// try takes the lock of a file without waiting, making the file and the directory
// if they are gone. It gives nil if another holds it. A lock on a file that lies
// there no longer is none: another process could lock the new one.
func (l *Ledger) try(path string) (*flock.Flock, error) {
	for range lockTries {
		lock := flock.New(path,
			flock.SetFlag(os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK),
			flock.SetPermissions(fileMode))
		held, err := lock.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if err := ensure(l.dir); err != nil {
				return nil, err
			}
			continue
		case errors.Is(err, syscall.ELOOP):
			return nil, fmt.Errorf("%w: %w", errSymlink, err)
		case err != nil:
			return nil, err
		case !held:
			return nil, nil
		}
		same, err := ours(lock, path)
		if same {
			return lock, nil
		}
		if err := errors.Join(err, lock.Close()); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("lock %s: %w", path, fs.ErrNotExist)
}

// ours reports whether a locked file is the one that lies at a path, and makes
// it private.
func ours(lock *flock.Flock, path string) (bool, error) {
	held, err := lock.Stat()
	if err != nil {
		return false, err
	}
	if !held.Mode().IsRegular() {
		return false, &fs.PathError{Op: "lock", Path: path, Err: errNotFile}
	}
	there, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && !os.SameFile(held, there)) {
		return false, nil
	}
	if err == nil && held.Mode().Perm() != fileMode {
		err = os.Chmod(path, fileMode)
	}
	return err == nil, err
}

// wait takes the lock of a file, and gives up with [ErrBusy] in the end.
func (l *Ledger) wait(path string) (*flock.Flock, error) {
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for end := time.Now().Add(lockWait); ; {
		lock, err := l.try(path)
		if lock != nil || err != nil {
			return lock, err
		}
		if now := <-tick.C; now.After(end) {
			return nil, ErrBusy
		}
	}
}
