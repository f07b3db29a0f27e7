package tree

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/layover/watcher/tail"
)

// writerFor has the test's program write to files instead, for benchmarks that measure
// the cost of a process which only reads.
const writerFor = "LAYOVER_TREE_BENCH_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerFor); dir != "" {
		writeLines(dir)
		return
	}
	os.Exit(m.Run())
}

// writeLines appends 1,000 lines a second to 20 files until standard input ends.
func writeLines(dir string) {
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}()
	var files []*os.File
	for i := range 20 {
		f, err := os.OpenFile(nested(dir, i*501), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			panic(err)
		}
		files = append(files, f)
	}
	line := []byte(strings.Repeat("x", 499) + "\n")
	began := time.Now()
	for i := 0; ; i++ {
		time.Sleep(time.Until(began.Add(time.Duration(i) * time.Millisecond)))
		if _, err := files[i%len(files)].Write(line); err != nil {
			panic(err)
		}
	}
}

// nested is file number i of 10,000 in 1,000 directories, ten to each.
func nested(dir string, i int) string {
	return filepath.Join(dir, fmt.Sprintf("d%d/e%d/f%d/session-%d.jsonl", i%10, i/10%10, i/100%10, i/1000))
}

const manyFiles = 10_000

func makeMany(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	for i := range manyFiles {
		mkdir(b, filepath.Dir(nested(dir, i)))
		write(b, nested(dir, i), fmt.Sprintf("{\"file\":%d}\n", i))
	}
	return dir
}

// counter is a sink that counts, and says so.
type counter struct {
	bytes *atomic.Int64
	came  chan<- struct{} // capacity 1
}

func (c counter) Restart() {}
func (c counter) Bytes(p []byte) {
	c.bytes.Add(int64(len(p)))
	nudge(c.came)
}

// counting follows all files with a sink that counts, and waits until they are read.
func counting(b *testing.B, dir string, safety time.Duration) (bytes *atomic.Int64, came <-chan struct{}) {
	b.Helper()
	bytes = new(atomic.Int64)
	c := make(chan struct{}, 1)
	tree := New(Options{Keep: jsonl, Safety: safety})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	opened := 0
	ready := make(chan struct{})
	go func() {
		ended <- tree.Run(ctx, func(batch Batch) {
			for _, f := range batch.Found {
				tree.Follow(f.Path, tail.Place{}, counter{bytes, c}, true)
			}
			for _, r := range batch.Read {
				if opened++; opened == manyFiles && !r.More {
					close(ready)
				}
			}
		})
	}()
	b.Cleanup(func() {
		cancel()
		check(b, <-ended)
	})
	began := time.Now()
	tree.Add(dir)
	<-ready
	b.Logf("%d files read after %v: %+v", opened, time.Since(began).Round(time.Millisecond), tree.Status())
	for len(c) > 0 {
		<-c
	}
	return bytes, c
}

// BenchmarkLatency is the time from before a line is appended to one of 10,000 files to
// its arrival: in a sink, and in what reads the output of tail -F beside it. Lines come
// 5 ms apart; after a thousand of them they would be paced (-benchtime 1000x).
func BenchmarkLatency(b *testing.B) {
	dir := makeMany(b)
	line := []byte(strings.Repeat("x", 499) + "\n")
	measure := func(b *testing.B, arrived func()) {
		var took []time.Duration
		i := 0
		for b.Loop() {
			f, err := os.OpenFile(nested(dir, i*7919%manyFiles), os.O_WRONLY|os.O_APPEND, 0)
			check(b, err)
			i++
			time.Sleep(5 * time.Millisecond)
			began := time.Now()
			_, err = f.Write(line)
			check(b, err)
			arrived()
			took = append(took, time.Since(began))
			check(b, f.Close())
		}
		slices.Sort(took)
		us := func(p int) float64 { return float64(took[(len(took)-1)*p/100].Nanoseconds()) / 1000 }
		b.ReportMetric(us(50), "p50-µs")
		b.ReportMetric(us(99), "p99-µs")
	}
	b.Run("tree", func(b *testing.B) {
		bytes, came := counting(b, dir, 0)
		next := bytes.Load()
		measure(b, func() {
			for next += int64(len(line)); bytes.Load() < next; {
				<-came
			}
		})
	})
	b.Run("tail-F", func(b *testing.B) {
		args := []string{"-q", "-n0", "-F"}
		for i := range manyFiles {
			args = append(args, nested(dir, i))
		}
		cmd := exec.Command("tail", args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		check(b, err)
		check(b, cmd.Start())
		b.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		lines := make(chan struct{}, 1)
		go func() {
			s := bufio.NewScanner(out)
			for s.Scan() {
				lines <- struct{}{}
			}
		}()
		for i, up := 0, false; !up; i++ { // until it has begun
			add(b, nested(dir, 0), "begin\n")
			select {
			case <-lines:
				up = true
			case <-time.After(100 * time.Millisecond):
			}
		}
		time.Sleep(time.Second)
		for len(lines) > 0 {
			<-lines
		}
		measure(b, func() { <-lines })
	})
}

func spent(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func switches(b *testing.B) int64 {
	b.Helper()
	var u syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Nvcsw
}

func resident(b *testing.B) float64 {
	b.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	check(b, err)
	var size, pages int
	_, err = fmt.Sscan(string(data), &size, &pages)
	check(b, err)
	return float64(pages*os.Getpagesize()) / (1 << 20)
}

// BenchmarkIdle is what 10,000 files cost in which nothing happens.
func BenchmarkIdle(b *testing.B) {
	dir := makeMany(b)
	runtime.GC()
	counting(b, dir, 0)
	atOnce := resident(b)
	time.Sleep(5 * time.Second)
	var share float64
	for b.Loop() {
		before, began := spent(b), time.Now()
		time.Sleep(30 * time.Second)
		share = 100 * float64(spent(b)-before) / float64(time.Since(began))
	}
	b.ReportMetric(share, "%core")
	b.ReportMetric(atOnce, "MiB-at-once")
	b.ReportMetric(resident(b), "MiB")
}

// BenchmarkSafety is what it costs to look at 10,000 files though no notice came.
func BenchmarkSafety(b *testing.B) {
	dir := makeMany(b)
	counting(b, dir, time.Second)
	time.Sleep(5 * time.Second) // until the directories are no longer new
	var each float64
	for b.Loop() {
		before := spent(b)
		time.Sleep(10 * time.Second)
		each = float64((spent(b) - before).Microseconds()) / 10_000
	}
	b.ReportMetric(each, "ms/look")
}

// BenchmarkThousandLines is what 1,000 lines a second in 20 of 10,000 files cost.
func BenchmarkThousandLines(b *testing.B) {
	dir := makeMany(b)
	bytes, _ := counting(b, dir, 0)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerFor+"="+dir)
	stop, err := cmd.StdinPipe()
	check(b, err)
	check(b, cmd.Start())
	b.Cleanup(func() {
		_ = stop.Close()
		_ = cmd.Wait()
	})
	time.Sleep(time.Second)
	var share, lines, wakes float64
	for b.Loop() {
		before, began, had, had2 := spent(b), time.Now(), bytes.Load(), switches(b)
		time.Sleep(10 * time.Second)
		took := time.Since(began)
		share = 100 * float64(spent(b)-before) / float64(took)
		wakes = float64(switches(b)-had2) / took.Seconds()
		lines = float64(bytes.Load()-had) / 500 / took.Seconds()
	}
	b.ReportMetric(share, "%core")
	b.ReportMetric(lines, "lines/s")
	b.ReportMetric(wakes, "switches/s")
	b.ReportMetric(resident(b), "MiB")
}
