package tail

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// The notifier says nothing when a parent moves, and goes on watching what moved.
func TestVerifyWatchesWhatIsAtThePathNow(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "parent")
	path := filepath.Join(parent, "dir", "x")
	check(t, os.MkdirAll(filepath.Dir(path), 0o700))
	w := newWatchman(fsnotify.NewWatcher, never)
	defer w.disarm(ErrClosed)
	wake := make(chan struct{}, 1)
	who := place(path, wake)
	w.join(who)
	<-wake
	check(t, os.Rename(parent, parent+".old"))
	check(t, os.MkdirAll(filepath.Dir(path), 0o700))
	w.verify()
	write(t, path, "new")
	w.event(<-w.notifier.Events)
	<-wake
	if w.bare != 0 {
		t.Errorf("%d directories are not watched", w.bare)
	}
	w.leave(who)
	if got := w.notifier.WatchList(); len(got) != 0 || len(w.dirs) != 0 || w.bare != 0 {
		t.Errorf("still watched when nobody follows: %q, %d bare", got, w.bare)
	}
}
