package journal_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

const id = "20260301_220000_0a1b2c3d"

// nightDir holds the facts of a recorded run.
const nightDir = "../../testdata/runs/night"

// night reads the facts of that run.
func night(t testing.TB) []run.Fact {
	t.Helper()
	var facts []run.Fact
	_, err := journal.Facts(nightDir, func(f run.Fact) error {
		facts = append(facts, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

func create(t *testing.T, root string) *journal.Journal {
	t.Helper()
	j, err := journal.Create(root, id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

// alike compares states by all that is exported of them.
var alike = cmp.Options{cmpopts.IgnoreUnexported(run.State{}, run.Lane{}), cmpopts.EquateEmpty()}

func TestRoot(t *testing.T) {
	tests := map[string]struct {
		env  map[string]string
		want string
		fail bool
	}{
		"xdg":          {env: map[string]string{"XDG_STATE_HOME": "/s", "HOME": "/h"}, want: "/s/layover"},
		"home":         {env: map[string]string{"HOME": "/h"}, want: "/h/.local/state/layover"},
		"relative xdg": {env: map[string]string{"XDG_STATE_HOME": "s", "HOME": "/h"}, want: "/h/.local/state/layover"},
		"nothing":      {fail: true},
		"relative":     {env: map[string]string{"HOME": "h"}, fail: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := journal.Root(func(k string) string { return tt.env[k] })
			if got != tt.want || (err != nil) != tt.fail {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestIDs(t *testing.T) {
	east := time.FixedZone("east", 2*3600)
	if got := journal.NewID(time.Date(2026, 3, 2, 0, 0, 0, 0, east), 0xa1b2c3d); got != id {
		t.Errorf("NewID = %q, want %q", got, id)
	}
	for _, bad := range []string{
		"", ".", "..", "../20260301_220000_0a1b2c3", "20260301_220000_0A1B2C3D", "20261301_220000_0a1b2c3d",
		"20260301_220000_0a1b2c3", "20260301_220000-0a1b2c3d", id + "/", "20260301_220000_0a1b2c3é",
	} {
		if _, err := journal.Dir("/root", bad); err == nil {
			t.Errorf("%q passes for an id", bad)
		}
	}
	if got, err := journal.Dir("/root", id); err != nil || got != "/root/runs/"+id {
		t.Errorf("Dir = %q, %v", got, err)
	}
}

func TestCreateMakesPrivateFiles(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		t.Run(fmt.Sprintf("%o", mask), func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "state", "layover")
			old := syscall.Umask(mask)
			defer syscall.Umask(old)
			j := create(t, root)
			w, err := j.Worker("tests", "0123456789ab")
			if err != nil {
				t.Fatal(err)
			}
			if err := w.WriteFile("prompt.md", []byte("p")); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(j.Append(night(t)), j.Export(&run.State{}, time.Time{}, true)); err != nil {
				t.Fatal(err)
			}
			want := map[string]fs.FileMode{
				"": 0o700, "runs": 0o700, "runs/" + id: 0o700,
				"runs/" + id + "/run.lock": 0o600, "runs/" + id + "/events.jsonl": 0o600, "runs/" + id + "/run.json": 0o600,
				"runs/" + id + "/workers": 0o700, "runs/" + id + "/control": 0o700,
				"runs/" + id + "/workers/tests__agent_0123456789ab":           0o700,
				"runs/" + id + "/workers/tests__agent_0123456789ab/prompt.md": 0o600,
			}
			got := map[string]fs.FileMode{}
			if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				got[strings.TrimPrefix(strings.TrimPrefix(path, root), "/")] = info.Mode().Perm()
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("modes (-want +got):\n%s", d)
			}
		})
	}
}

func TestCreateClosesOpenDirectories(t *testing.T) {
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	create(t, root)
	if info, err := os.Stat(root); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestCreateRefused(t *testing.T) {
	tests := map[string]struct {
		prepare func(t *testing.T, base string) (root string)
		hint    string
	}{
		"below a file": {func(t *testing.T, base string) string {
			return filepath.Join(touch(t, base, "file"), "layover")
		}, "move what is in the way"},
		"root is a file": {func(t *testing.T, base string) string { return touch(t, base, "layover") }, "move what is in the way"},
		"not ours":       {func(*testing.T, string) string { return "/proc/layover" }, "make the directory writable"},
		"root is a link": {func(t *testing.T, base string) string {
			return link(t, t.TempDir(), filepath.Join(base, "layover"))
		}, "the link leads to"},
		"runs is a link": {func(t *testing.T, base string) string {
			link(t, t.TempDir(), filepath.Join(base, "runs"))
			return base
		}, "the link leads to"},
		"runs is a file": {func(t *testing.T, base string) string {
			touch(t, base, "runs")
			return base
		}, "move what is in the way"},
		"the run is a link": {func(t *testing.T, base string) string {
			mkdir(t, filepath.Join(base, "runs"))
			link(t, t.TempDir(), filepath.Join(base, "runs", id))
			return base
		}, "the link leads to"},
		"the run is there": {func(t *testing.T, base string) string {
			mkdir(t, filepath.Join(base, "runs", id))
			return base
		}, "take another id"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			root := tt.prepare(t, base)
			before := tree(t, base)
			_, err := journal.Create(root, id)
			e, ok := errors.AsType[*journal.UnwritableError](err)
			if !ok || !strings.Contains(e.Remedy, tt.hint) || !strings.HasPrefix(e.Path, root) {
				t.Errorf("got %+v", err)
			}
			if d := cmp.Diff(before, tree(t, base)); d != "" {
				t.Errorf("left behind:\n%s", d)
			}
		})
	}
}

// The last step of Create fails for want of file descriptors, which no permission
// bit stands for: everything made so far must go again.
func TestCreateTakesBackWhatItMade(t *testing.T) {
	base := t.TempDir()
	before := tree(t, base)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old) }()
	failed := 0
	for limit := uint64(3); limit < 64; limit++ {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: old.Max}); err != nil {
			t.Fatal(err)
		}
		j, err := journal.Create(filepath.Join(base, "a", "layover"), id)
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old)
		if err == nil {
			_ = j.Close()
			break
		}
		failed++
		if d := cmp.Diff(before, tree(t, base)); d != "" {
			t.Fatalf("with %d descriptors, left behind after %v:\n%s", limit, err, d)
		}
	}
	if failed == 0 {
		t.Error("no limit made it fail")
	}
}

func TestTwoOwners(t *testing.T) {
	root := t.TempDir()
	j := create(t, root)
	if err := j.Append(night(t)); err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		e, ok := errors.AsType[*journal.OwnedError](err)
		if !ok || !errors.Is(err, journal.ErrOwned) || e.PID != os.Getpid() || e.ID != id {
			t.Errorf("got %v", err)
		}
		if !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
			t.Errorf("no pid in %q", err)
		}
	}
	_, err := journal.Create(root, id)
	check(err)
	_, _, _, err = journal.Resume(root, id)
	check(err)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	again, _, _, err := journal.Resume(root, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// The lock is not handed on to the processes that an owner starts.
func TestLockIsNotInherited(t *testing.T) {
	root := t.TempDir()
	j := create(t, root)
	child := exec.Command("cat")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = child.Wait() }()
	if err := errors.Join(j.Append(night(t)), j.Close()); err != nil {
		t.Fatal(err)
	}
	again, _, _, err := journal.Resume(root, id)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}

func TestList(t *testing.T) {
	root := t.TempDir()
	if ids, err := journal.List(filepath.Join(root, "none")); err != nil || len(ids) != 0 {
		t.Errorf("got %v, %v", ids, err)
	}
	runs := filepath.Join(root, "runs")
	old, late := "20251231_235959_ffffffff", "20260101_000000_00000000"
	mkdir(t, filepath.Join(runs, late))
	mkdir(t, filepath.Join(runs, old))
	mkdir(t, filepath.Join(runs, "zzz"))
	touch(t, runs, "20260102_000000_00000000")
	link(t, runs, filepath.Join(runs, "20260103_000000_00000000"))
	ids, err := journal.List(root)
	if d := cmp.Diff([]string{old, late}, ids); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	if _, err := journal.List(link(t, root, filepath.Join(t.TempDir(), "l"))); err == nil {
		t.Error("a link was followed")
	}
}

func touch(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) string {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// tree lists all that is below a directory.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// Facts are not written to a file that nobody will find.
func TestAFileThatWasRemovedTakesNoFacts(t *testing.T) {
	for name, ruin := range map[string]func(path string) error{
		"removed":  os.Remove,
		"replaced": func(path string) error { return os.Rename(path+".new", path) },
	} {
		t.Run(name, func(t *testing.T) {
			j := create(t, t.TempDir())
			facts := night(t)
			path := filepath.Join(j.Dir(), journal.EventsFile)
			err := errors.Join(j.Append(facts[:2]), os.WriteFile(path+".new", nil, 0o600))
			if err := errors.Join(err, ruin(path)); err != nil {
				t.Fatal(err)
			}
			err = j.Append(facts[2:3])
			var hinted interface{ Hint() string }
			if err == nil || !strings.Contains(err.Error(), "removed while the run goes on") || !errors.As(err, &hinted) {
				t.Errorf("saved with %v", err)
			}
		})
	}
}
