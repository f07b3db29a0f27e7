package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

// childVar makes this test binary another process of the same user.
const childVar = "LAYOVER_LEDGER_CHILD"

func TestMain(m *testing.M) {
	if role := os.Getenv(childVar); role != "" {
		if err := child(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func limit(model string) run.WindowKey {
	return run.WindowKey{Family: "claude", Model: model, Sort: run.SortLimit}
}

// window is one opened at noon that lasts so long.
func window(k run.WindowKey, how run.How, lasts time.Duration) run.Window {
	end := noon().Add(lasts)
	return run.Window{WindowKey: k, Kind: run.KindUsage, OpenedAt: noon(), Until: end, NextTry: end, How: how}
}

func cleared(k run.WindowKey, at time.Time) run.Seen {
	return run.Seen{Window: run.Window{WindowKey: k, OpenedAt: at}, Cleared: true}
}

func account(string) string { return "a1" }

func open(t testing.TB, root string, opts ...ledger.Option) *ledger.Ledger {
	t.Helper()
	opts = append([]ledger.Option{
		ledger.WithClock(noon),
		ledger.WithReport(func(err error) { t.Errorf("reported: %v", err) }),
	}, opts...)
	l, err := ledger.Open(root, account, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func merge(t testing.TB, l interface {
	Merge(w run.Window, cleared bool) error
}, w run.Window,
) {
	t.Helper()
	if err := l.Merge(w, false); err != nil {
		t.Fatal(err)
	}
}

// file gives the path of a window's file of the account of these tests.
func file(root, stem, ext string) string {
	return filepath.Join(root, "windows", stem+"+a1"+ext)
}

// names lists the files of a ledger that hold a text in their name.
func names(t testing.TB, root, part string) (found []string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Join(root, "windows"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if strings.Contains(e.Name(), part) {
			found = append(found, e.Name())
		}
	}
	return found
}
