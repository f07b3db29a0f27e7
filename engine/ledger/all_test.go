package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

// One who only looks sees the windows of every account, and leaves no trace.
func TestAllLeavesNoTrace(t *testing.T) {
	root := filepath.Join(t.TempDir(), "layover")
	if all, err := ledger.All(root); all != nil || err != nil {
		t.Fatalf("of nothing: %v, %v", all, err)
	}
	if _, err := os.Lstat(root); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("it made the directory: %v", err)
	}
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	for account, family := range map[string]string{"one": "claude", "two": "claude", "": "codex"} {
		l, err := ledger.Open(root, func(string) string { return account })
		if err != nil {
			t.Fatal(err)
		}
		w := run.Window{
			WindowKey: run.WindowKey{Family: family, Sort: run.SortLimit}, Kind: run.KindUsage, How: run.HowStated,
			OpenedAt: until.Add(-time.Hour), Until: until, NextTry: until,
		}
		if err := errors.Join(l.Merge(w, false), l.Close()); err != nil {
			t.Fatal(err)
		}
	}
	broken := filepath.Join(root, ledger.WindowsDir, "gemini++limit+.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := ledger.All(root)
	var families []string
	for _, w := range all {
		families = append(families, w.Family)
		if !w.Until.Equal(until) {
			t.Errorf("%s until %s, want %s", w.Family, w.Until, until)
		}
	}
	if diff := cmp.Diff([]string{"claude", "claude", "codex"}, families); diff != "" {
		t.Error(diff)
	}
	if d, ok := errors.AsType[*ledger.DamagedError](err); !ok || d.Path != broken {
		t.Errorf("the damaged file is told by %v", err)
	}
	if _, err := os.Stat(broken); err != nil {
		t.Errorf("the damaged file was moved: %v", err)
	}
}
