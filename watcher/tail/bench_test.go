package tail

import (
	"os"
	"path/filepath"
	"testing"
)

// arrival is a sink that reports each delivery.
type arrival chan int

func (a arrival) Bytes(p []byte) { a <- len(p) }
func (a arrival) Restart()       {}

// BenchmarkAppendToSink measures the time from before a write of one line to its
// arrival in the sink.
func BenchmarkAppendToSink(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	f := New()
	sink := make(arrival)
	ended := make(chan error, 1)
	go func() { ended <- f.Follow(b.Context(), path, sink) }()
	line := make([]byte, 500)
	for b.Loop() {
		if _, err := file.Write(line); err != nil {
			b.Fatal(err)
		}
		for got := 0; got < len(line); {
			got += <-sink
		}
	}
	f.Close()
	<-ended
}

// BenchmarkLookWithoutNews measures what a needless look costs.
func BenchmarkLookWithoutNews(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x")
	if err := os.WriteFile(path, make([]byte, 1000), 0o600); err != nil {
		b.Fatal(err)
	}
	r := testReader(path, newRecord())
	defer r.Close()
	for b.Loop() {
		if err := r.look(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
