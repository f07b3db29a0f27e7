package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

const damagedStem = "claude++limit"

// damages are ways in which something else can lie where a window should.
func damages(t *testing.T) map[string]func(path string) error {
	write := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	secret := filepath.Join(t.TempDir(), "secret")
	return map[string]func(string) error{
		"torn":          write(`{"version": 1, "key": "claude++li`),
		"empty":         write(""),
		"newer":         write(`{"version": 2, "key": ["claude"]}`),
		"foreign":       write(`{"version": 1, "key": "codex++limit+a1"}`),
		"huge":          write(strings.Repeat("x", 1<<20)),
		"a directory":   func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":        func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link":        func(path string) error { return errors.Join(write("{}")(secret), os.Symlink(secret, path)) },
		"a broken link": func(path string) error { return os.Symlink("nowhere", path) },
	}
}

func TestADamagedFileIsSkippedByReadersAndSetAsideByWriters(t *testing.T) {
	for name, damage := range damages(t) {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			var reports []error
			l := open(t, root, ledger.WithReport(func(err error) { reports = append(reports, err) }))
			good := window(limit("opus"), run.HowStated, time.Hour)
			merge(t, l, good)
			path := file(root, damagedStem, ".json")
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			got, err := l.Read()
			if e, ok := errors.AsType[*ledger.DamagedError](err); !ok || e.Path != path || e.Aside != "" {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff([]run.Window{good}, got); diff != "" {
				t.Fatal(diff)
			}
			if len(names(t, root, ".corrupt-")) != 0 || len(reports) != 0 {
				t.Fatal("moved by a reader")
			}

			w := window(limit(""), run.HowStated, time.Hour)
			merge(t, l, w)
			if len(reports) != 1 {
				t.Fatalf("reports %v", reports)
			}
			e, ok := errors.AsType[*ledger.DamagedError](reports[0])
			if !ok || e.Path != path || !strings.HasPrefix(e.Aside, strings.TrimSuffix(path, ".json")+".corrupt-2") {
				t.Fatalf("reported %v", reports)
			}
			if _, err := os.Lstat(e.Aside); err != nil {
				t.Fatal(err)
			}
			got, err = l.Read()
			if diff := cmp.Diff([]run.Window{w, good}, got); diff != "" || err != nil {
				t.Fatal(diff, err)
			}
		})
	}
}

func TestALinkIsSetAsideAndWhatItLeadsToStays(t *testing.T) {
	root := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	l := open(t, root, ledger.WithReport(func(error) {}))
	if err := errors.Join(os.WriteFile(secret, []byte("s"), 0o600), os.Symlink(secret, file(root, damagedStem, ".json")), os.Symlink(secret, file(root, damagedStem, ".draft"))); err != nil {
		t.Fatal(err)
	}
	merge(t, l, window(limit(""), run.HowStated, time.Hour))
	if data, err := os.ReadFile(secret); err != nil || string(data) != "s" {
		t.Fatalf("%q, %v", data, err)
	}
}

func TestALockThatIsALinkIsRefused(t *testing.T) {
	root := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	var reports []error
	l := open(t, root, ledger.WithReport(func(err error) { reports = append(reports, err) }))
	if err := errors.Join(
		os.WriteFile(secret, []byte("s"), 0o600),
		os.Symlink(secret, file(root, damagedStem, ".lock")), os.Symlink(secret, file(root, damagedStem, ".permit")),
	); err != nil {
		t.Fatal(err)
	}
	if err := l.Merge(window(limit(""), run.HowStated, time.Hour), false); err == nil {
		t.Fatal("merged")
	}
	if granted, holder := l.TryPermit([]run.WindowKey{limit("")}); granted || !strings.HasPrefix(holder, "nobody") || len(reports) != 1 {
		t.Fatalf("%v %q %v", granted, holder, reports)
	}
	if data, err := os.ReadFile(secret); err != nil || string(data) != "s" {
		t.Fatalf("%q, %v", data, err)
	}
	nowhere := filepath.Join(filepath.Dir(secret), "nowhere")
	if err := os.Symlink(nowhere, file(root, "claude+opus+limit", ".lock")); err != nil {
		t.Fatal(err)
	}
	if err := l.Merge(window(limit("opus"), run.HowStated, time.Hour), false); err == nil {
		t.Fatal("merged")
	}
	if _, err := os.Lstat(nowhere); err == nil {
		t.Fatal("made where the link leads to")
	}
}

func TestDamageIsToldOnceAndTheWindowStays(t *testing.T) {
	root := t.TempDir()
	l := open(t, root, ledger.WithReport(func(error) {}))
	merge(t, l, window(limit(""), run.HowStated, time.Hour))
	_, stamp, err := l.Since(ledger.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(root, damagedStem, ".json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	seen, stamp, err := l.Since(stamp)
	if _, ok := errors.AsType[*ledger.DamagedError](err); !ok || seen != nil {
		t.Fatalf("%v, %v", seen, err)
	}
	if seen, stamp, err = l.Since(stamp); err != nil || seen != nil {
		t.Fatalf("%v, %v", seen, err)
	}
	if err := l.Merge(run.Window{WindowKey: limit("")}, true); err != nil {
		t.Fatal(err)
	}
	if got := names(t, root, ".corrupt-"); len(got) != 1 {
		t.Fatal(got)
	}
	other := open(t, root)
	if seen, _, err := other.Since(stamp); err != nil || len(seen) != 1 || !seen[0].Cleared {
		t.Fatalf("%v, %v", seen, err)
	}
}

func TestOfManyDamagedFilesTheLastAreKept(t *testing.T) {
	root := t.TempDir()
	n := 0
	l := open(t, root, ledger.WithReport(func(error) { n++ }))
	for i := range 12 {
		if err := os.WriteFile(file(root, damagedStem, ".json"), []byte{byte('a' + i)}, 0o600); err != nil {
			t.Fatal(err)
		}
		merge(t, l, window(limit(""), run.HowStated, time.Hour))
	}
	got := names(t, root, ".corrupt-")
	if len(got) != 8 || n != 12 {
		t.Fatalf("%d kept of %d", len(got), n)
	}
	if data, err := os.ReadFile(filepath.Join(root, "windows", got[0])); err != nil || string(data) != "e" {
		t.Fatalf("the oldest is %q, %v", data, err)
	}
}
