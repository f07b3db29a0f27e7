package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// own takes the lock of a run without waiting and writes this process into it.
func own(dir, id string) (*flock.Flock, error) {
	path := filepath.Join(dir, LockFile)
	f, err := openFile(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, unwritable(path, err)
	}
	defer func() { _ = f.Close() }()
	lock, err := try(path, id)
	if err != nil {
		return nil, err
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteString(strconv.Itoa(os.Getpid()) + "\n")
	}
	if err != nil {
		return nil, errors.Join(unwritable(path, err), lock.Close())
	}
	return lock, nil
}

// probe fails if somebody holds a run; it makes no file.
func probe(dir, id string) error {
	path := filepath.Join(dir, LockFile)
	lock, err := try(path, id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return lock.Close()
}

func try(path, id string) (*flock.Flock, error) {
	lock := flock.New(path, flock.SetFlag(os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK))
	held, err := lock.TryLock()
	if err != nil {
		return nil, unwritable(path, err)
	}
	if !held {
		return nil, &OwnedError{ID: id, PID: owner(path)}
	}
	return lock, nil
}

// owner reads who holds a lock; zero if that is not written.
func owner(path string) int {
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	var text [32]byte
	n, _ := f.Read(text[:])
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}
