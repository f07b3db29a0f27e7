package tail_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"example.com/layover/watcher/tail"
)

func TestOpenTakesNothingButARegularFile(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		syscall.Mkfifo(path("fifo"), 0o600), os.Mkdir(path("dir"), 0o700),
		os.Symlink("/dev/zero", path("link")), os.WriteFile(path("file"), []byte("abc"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"fifo": tail.ErrNotRegular, "dir": tail.ErrNotRegular, "link": tail.ErrNotRegular, "gone": fs.ErrNotExist,
	} {
		if _, err := tail.Open(path(name)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	s, err := tail.Open(path("file"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.WriteFile(path("file"), []byte("abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(s); string(got) != "abc" || err != nil {
		t.Errorf("read %q, %v, want what was there when it was opened", got, err)
	}
}
