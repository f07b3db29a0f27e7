package journal_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// lockedDir makes a run that nobody holds, with a lock that names its last owner.
func lockedDir(t *testing.T, pid int) (root, dir string) {
	t.Helper()
	root, dir = runDir(t, eventsOf(t))
	if err := os.WriteFile(filepath.Join(dir, journal.LockFile), []byte(strconv.Itoa(pid)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return root, dir
}

// held locks the run's lock, as if another process did; a lock is of an open file.
func held(t *testing.T, dir string, how int) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, journal.LockFile))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		t.Fatal(err)
	}
}

// deadPID is the number of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	c := exec.Command("true")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

// Guards whose owner has died look at the lock all the time, each for a moment.
func TestGuardsKeepNoOwnerOut(t *testing.T) {
	root, dir := lockedDir(t, deadPID(t))
	guards(t, 2, filepath.Join(dir, journal.LockFile))
	for n := range 50 {
		if journal.Running(dir) {
			t.Fatalf("look %d: a guard passes for an owner", n)
		}
		j, _, _, err := journal.Resume(root, id)
		if err != nil {
			t.Fatalf("try %d: %v", n, err)
		}
		if !journal.Running(dir) {
			t.Fatalf("look %d: the owner is not seen", n)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Whoever asks whether a run goes on is in no owner's way.
func TestProbesKeepNoOwnerOut(t *testing.T) {
	root, dir := lockedDir(t, deadPID(t))
	done := make(chan struct{})
	var probes sync.WaitGroup
	defer probes.Wait()
	defer close(done)
	probes.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				journal.Running(dir)
			}
		}
	})
	for n := range 50 {
		j, _, _, err := journal.Resume(root, id)
		if err != nil {
			t.Fatalf("try %d: %v", n, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhoIsBlamed(t *testing.T) {
	tests := map[string]struct{ written, how, want int }{
		"the owner":                       {os.Getpid(), syscall.LOCK_EX, os.Getpid()},
		"not the dead, for a new owner":   {deadPID(t), syscall.LOCK_EX, 0},
		"not the dead, for a guard":       {deadPID(t), syscall.LOCK_SH, 0},
		"not whoever is not holding it":   {os.Getpid(), syscall.LOCK_SH, 0},
		"nobody, where nobody has signed": {-1, syscall.LOCK_EX, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root, dir := lockedDir(t, tt.written)
			held(t, dir, tt.how)
			before := snapshot(t, root)
			_, _, _, err := journal.Resume(root, id)
			if e, ok := errors.AsType[*journal.OwnedError](err); !ok || e.PID != tt.want || e.Hint() == "" {
				t.Errorf("got %v, want the process %d", err, tt.want)
			}
			same(t, root, before)
		})
	}
}

// Somebody has removed the lock under an owner: the facts still have one writer.
func TestRemovedLock(t *testing.T) {
	root := t.TempDir()
	j := create(t, root)
	path := filepath.Join(j.Dir(), journal.LockFile)
	if err := errors.Join(j.Append(night(t)), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := journal.Resume(root, id); !errors.Is(err, journal.ErrOwned) {
		t.Errorf("got %v", err)
	}
	if err := journal.Send(j.Dir(), journal.Control{Verb: run.VerbPause}); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("a lock was made for a run that is held")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	again, _, _, err := journal.Resume(root, id)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != strconv.Itoa(os.Getpid())+"\n" {
		t.Errorf("the lock holds %q, %v", data, err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
