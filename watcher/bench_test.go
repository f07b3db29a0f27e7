package watcher_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"example.com/layover/engine/agent/corpus"
	"example.com/layover/engine/run"
	"example.com/layover/watcher"
)

// complete watches roots until all is read, and gives the last that was told.
func complete(tb testing.TB, o watcher.Options) run.Changes {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	defer cancel()
	o.Now = time.Now
	var last run.Changes
	err := watcher.New(o).Run(ctx, func(c run.Changes) {
		if last = c; c.Complete {
			cancel()
		}
	}, func(watcher.Feed) {})
	if err != nil {
		tb.Fatal(err)
	}
	return last
}

// sessions are files of two agents, of so many bytes in all.
func sessions(tb testing.TB, bytes int64, files int) ([]watcher.Root, corpus.Truth) {
	tb.Helper()
	dir := tb.TempDir()
	truth, err := corpus.Write(dir, corpus.Options{Bytes: bytes, Files: files, Seed: 1, Limits: .0001, Decoys: .0005, Sessions: true})
	if err != nil {
		tb.Fatal(err)
	}
	return []watcher.Root{
		{Path: filepath.Join(dir, "claude", "projects"), Kind: watcher.KindClaude},
		{Path: filepath.Join(dir, "codex", "sessions"), Kind: watcher.KindCodex},
	}, truth
}

// BenchmarkCold reads sessions of which nothing is known; BenchmarkRestart those of which
// nothing is new.
func BenchmarkCold(b *testing.B) {
	roots, truth := sessions(b, 256<<20, 50)
	b.SetBytes(truth.Bytes)
	b.ReportAllocs()
	for b.Loop() {
		complete(b, watcher.Options{Roots: roots})
	}
}

func BenchmarkRestart(b *testing.B) {
	roots, _ := sessions(b, 64<<20, 200)
	kept := filepath.Join(b.TempDir(), "checkpoint")
	complete(b, watcher.Options{Roots: roots, Checkpoint: kept})
	if _, err := os.Stat(kept); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		complete(b, watcher.Options{Roots: roots, Checkpoint: kept})
	}
}

// BenchmarkMany watches 10,000 small files in a nested tree until all have been read, and
// tells what each costs in memory while nothing happens.
func BenchmarkMany(b *testing.B) {
	const files = 10_000
	dir := b.TempDir()
	text := asked("s") + said("s", "m", 10, "") + said("s", "m2", 10, "end_turn")
	for i := range files {
		put(b, filepath.Join(dir, fmt.Sprintf("d%d/e%d/f%d/session-%d.jsonl", i%10, i/10%10, i/100%10, i/1000)), text)
	}
	for b.Loop() {
		before := heap()
		d := sitDown(b, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindAny}}})
		d.complete()
		d.mu.Lock()
		d.runs = nil
		d.mu.Unlock()
		b.ReportMetric(float64(heap()-before)/files, "heap-B/file")
		d.end()
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
