package ledger_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

func TestAWindowIsSharedAsItIs(t *testing.T) {
	root := t.TempDir()
	w := window(limit("opus"), run.HowText, time.Hour)
	w.Trip, w.Tries, w.Reason = true, 3, "limit reached \x1b[31m"
	told := w
	told.OpenedAt, told.Attempt = w.OpenedAt.In(time.FixedZone("far", 3600)), 7
	told.Permit, told.Waiters = &run.Permit{Attempt: 7}, []run.LaneID{1}
	merge(t, open(t, root), told)
	got, err := open(t, root).Read()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]run.Window{w}, got); diff != "" {
		t.Fatal(diff)
	}
	if got[0].OpenedAt.Location() != time.UTC {
		t.Fatal("not written in UTC")
	}
}

func TestHostileKeysAreSharedAsTheyAre(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	long := strings.Repeat("x", 300)
	for _, name := range []string{"", "..", "/", "a/../b", "\x00", "\xff\xfe", long, strings.ToUpper(long), "Claude", "claude", "日本", "a+b", "%41"} {
		k := run.WindowKey{Family: name, Model: name, Sort: run.SortLogin}
		merge(t, l, window(k, run.HowStated, time.Hour))
	}
	got, err := open(t, root).Read()
	if err != nil || len(got) != 13 {
		t.Fatalf("%d windows, %v", len(got), err)
	}
	for _, w := range got {
		if w.Family != w.Model {
			t.Errorf("%q and %q", w.Family, w.Model)
		}
		if err := l.Merge(run.Window{WindowKey: w.WindowKey, OpenedAt: noon().Add(1)}, true); err != nil {
			t.Error(err)
		}
	}
	if got, err := l.Read(); err != nil || got != nil {
		t.Fatalf("%v, %v", got, err)
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
}

func TestOnlyTheAccountsInUseAreRead(t *testing.T) {
	root := t.TempDir()
	who := "a1"
	l, err := ledger.Open(root, func(string) string { return who }, ledger.WithClock(noon))
	if err != nil {
		t.Fatal(err)
	}
	merge(t, l, window(limit(""), run.HowStated, time.Hour))
	age(t, root, time.Hour) // nothing but the account changes
	_, stamp, err := l.Since(ledger.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	who = "b2"
	if got, err := l.Read(); err != nil || got != nil {
		t.Fatalf("%v, %v", got, err)
	}
	seen, stamp, err := l.Since(stamp)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]run.Seen{cleared(limit(""), noon())}, seen); diff != "" {
		t.Fatal(diff)
	}
	who = "a1"
	if seen, _, err = l.Since(stamp); err != nil || len(seen) != 1 || seen[0].Cleared {
		t.Fatalf("%v, %v", seen, err)
	}
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	bad := window(limit(""), 9, time.Hour)
	far := window(limit(""), run.HowStated, time.Hour)
	far.Until = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, w := range map[string]run.Window{
		"no sort":         {WindowKey: run.WindowKey{Family: "claude"}},
		"no such sort":    {WindowKey: run.WindowKey{Family: "claude", Sort: 9}},
		"no evidence":     bad,
		"a year too far":  far,
		"a name too long": window(limit(strings.Repeat("x", 9000)), run.HowStated, time.Hour),
	} {
		if err := l.Merge(w, false); !errors.Is(err, ledger.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := names(t, root, ".json"); got != nil {
		t.Fatal(got)
	}
}

func TestALongReasonIsCut(t *testing.T) {
	l := open(t, t.TempDir())
	w := window(limit(""), run.HowStated, time.Hour)
	w.Reason = run.Untrusted(strings.Repeat("é", 100_000))
	merge(t, l, w)
	got, err := l.Read()
	if err != nil || len(got) != 1 || got[0].Reason != w.Reason[:1024] {
		t.Fatalf("%d bytes, %v", len(got[0].Reason), err)
	}
}

func TestNothingIsWrittenThatSaysNothingNew(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	merge(t, l, window(limit(""), run.HowStated, time.Hour))
	path := file(root, "claude++limit", ".json")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	merge(t, open(t, root), window(limit(""), run.HowAssumed, 2*time.Hour))
	if err := l.Merge(run.Window{WindowKey: limit("other")}, true); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Fatalf("written anew, %v", err)
	}
	if got := names(t, root, ".json"); len(got) != 1 {
		t.Fatal(got)
	}
}

func TestAMergeGivesUpOnALockThatIsHeld(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	lock := flock.New(file(root, "claude++limit", ".lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	w := window(limit(""), run.HowStated, time.Hour)
	if err := l.Merge(w, false); !errors.Is(err, ledger.ErrBusy) {
		t.Fatal(err)
	}
	merge(t, l, window(limit("opus"), run.HowStated, time.Hour))
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	merge(t, l, w)
}

func TestEverythingIsPrivate(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a", "b")
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	l := open(t, root)
	merge(t, l, window(limit(""), run.HowStated, time.Hour))
	l.TryPermit([]run.WindowKey{limit("")})
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if n++; err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %s", path, info.Mode())
		}
		return err
	})
	if err != nil || n != 5 {
		t.Fatalf("%d files, %v", n, err)
	}
}

func TestAnOpenDirectoryIsClosed(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "windows")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	open(t, root)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("%s, %v", info.Mode(), err)
	}
}

func TestLinksAreRefused(t *testing.T) {
	for name, link := range map[string]func(root, to string) string{
		"the state directory": func(root, _ string) string { return root },
		"the directory":       func(root, _ string) string { return filepath.Join(root, "windows") },
	} {
		t.Run(name, func(t *testing.T) {
			base, to := t.TempDir(), t.TempDir()
			root := filepath.Join(base, "state")
			path := link(root, to)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(to, path)); err != nil {
				t.Fatal(err)
			}
			if _, err := ledger.Open(root, account); err == nil {
				t.Fatal("opened")
			}
		})
	}
}

func TestALedgerThatWasRemovedIsMadeAnew(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	merge(t, l, window(limit(""), run.HowStated, time.Hour))
	_, stamp, err := l.Since(ledger.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	seen, stamp, err := l.Since(stamp)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]run.Seen{cleared(limit(""), noon())}, seen); diff != "" {
		t.Fatal(diff)
	}
	merge(t, l, window(limit(""), run.HowStated, time.Hour))
	if seen, _, err := l.Since(stamp); err != nil || len(seen) != 1 || seen[0].Cleared {
		t.Fatalf("%v, %v", seen, err)
	}
}
