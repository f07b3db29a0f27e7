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
// So an owner-to-be tries for about 50 ms before it takes a holder for an owner, and
// for about a second if no holder is one, or none that lives has signed.
const (
	tryEvery = time.Millisecond
	tries    = 50
	allTries = 20 * tries
)

// hold opens a file of a run and locks it for an owner.
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
	for n := 1; ; n++ {
		err := flock(f, syscall.LOCK_EX)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return unwritable(f.Name(), err)
		case n == allTries:
			return &OwnedError{ID: id}
		case n%tries == 0 && flock(f, syscall.LOCK_SH) != nil:
			if pid := owner(filepath.Dir(f.Name())); pid != 0 {
				return &OwnedError{ID: id, PID: pid}
			} // else an owner that begins, or what one that died was about to start
		}
		_ = flock(f, syscall.LOCK_UN)
		<-time.After(tryEvery)
	}
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
