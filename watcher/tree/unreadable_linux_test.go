package tree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// nobody runs f without the rights of root, on a thread that ends with it.
func nobody(f func()) {
	go func() {
		runtime.LockOSThread() // and never unlocked
		if os.Geteuid() == 0 {
			_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0)
		}
		f()
	}()
}

// A directory that cannot be read is told of once, and read once its mode allows it.
func TestUnreadableDirectory(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	mkdir(t, path("closed"))
	mkdir(t, path("open"))
	write(t, path("closed/x.jsonl"), "x\n")
	write(t, path("open/y.jsonl"), "y\n")
	for name, mode := range map[string]os.FileMode{
		"..": 0o755, ".": 0o755, "open": 0o755, "open/y.jsonl": 0o644, "closed/x.jsonl": 0o644, "closed": 0,
	} {
		check(t, os.Chmod(path(name), mode))
	}
	r := newReader(New(Options{Keep: jsonl, Poll: time.Millisecond, Safety: time.Hour}))
	r.tree.Add(dir)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	nobody(func() { ended <- r.tree.Run(ctx, r.tell) })
	r.awaitText(t, path("open/y.jsonl"), "y\n")
	r.await(t, "failed", func() bool { return len(r.failed) > 0 }, func() string { return "not told" })
	text := "y\n"
	for range 30 { // meanwhile it is looked at again and again
		add(t, path("open/y.jsonl"), "more\n")
		text += "more\n"
		r.awaitText(t, path("open/y.jsonl"), text)
	}
	check(t, os.Chmod(path("closed"), 0o755))
	r.awaitText(t, path("closed/x.jsonl"), "x\n")
	cancel()
	check(t, <-ended)
	if len(r.failed) != 1 || r.failed[0].Path != path("closed") || !errors.Is(r.failed[0].Err, syscall.EACCES) {
		t.Errorf("failed: %v", r.failed)
	}
}
