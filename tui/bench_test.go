package tui_test

import "testing"

// BenchmarkView draws the whole screen once, as after every message.
func BenchmarkView(b *testing.B) {
	m := parked().screen(200, 50)
	for b.Loop() {
		m.View()
	}
}
