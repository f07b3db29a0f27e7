package background_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/layover/styles/background"
)

// answerLight is what a terminal with a white background answers.
const answerLight = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"

// read gives an Input the pieces one after the other and returns all it lets through.
func read(t *rapid.T, awaiting bool, kept string, pieces []string) string {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	input := background.NewInput(r, kept, awaiting)
	var got strings.Builder
	buf := make([]byte, 256)
	for _, piece := range pieces {
		if _, err := w.WriteString(piece); err != nil {
			t.Fatal(err)
		}
		n, err := input.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got.Write(buf[:n])
	}
	_ = w.Close()
	rest, err := io.ReadAll(input)
	if err != nil {
		t.Fatal(err)
	}
	got.Write(rest)
	return got.String()
}

// TestInputLosesNoKey cuts a stream of keys and one late answer anywhere but in the
// answer's first two bytes, which may be keys: every key arrives, the answer never.
func TestInputLosesNoKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SampledFrom([]string{"q", "\x1b[A", "\x1b", "é", "\x1b]", "11;", "\x03", "\\", "\a"})
		before := strings.Join(rapid.SliceOfN(keys, 0, 4).Draw(t, "before"), "")
		after := strings.Join(rapid.SliceOfN(keys, 0, 4).Draw(t, "after"), "")
		// Keys that together spell the answer's beginning cannot be told from it.
		if strings.Contains(before, "\x1b]11;") {
			return
		}
		kept := rapid.SampledFrom([]string{"", "x"}).Draw(t, "kept")
		stream := before + answerLight + after
		var pieces []string
		for from := 0; from < len(stream); {
			size := rapid.IntRange(1, 12).Draw(t, "size")
			to := min(from+size, len(stream))
			for to > len(before) && to < len(before)+3 {
				to++
			}
			pieces = append(pieces, stream[from:to])
			from = to
		}
		if got, want := read(t, true, kept, pieces), kept+before+after; got != want {
			t.Errorf("pieces %q give %q, want %q", pieces, got, want)
		}
	})
}

func TestInputThatAwaitsNothingPassesAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if got := read(t, false, "ab", []string{"c", answerLight, "d"}); got != "abc"+answerLight+"d" {
			t.Errorf("got %q", got)
		}
	})
}

func TestInputGivesUpOnEndlessAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := "\x1b]11;" + strings.Repeat("z", background.AnswerMax)
		if got := read(t, true, "", []string{long, "q"}); got != long+"q" {
			t.Errorf("got %q, want the bytes as they came", got)
		}
	})
}
