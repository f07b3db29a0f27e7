package journal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// unprivileged binds this test by permission bits, which do not bind root: its
// thread looks at files as another user.
func unprivileged(t *testing.T) {
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread() // and never unlocked: the thread ends with the test
	if err := syscall.Setfsuid(65534); err != nil {
		t.Skip("root cannot become somebody else: ", err)
	}
}

// protect takes the write permission from all that is below a directory, and lets
// everybody read it.
func protect(t *testing.T, base string) {
	t.Helper()
	change := func(file, dir fs.FileMode) {
		err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(path, dir)
			}
			if err == nil {
				err = os.Chmod(path, file)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	change(0o444, 0o555)
	if err := os.Chmod(filepath.Dir(base), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { change(0o600, 0o700) })
}

// A run that may only be read can be looked at, and nothing else.
func TestReadOnlyRun(t *testing.T) {
	root, dir := leftOver(t)
	protect(t, root)
	before := snapshot(t, root)
	t.Cleanup(func() { same(t, root, before) }) // before the permissions are given back
	t.Run("looked at", func(t *testing.T) {
		unprivileged(t)
		s, _, err := journal.Replay(dir)
		refused(t, "replay", err, "")
		if err == nil && s.Seq != 51 {
			t.Errorf("read up to fact %d", s.Seq)
		}
		_, err = journal.List(root)
		refused(t, "list", err, "")
		err = journal.Send(dir, journal.Control{Verb: run.VerbPause})
		refused(t, "send", err, notRunning)
	})
	t.Run("taken up", func(t *testing.T) {
		unprivileged(t)
		_, _, _, err := journal.Resume(root, id)
		refused(t, "resume", err, "run.lock: permission denied")
	})
}

// The run was made read-only while it goes on.
func TestReadOnlyLiveRun(t *testing.T) {
	root := t.TempDir()
	j := create(t, root)
	if err := j.Append(night(t)); err != nil {
		t.Fatal(err)
	}
	if err := journal.Send(j.Dir(), journal.Control{Verb: run.VerbPause}); err != nil {
		t.Fatal(err)
	}
	protect(t, root)
	before := snapshot(t, root)
	t.Cleanup(func() { same(t, root, before) })
	t.Run("told", func(t *testing.T) {
		unprivileged(t)
		err := journal.Send(j.Dir(), journal.Control{Verb: run.VerbPause})
		refused(t, "send", err, "control/")
		wishes, err := j.Controls() // it could be obeyed for ever
		refused(t, "controls", err, "permission denied")
		if len(wishes) != 0 {
			t.Errorf("obeyed %v", wishes)
		}
	})
}

// Somebody else's private run cannot even be looked at.
func TestPrivateRunOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be refused by its own files here")
	}
	root, dir := leftOver(t)
	if err := os.Chmod(filepath.Dir(root), 0o755); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, root)
	t.Cleanup(func() { same(t, root, before) })
	t.Run("asked", func(t *testing.T) {
		unprivileged(t)
		_, _, err := journal.Replay(dir)
		refused(t, "replay", err, "permission denied")
		_, err = journal.List(root)
		refused(t, "list", err, "permission denied")
		refused(t, "send", journal.Send(dir, journal.Control{Verb: run.VerbPause}), "permission denied")
		_, _, _, err = journal.Resume(root, id)
		refused(t, "resume", err, "permission denied")
	})
}

// On a disk that is mounted read-only root is refused too.
func TestReadOnlyDisk(t *testing.T) {
	root, dir := leftOver(t)
	if err := syscall.Mount(root, root, "", syscall.MS_BIND, ""); err != nil {
		t.Skip("a directory cannot be mounted here: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(root, syscall.MNT_DETACH) })
	if err := syscall.Mount("", root, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("a directory cannot be mounted read-only here: ", err)
	}
	before := snapshot(t, root)
	_, _, err := journal.Replay(dir)
	refused(t, "replay", err, "")
	_, _, _, err = journal.Resume(root, id)
	refused(t, "resume", err, "read-only file system")
	same(t, root, before)
}
