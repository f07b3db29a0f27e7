package agent

import (
	"strconv"
	"strings"
	"testing"
)

// BenchmarkNewReader shows what it costs to begin with a file: a watcher opens thousands.
func BenchmarkNewReader(b *testing.B) {
	for _, name := range Dialects() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := NewReader(name, Reference{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkToolOutput reads one line that holds the output of a tool: what it costs hardly
// depends on how long that is.
func BenchmarkToolOutput(b *testing.B) {
	for _, size := range []int{1 << 10, 16 << 10, 256 << 10} {
		b.Run(strconv.Itoa(size>>10)+"KiB", func(b *testing.B) {
			r, err := NewReader("claude", Reference{})
			if err != nil {
				b.Fatal(err)
			}
			line := []byte(`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"` +
				strings.Repeat(`ok 17 lines\n`, size/len(`ok 17 lines\n`)) + `"}]},"session_id":"s"}` + "\n")
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				r.Feed(line, nil)
			}
		})
	}
}
