package program

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	known := []string{"patience", "parallel", "order", "on_death"}
	for word, want := range map[string]string{
		"patiense": "patience", "patinece": "patience", "Parallel": "parallel", "odrer": "order",
		"ondeath": "on_death", "older": "order", "x": "", "wait": "", "": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestSlipsOfSwappedLetters(t *testing.T) {
	if d := slips([]rune("order"), []rune("odrer")); d != 1 {
		t.Errorf("%d slips", d)
	}
}

func TestSlips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{0,6}`)
		a, b := []rune(word.Draw(t, "a")), []rune(word.Draw(t, "b"))
		d := slips(a, b)
		if d != slips(b, a) {
			t.Fatal("not the same in both directions")
		}
		if (d == 0) != (string(a) == string(b)) {
			t.Fatal("zero slips are for the same word alone")
		}
		if d > max(len(a), len(b)) || d < max(len(a)-len(b), len(b)-len(a)) {
			t.Fatalf("%d slips between %q and %q", d, string(a), string(b))
		}
	})
}
