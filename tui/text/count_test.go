package text_test

import (
	"testing"

	"example.com/layover/tui/text"
)

func TestShare(t *testing.T) {
	for part, want := range map[float64]string{0.75: "3/4", 0.5: "1/2", 0.25: "1/4", 0: "0%", 0.335: "34%", 1: "100%"} {
		if got := text.Share(part); got != want {
			t.Errorf("Share(%v) = %q, want %q", part, got, want)
		}
	}
}
