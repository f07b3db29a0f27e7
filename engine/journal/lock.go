package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// An owner holds run.lock and events.jsonl alone; the second guards the facts where
// somebody has removed the first. Everybody else holds either for a moment only, and
// together with others: the guards of agents, when their owner has died, and probes.
// So an owner-to-be tries more than once before it takes a holder for an owner.
const (
	tries    = 50
	tryEvery = time.Millisecond
)

// hold opens a file of a run and locks it for an owner. It waits up to about 50 ms.
func hold(path, id string, flags int) (*os.File, error) {
	f, err := openFile(path, flags)
	if err != nil {
		return nil, unwritable(path, err)
	}
	if err := own(f, id); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func own(f *os.File, id string) error {
	for left := tries; ; left-- {
		err := flock(f, syscall.LOCK_EX)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return unwritable(f.Name(), err)
		case left == 0:
			return &OwnedError{ID: id, PID: blame(f)}
		}
		<-time.After(tryEvery)
	}
}

// blame names the owner that keeps others out; zero if none of those who hold the
// lock is an owner.
func blame(f *os.File) int {
	if flock(f, syscall.LOCK_SH) == nil {
		return 0
	}
	return owner(filepath.Dir(f.Name()))
}

// sign writes this process into the lock of a run that it holds.
func sign(lock *os.File) error {
	err := lock.Truncate(0)
	if err == nil {
		_, err = lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		return unwritable(lock.Name(), err)
	}
	return nil
}

// probe fails if somebody owns a run. It makes no file, does not wait, and is in
// nobody's way for longer than an owner-to-be waits.
func probe(dir, id string) error {
	for _, name := range []string{LockFile, EventsFile} {
		path := filepath.Join(dir, name)
		f, err := openFile(path, os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return unreadable(path, err)
		}
		err = flock(f, syscall.LOCK_SH)
		_ = f.Close()
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return &OwnedError{ID: id, PID: owner(dir)}
		case err != nil:
			return unreadable(path, err)
		}
	}
	return nil
}

// flock changes the lock of an open file without waiting for others.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// owner reads who has written itself into the lock of a run; zero if nobody has, or
// if that process is dead: then it is not the one that holds the lock.
func owner(dir string) int {
	f, err := openFile(filepath.Join(dir, LockFile), os.O_RDONLY)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	var text [32]byte
	n, _ := f.Read(text[:])
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil || pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return 0
	}
	return pid
}
