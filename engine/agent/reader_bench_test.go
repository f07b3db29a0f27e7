package agent

import "testing"

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
