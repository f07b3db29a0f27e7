package record

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// kept is a line copied out of the splitter.
type kept struct {
	Number             int
	Text               string
	Tail               string
	Long, Open, Broken bool
}

func splitAll(chunks ...[]byte) ([]kept, int) {
	var s Splitter
	var all []kept
	take := func(l Line) {
		all = append(all, kept{l.Number, string(l.Text), string(l.Tail), l.Long, l.Open, l.Broken})
	}
	for _, c := range chunks {
		s.Feed(c, take)
	}
	s.End(take)
	return all, s.Damaged()
}

func TestSplitterLines(t *testing.T) {
	for name, tc := range map[string]struct {
		in      string
		want    []kept
		damaged int
	}{
		"plain":                   {in: "a\nb\n", want: []kept{{Number: 1, Text: "a"}, {Number: 2, Text: "b"}}},
		"no newline at the end":   {in: "a\nb", want: []kept{{Number: 1, Text: "a"}, {Number: 2, Text: "b", Open: true}}},
		"carriage returns":        {in: "a\r\n\r\nb\r\n", want: []kept{{Number: 1, Text: "a"}, {Number: 3, Text: "b"}}},
		"byte order mark":         {in: "\xef\xbb\xbfa\n\xef\xbb\xbfb\n", want: []kept{{Number: 1, Text: "a"}, {Number: 2, Text: "\xef\xbb\xbfb"}}},
		"half a mark":             {in: "\xef\xbba\n", want: []kept{{Number: 1, Text: "\xef\xbba"}}},
		"only half a mark":        {in: "\xef\xbb", want: []kept{{Number: 1, Text: "\xef\xbb", Open: true}}},
		"blank lines count":       {in: "\n \t\na\n", want: []kept{{Number: 3, Text: "a"}}},
		"line separator stays":    {in: "a\u2028b\n", want: []kept{{Number: 1, Text: "a\u2028b"}}},
		"nul line":                {in: "a\n\x00\x00\x00\nb\n", want: []kept{{Number: 1, Text: "a"}, {Number: 3, Text: "b"}}, damaged: 1},
		"nul inside a line":       {in: "a\x00\x00b\n", want: []kept{{Number: 1, Text: "a", Broken: true}, {Number: 1, Text: "b"}}, damaged: 1},
		"two nul blocks":          {in: "\x00a\x00\nb", want: []kept{{Number: 1, Text: "a", Broken: true}, {Number: 2, Text: "b", Open: true}}, damaged: 2},
		"nul blocks on two lines": {in: "a\x00\n\x00b\n", want: []kept{{Number: 1, Text: "a", Broken: true}, {Number: 2, Text: "b"}}, damaged: 2},
		"nothing":                 {},
	} {
		t.Run(name, func(t *testing.T) {
			got, damaged := splitAll([]byte(tc.in))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if damaged != tc.damaged {
				t.Errorf("damaged = %d, want %d", damaged, tc.damaged)
			}
		})
	}
}

func TestSplitterKeepsHeadAndTailOfLongLine(t *testing.T) {
	long := strings.Repeat("h", LongHead) + strings.Repeat("m", MaxLine) + strings.Repeat("t", LongTail)
	got, _ := splitAll([]byte("a\n"), []byte(long), []byte("\r\nb\n"))
	want := []kept{
		{Number: 1, Text: "a"},
		{Number: 2, Text: strings.Repeat("h", LongHead), Tail: strings.Repeat("t", LongTail-1), Long: true},
		{Number: 3, Text: "b"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("a long line is not kept as documented, or its neighbours are lost")
	}
	barely, _ := splitAll(bytes.Repeat([]byte("x"), MaxLine), []byte("yz"))
	if want := strings.Repeat("x", LongTail-2) + "yz"; len(barely) != 1 || barely[0].Tail != want {
		t.Error("the tail of a line just too long is not whole")
	}
	whole, _ := splitAll(bytes.Repeat([]byte("x"), MaxLine))
	if len(whole) != 1 || whole[0].Long || len(whole[0].Text) != MaxLine {
		t.Error("a line of MaxLine bytes is not kept whole")
	}
}

func TestSplitterMemoryIsBounded(t *testing.T) {
	var s Splitter
	chunk := bytes.Repeat([]byte("x"), 10_000)
	for range 3000 {
		s.Feed(chunk, func(Line) { t.Error("a line came out before its end") })
	}
	s.Feed(make([]byte, 1<<20), func(Line) {})
	if held := cap(s.buf) + cap(s.tail); held > 4*MaxLine {
		t.Errorf("holds %d bytes, want at most %d", held, 4*MaxLine)
	}
}

func TestSplitterGivesTheSameLinesForAnyChunks(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"\n", "\r\n", "\r", "\x00", "\x00\x00", "\xef\xbb\xbf", "\xef", "{\"a\":1}", " ", "é", strings.Repeat("y", 300_000), strings.Repeat("z", 70_000),
	})
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 24).Draw(t, "pieces"), ""))
		want, wantDamaged := splitAll(text)
		got, damaged := splitAll(chop(t, text)...)
		if diff := cmp.Diff(want, got); diff != "" || damaged != wantDamaged {
			t.Fatalf("chunks change the lines; damaged %d, want %d", damaged, wantDamaged)
		}
	})
}

// chop cuts text into chunks anyhow.
func chop(t *rapid.T, text []byte) [][]byte {
	var chunks [][]byte
	for len(text) > 0 {
		n := rapid.OneOf(rapid.IntRange(1, 8), rapid.IntRange(1, 200_000)).Draw(t, "n")
		n = min(n, len(text))
		chunks = append(chunks, text[:n])
		text = text[n:]
	}
	return chunks
}
