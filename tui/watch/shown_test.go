package watch_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/layover/tui/cli"
	"example.com/layover/tui/watch"
	"github.com/creack/pty"
)

// lookAt makes the test binary look on at what is below a directory.
const lookAt = "LAYOVER_TEST_LOOK_AT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(lookAt); dir != "" {
		exit, err := watch.Run(context.Background(), cli.WatchRequest{Paths: []string{dir}}, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// BenchmarkShown is how long it takes from an append to one of 10,000 files until the
// screen shows it: a frame lasts 83 ms.
func BenchmarkShown(b *testing.B) {
	dir := b.TempDir()
	began := time.Now().Add(-time.Minute)
	said := func(i int, text string) string { // the last twenty are in the first rows, the latest first
		return fmt.Sprintf(`{"isSidechain":false,"cwd":"/w","type":"assistant","sessionId":"s%d","timestamp":%q,"message":{"id":"m-%s","role":"assistant","content":[{"type":"text","text":%q}],"stop_reason":null,"usage":{"output_tokens":1}}}`+"\n",
			i, began.Add(time.Duration(max(0, i-9979))*time.Second).UTC().Format(time.RFC3339Nano), text, text)
	}
	path := func(i int) string {
		return filepath.Join(dir, fmt.Sprintf("d%d/e%d/f%d/session-%d.jsonl", i%10, i/10%10, i/100%10, i/1000))
	}
	for i := range 10_000 {
		if err := os.MkdirAll(filepath.Dir(path(i)), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path(i), []byte(said(i, "begun")), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), lookAt+"="+dir, "HOME="+b.TempDir(), "TERM=xterm-256color", "COLORTERM=")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 36, Cols: 200})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_, _ = terminal.WriteString("q")
		_ = cmd.Wait()
		_ = terminal.Close()
	})
	shows := make(chan string, 1000)
	go func() { // ends with the terminal
		defer close(shows)
		p := make([]byte, 64<<10)
		for {
			n, err := terminal.Read(p)
			if err != nil {
				return
			}
			shows <- string(p[:n])
		}
	}()
	await := func(text string) {
		b.Helper()
		late, seen := time.After(time.Minute), ""
		for !strings.Contains(seen, text) {
			select {
			case s := <-shows:
				seen += s
			case <-late:
				b.Fatalf("the screen does not show %q but %q", text, seen[max(0, len(seen)-600):])
			}
		}
	}
	await("10000 working")
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		time.Sleep(100*time.Millisecond + time.Duration(i*7%83)*time.Millisecond) // at rest, anywhere in a frame
		text := fmt.Sprintf("mark-%d.", i)
		f, err := os.OpenFile(path(9980+i%20), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if _, err := f.WriteString(said(9980+i%20, text)); err != nil {
			b.Fatal(err)
		}
		await(text)
		took = append(took, time.Since(began))
		_ = f.Close() // it was written to
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[(len(took)-1)*99/100].Microseconds())/1000, "p99-ms")
}
