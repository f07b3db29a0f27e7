package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

// port is what the owner of a run needs of a ledger.
type port interface {
	TryPermit(keys []run.WindowKey) (granted bool, holder string)
	Release(key run.WindowKey)
	Merge(w run.Window, cleared bool)
}

var _ port = (*ledger.Shared)(nil)

func TestSharedTellsAndHears(t *testing.T) {
	root := t.TempDir()
	fails := func(err error) { t.Error(err) }
	a, b := ledger.Share(open(t, root), fails), ledger.Share(open(t, root), fails)
	w := window(limit(""), run.HowStated, time.Hour)
	a.Merge(w, false)
	if diff := cmp.Diff([]run.Seen{opened(w)}, b.Poll()); diff != "" {
		t.Fatal(diff)
	}
	if seen := b.Poll(); seen != nil {
		t.Fatal(seen)
	}
}

// A directory in the way of the draft is a disk that takes nothing.
func TestWhatCannotBeSharedNowIsSharedLaterInItsOrder(t *testing.T) {
	root := t.TempDir()
	now := noon()
	var logged []error
	a := ledger.Share(open(t, root, ledger.WithClock(func() time.Time { return now })), func(err error) { logged = append(logged, err) })
	b := open(t, root)
	way := file(root, "claude++limit", ".draft")
	if err := os.MkdirAll(filepath.Join(way, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	again, other := window(limit(""), run.HowAssumed, time.Minute), window(limit("opus"), run.HowStated, time.Hour)
	again.OpenedAt = noon().Add(2 * time.Second)
	a.Merge(window(limit(""), run.HowStated, time.Hour), false)
	now = noon().Add(time.Second)
	a.Merge(run.Window{WindowKey: limit("")}, true)
	now = noon().Add(3 * time.Second)
	a.Merge(again, false)
	a.Merge(run.Window{WindowKey: run.WindowKey{Family: "no sort"}}, false)
	a.Merge(other, false)
	if seen := a.Poll(); len(seen) != 1 || seen[0].Window.Model != "opus" {
		t.Fatal(seen)
	}
	a.Poll()
	if len(logged) != 3 || !errors.Is(logged[1], ledger.ErrInvalid) { // once, with the invalid one, and after it
		t.Fatalf("%d: %v", len(logged), logged)
	}
	if err := os.RemoveAll(way); err != nil {
		t.Fatal(err)
	}
	a.Poll()
	got, err := b.Read()
	if diff := cmp.Diff([]run.Window{again, other}, got); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	if len(logged) != 3 {
		t.Fatal(logged[3:])
	}
}

func TestAClearThatIsToldLateIsOfItsOwnInstant(t *testing.T) {
	root := t.TempDir()
	now := noon().Add(time.Second)
	a := ledger.Share(open(t, root, ledger.WithClock(func() time.Time { return now })), func(error) {})
	way := filepath.Join(file(root, "claude++limit", ".draft"), "x")
	if err := os.MkdirAll(way, 0o700); err != nil {
		t.Fatal(err)
	}
	a.Merge(window(limit(""), run.HowStated, time.Hour), false)
	a.Merge(run.Window{WindowKey: limit("")}, true)
	if err := os.RemoveAll(filepath.Dir(way)); err != nil {
		t.Fatal(err)
	}
	now = noon().Add(3 * time.Second)
	w := window(limit(""), run.HowStated, 2*time.Hour)
	w.OpenedAt = noon().Add(2 * time.Second)
	merge(t, open(t, root), w)
	a.Poll()
	if got, err := a.Read(); err != nil || len(got) != 1 || !got[0].Until.Equal(w.Until) {
		t.Fatalf("%v, %v", got, err)
	}
}

func TestWhatCanNeverBeSharedIsBounded(t *testing.T) {
	root := t.TempDir()
	var last error
	a := ledger.Share(open(t, root), func(err error) { last = err })
	way := file(root, "claude++limit", ".draft")
	if err := os.MkdirAll(filepath.Join(way, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		a.Merge(window(limit(""), run.HowStated, time.Duration(i)*time.Second), false)
	}
	if last == nil || !strings.Contains(last.Error(), "never shared") {
		t.Fatalf("logged %v", last)
	}
	if err := os.RemoveAll(way); err != nil {
		t.Fatal(err)
	}
	a.Poll()
	if got, err := a.Read(); err != nil || len(got) != 1 || !got[0].Until.Equal(noon().Add(299*time.Second)) {
		t.Fatalf("%v, %v", got, err)
	}
}
