package ledger_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

const (
	processes = 10
	rounds    = 30
)

// child is another process: what it does, the state directory and a number.
func child(role string) error {
	what, rest, _ := strings.Cut(role, ":")
	number, root, _ := strings.Cut(rest, ":")
	seed, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	l, err := ledger.Open(root, account, ledger.WithRun("run"+number, ""), ledger.WithReport(func(err error) { fmt.Fprintln(os.Stderr, err) }))
	if err != nil {
		return err
	}
	switch what {
	case "hammer":
		return hammer(l, root, seed)
	case "hold":
		granted, holder := l.TryPermit(keys("", "opus"))
		fmt.Println(granted, holder)
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	case "full":
		return full(l)
	}
	return fmt.Errorf("no role %q", what)
}

func start(t *testing.T, what string, number int, root string, stderr io.Writer) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s:%d:%s", childVar, what, number, root))
	cmd.Stderr = stderr
	return cmd
}

// The windows of the hammer: one that is only merged, and one that is cleared
// too, but not after its latest opening.
func plan(seed int) (merged, clearing []run.Window) {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	old, far := noon().AddDate(-1, 0, 0), noon().AddDate(100, 0, 0)
	for i := range rounds {
		at := old.Add(time.Duration(r.IntN(1e6)) * time.Millisecond)
		w := run.Window{
			WindowKey: limit(""), Kind: run.KindUsage, OpenedAt: at,
			Until: far.Add(time.Duration(r.IntN(1e6)) * time.Second), How: run.How(1 + r.IntN(3)),
			Reason: run.Untrusted(strings.Repeat("x", r.IntN(1000))),
		}
		w.NextTry = w.Until
		merged = append(merged, w)
		w.WindowKey, w.How = limit("opus"), run.HowAssumed
		if i == rounds/2 {
			w.How, w.OpenedAt, w.Until = run.HowStated, at.Add(time.Hour), far.Add(time.Duration(1e7+seed)*time.Second)
		}
		clearing = append(clearing, w)
	}
	return merged, clearing
}

func hammer(l *ledger.Ledger, root string, seed int) error {
	merged, clearing := plan(seed)
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	insist := func(w run.Window, cleared bool) error {
		for {
			if err := l.Merge(w, cleared); !errors.Is(err, ledger.ErrBusy) {
				return err
			}
		}
	}
	for i := range rounds {
		clear := run.Window{WindowKey: limit("opus"), OpenedAt: noon().AddDate(-1, 0, 0).Add(1000*time.Second + time.Duration(i))}
		if err := errors.Join(insist(merged[i], false), insist(clearing[i], false), insist(clear, true)); err != nil {
			return err
		}
		var ask []run.WindowKey
		for _, m := range []string{"", "opus", "sonnet"} {
			if r.IntN(2) == 0 {
				ask = append(ask, limit(m))
			}
		}
		if granted, _ := l.TryPermit(ask); !granted {
			continue
		}
		if err := alone(root, ask); err != nil {
			return err
		}
		for _, k := range ask {
			l.Release(k)
		}
	}
	return l.Close()
}

// alone fails if another process is in here with one of the permits.
func alone(root string, keys []run.WindowKey) error {
	for _, k := range keys {
		path := filepath.Join(root, "inside-"+k.Model)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("two permits: %w", err)
		}
		defer func() { _ = errors.Join(f.Close(), os.Remove(path)) }()
	}
	return nil
}

func TestManyProcessesShareOneLedger(t *testing.T) {
	root := t.TempDir()
	l := open(t, root)
	var children sync.WaitGroup
	var outputs [processes]bytes.Buffer
	var results [processes]error
	for i := range processes {
		cmd := start(t, "hammer", i, root, &outputs[i])
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children.Go(func() { results[i] = cmd.Wait() })
	}
	done := make(chan struct{})
	go func() { children.Wait(); close(done) }()

	var stamp ledger.Stamp
	view, reads, ended := map[run.WindowKey]run.Window{}, 0, false
	for last := false; !last; reads++ {
		select {
		case <-done:
			ended = true
		default:
		}
		last = ended
		seen, next, err := l.Since(stamp)
		if err != nil {
			t.Fatal(err)
		}
		stamp = next
		for _, s := range seen {
			if s.Cleared && s.Window.Model == "" {
				t.Fatal("a window was cleared that nobody clears")
			}
			if delete(view, s.Window.WindowKey); !s.Cleared {
				view[s.Window.WindowKey] = s.Window
			}
		}
		got, err := l.Read()
		if err != nil {
			t.Fatal(err)
		}
		if _, known := view[limit("")]; known && (len(got) == 0 || got[0].Model != "") {
			t.Fatalf("the window is gone from %v", got)
		}
	}
	for i, err := range results {
		if err != nil || outputs[i].Len() > 0 {
			t.Errorf("process %d: %v: %s", i, err, &outputs[i])
		}
	}
	for name, tt := range map[string]struct {
		key run.WindowKey
		of  func(int) []run.Window
	}{
		"merged":      {limit(""), func(i int) []run.Window { m, _ := plan(i); return m }},
		"and cleared": {limit("opus"), func(i int) []run.Window { _, c := plan(i); return c }},
	} {
		var best run.Window
		for i := range processes {
			for _, w := range tt.of(i) {
				if w.How > best.How || (w.How == best.How && w.Until.After(best.Until)) {
					best = w
				}
			}
		}
		if got := view[tt.key]; got.How != best.How || !got.Until.Equal(best.Until) {
			t.Errorf("%s: %s, want %s", name, &got, &best)
		}
	}
	if got := names(t, root, ".draft"); got != nil || len(names(t, root, ".corrupt")) != 0 {
		t.Fatal(got)
	}
	try(t, l, true, "", "opus", "sonnet")
	if reads < 2 {
		t.Fatalf("%d reads", reads)
	}
}

func TestAKilledProberFreesItsPermits(t *testing.T) {
	root := t.TempDir()
	var stderr bytes.Buffer
	cmd := start(t, "hold", 7, root, &stderr)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "true \n" {
		t.Fatalf("%q, %v: %s", line, err, &stderr)
	}
	l := open(t, root)
	if holder := try(t, l, false, "opus", "sonnet"); !strings.HasPrefix(holder, fmt.Sprintf("run run7 (process %d) since ", cmd.Process.Pid)) {
		t.Fatalf("holder %q", holder)
	}
	try(t, l, true, "sonnet")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was not killed")
	}
	try(t, l, true, "", "opus")
}

// full fills the disk, as far as this process can tell.
func full(l *ledger.Ledger) error {
	signal.Ignore(syscall.SIGXFSZ)
	w := window(limit(""), run.HowStated, time.Hour)
	if err := l.Merge(w, false); err != nil {
		return err
	}
	var limits unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limits); err != nil {
		return err
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 64, Max: limits.Max}); err != nil {
		return err
	}
	longer := window(limit(""), run.HowStated, 2*time.Hour)
	if err := l.Merge(longer, false); !errors.Is(err, syscall.EFBIG) {
		return fmt.Errorf("merge on a full disk: %w", err)
	}
	got, err := l.Read()
	if err != nil || len(got) != 1 || !got[0].Until.Equal(w.Until) {
		return fmt.Errorf("%v: %w", got, err)
	}
	if granted, holder := l.TryPermit(keys("")); !granted {
		return fmt.Errorf("no permit on a full disk: %s", holder)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limits); err != nil {
		return err
	}
	return l.Merge(longer, false)
}

func TestAFullDiskLeavesTheFileAsItWas(t *testing.T) {
	root := t.TempDir()
	var stderr bytes.Buffer
	if err := start(t, "full", 1, root, &stderr).Run(); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	if !strings.Contains(stderr.String(), "permit of") {
		t.Errorf("nothing was reported of the permit's file: %q", &stderr)
	}
	got, err := open(t, root).Read()
	if err != nil || len(got) != 1 || !got[0].Until.Equal(noon().Add(2*time.Hour)) || names(t, root, ".draft") != nil {
		t.Fatalf("%v, %v", got, err)
	}
}
