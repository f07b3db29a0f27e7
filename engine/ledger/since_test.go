package ledger_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

// since asks what is new and goes on from there.
func since(t testing.TB, l *ledger.Ledger, s *ledger.Stamp, want ...run.Seen) {
	t.Helper()
	got, next, err := l.Since(*s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	*s = next
}

func opened(w run.Window) run.Seen { return run.Seen{Window: w} }

// age makes everything in a ledger look as if it had lain there for so long.
func age(t testing.TB, root string, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by)
	for _, n := range append(names(t, root, ""), ".") {
		if err := os.Chtimes(filepath.Join(root, "windows", n), then, then); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSinceTellsEachChangeOnce(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	var sa, sb ledger.Stamp
	since(t, b, &sb)
	family, model := window(limit(""), run.HowText, time.Hour), window(limit("opus"), run.HowStated, time.Hour)
	merge(t, a, family)
	merge(t, a, model)
	since(t, b, &sb, opened(family), opened(model))
	since(t, b, &sb)

	longer := window(limit(""), run.HowText, 2*time.Hour)
	merge(t, a, longer)
	since(t, b, &sb, opened(longer))

	if err := a.Merge(run.Window{WindowKey: limit("")}, true); err != nil {
		t.Fatal(err)
	}
	since(t, b, &sb)
	if err := a.Merge(run.Window{WindowKey: limit(""), OpenedAt: noon().Add(1)}, true); err != nil {
		t.Fatal(err)
	}
	since(t, b, &sb, cleared(limit(""), noon().Add(1)))
	since(t, b, &sb)
	since(t, a, &sa, opened(model)) // what it cleared itself it knows
}

func TestAWindowClearedAndOpenedAgainBetweenTwoLooksIsBoth(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	var sa, sb ledger.Stamp
	merge(t, a, window(limit(""), run.HowStated, 5*time.Hour))
	since(t, b, &sb, opened(window(limit(""), run.HowStated, 5*time.Hour)))
	if err := a.Merge(run.Window{WindowKey: limit(""), OpenedAt: noon().Add(time.Second)}, true); err != nil {
		t.Fatal(err)
	}
	again := window(limit(""), run.HowAssumed, time.Minute)
	again.OpenedAt = noon().Add(time.Minute)
	merge(t, a, again)
	since(t, b, &sb, cleared(limit(""), noon().Add(time.Second)), opened(again))
	since(t, a, &sa, opened(again))
}

func TestAWindowThatCameAndWentBetweenTwoLooksIsCleared(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	var sa ledger.Stamp
	since(t, a, &sa)
	merge(t, a, window(limit(""), run.HowStated, time.Hour))
	if err := b.Merge(run.Window{WindowKey: limit(""), OpenedAt: noon().Add(time.Second)}, true); err != nil {
		t.Fatal(err)
	}
	since(t, a, &sa, cleared(limit(""), noon().Add(time.Second)))
}

func TestClearsOfOneInstantAreTwo(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	var sb ledger.Stamp
	for i := range 3 {
		merge(t, a, window(limit(""), run.HowStated, time.Hour))
		since(t, b, &sb, opened(window(limit(""), run.HowStated, time.Hour)))
		if err := a.Merge(run.Window{WindowKey: limit(""), OpenedAt: noon().Add(time.Second)}, true); err != nil {
			t.Fatal(err)
		}
		since(t, b, &sb, cleared(limit(""), noon().Add(time.Second+time.Duration(i))))
	}
}

func TestARemovedFileIsAClearedWindow(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	var s ledger.Stamp
	w := window(limit(""), run.HowStated, time.Hour)
	merge(t, l, w)
	since(t, l, &s, opened(w))
	if err := os.Remove(file(root, "claude++limit", ".json")); err != nil {
		t.Fatal(err)
	}
	since(t, l, &s, cleared(limit(""), noon()))
	since(t, l, &s)
}

// What lies there unchanged is not read again, and if nothing at all changed the
// directory is not even listed.
func TestSinceReadsOnlyWhatChanged(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	var s ledger.Stamp
	one, two := window(limit(""), run.HowStated, time.Hour), window(limit("opus"), run.HowStated, time.Hour)
	merge(t, l, one)
	merge(t, l, two)
	age(t, root, time.Hour)
	since(t, l, &s, opened(one), opened(two))

	path := file(root, "claude++limit", ".json")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	garbage := make([]byte, info.Size())
	if err := os.WriteFile(path, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	since(t, l, &s) // the directory is as it was
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}

	later := window(limit("opus"), run.HowStated, 2*time.Hour)
	merge(t, l, later)
	since(t, l, &s, opened(later)) // a reading would have found the garbage

	age(t, root, 30*time.Minute) // now the times differ
	if _, _, err := l.Since(s); err == nil {
		t.Fatal("the garbage was not found")
	}
}

func TestChangesWithinOneTickOfTheClockAreSeen(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	var s ledger.Stamp
	then := time.Now()
	for i := 1; i < 50; i++ { // of one size and time, and an inode that is used again
		w := window(limit(""), run.HowStated, time.Duration(i)*time.Hour)
		merge(t, a, w)
		for _, n := range []string{".", "claude++limit+a1.json"} {
			if err := os.Chtimes(filepath.Join(root, "windows", n), then, then); err != nil {
				t.Fatal(err)
			}
		}
		since(t, b, &s, opened(w))
	}
}

func BenchmarkSinceWithoutChange(b *testing.B) {
	for name, by := range map[string]time.Duration{"settled": time.Hour, "recent": 0} {
		b.Run(name, func(b *testing.B) {
			root := b.TempDir()
			l := open(b, root)
			for i := range 100 {
				merge(b, l, window(limit(string(rune('a'+i))), run.HowStated, time.Hour))
			}
			age(b, root, by)
			_, s, err := l.Since(ledger.Stamp{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, s, err = l.Since(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
