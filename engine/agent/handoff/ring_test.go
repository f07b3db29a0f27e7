package handoff

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/agent/record"
)

// step is something that happens to a transcript.
type step struct {
	Kind ItemKind // zero ends an attempt
	ID   string
	Text string
}

func drawSteps(t *rapid.T) []step {
	one := rapid.Custom(func(t *rapid.T) step {
		kind := rapid.SampledFrom([]ItemKind{ItemCall, ItemResult, ItemCall, ItemResult, ItemText, ItemUser, 0}).Draw(t, "kind")
		size := rapid.SampledFrom([]int{1, 3, 40, 900, 5000}).Draw(t, "size")
		return step{
			kind, rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "id"),
			rapid.StringMatching("[a-z]{3}").Draw(t, "text") + strings.Repeat("é", size),
		}
	})
	return append(rapid.SliceOfN(one, 0, 60).Draw(t, "steps"), step{})
}

func play(limit int, steps []step) *Transcript {
	tr := NewTranscript(limit, untouched)
	for _, s := range steps {
		switch s.Kind {
		case ItemCall:
			tr.call(s.ID, "tool", s.Text)
		case ItemResult:
			tr.result(s.ID, s.Text, false)
		case 0:
			tr.close("a test")
		default:
			tr.say(s.Kind, s.Text)
		}
	}
	return tr
}

// repaired is what all steps come to, with the place of each call's result; it is as
// simple as can be.
func repaired(steps []step) (all []Item, results map[int]int) {
	results = map[int]int{}
	open := func(id string) int { // the latest one
		for i := len(all) - 1; i >= 0; i-- {
			if _, done := results[i]; all[i].Kind == ItemCall && !done && all[i].ID == id {
				return i
			}
		}
		return -1
	}
	oldest := func() int {
		for i := range all {
			if _, done := results[i]; all[i].Kind == ItemCall && !done {
				return i
			}
		}
		return -1
	}
	for _, s := range steps {
		it := Item{Kind: s.Kind, ID: s.ID, Text: s.Text}
		switch s.Kind {
		case ItemCall:
			it.Name = "tool"
		case ItemResult:
			i := open(s.ID)
			if i < 0 {
				continue
			}
			results[i] = len(all)
		case 0:
			for i := oldest(); i >= 0; i = oldest() {
				results[i] = len(all)
				all = append(all, Item{Kind: ItemResult, ID: all[i].ID, Failed: true, Text: "[no result: the call was cut off by a test; whether it took effect is not known]"})
			}
			continue
		default:
			it.ID = ""
		}
		all = append(all, it)
	}
	return all, results
}

// without leaves out the oldest steps, and with a call its result.
func without(all []Item, results map[int]int, oldest int) []Item {
	gone := map[int]bool{}
	for i, it := range all {
		if it.Kind != ItemResult && oldest > 0 {
			oldest--
			gone[i] = true
			if r, ok := results[i]; ok {
				gone[r] = true
			}
		}
	}
	var left []Item
	for i, it := range all {
		if !gone[i] {
			left = append(left, it)
		}
	}
	return left
}

// heads compares items whose texts may have been shortened.
func heads(items []Item) []Item {
	var all []Item
	for _, it := range items {
		it.Text = record.Cut(it.Text, 90)
		all = append(all, it)
	}
	return all
}

// Whatever happened and however little room there is: each call has one result, nothing
// changes places, only the oldest is left out, and it fits.
func TestTranscriptsAreRepairedAndFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := drawSteps(t)
		limit := rapid.SampledFrom([]int{0, 100, 1500, 9000, 40_000, 1 << 30}).Draw(t, "limit")
		tr := play(limit, steps)
		check := func(room int) {
			all, results := repaired(steps)
			want := without(all, results, tr.leftOut)
			got := tr.Items()
			if diff := cmp.Diff(heads(want), heads(got)); diff != "" {
				t.Fatalf("with room for %d (-want +got):\n%s", room, diff)
			}
			size := 0
			for _, it := range got {
				size += it.size()
			}
			if size != tr.size || size > room || len(tr.open) > 0 {
				t.Fatalf("size %d, taken for %d, of %d; %d open", size, tr.size, room, len(tr.open))
			}
			if room == 1<<30 && tr.leftOut > 0 {
				t.Fatalf("%d left out without need", tr.leftOut)
			}
			if len(tr.items) > 0 && tr.items[0].gone {
				t.Fatal("the first item is gone")
			}
		}
		check(limit)
		if again := play(limit, steps); again.Note(nil, false) != tr.Note(nil, false) {
			t.Fatal("the same steps give another note")
		}
		less := rapid.IntRange(0, 20_000).Draw(t, "less")
		before := len(tr.Note(nil, false))
		tr.Fit(less)
		check(min(limit, less))
		if after := len(tr.Note(nil, false)); after > less+NoteFrame || after > before+100 {
			t.Fatalf("the note was %d long and is now %d, of %d", before, after, less+NoteFrame)
		}
	})
}

// Room is made by shortening long results before anything is dropped.
func TestLongResultsAreShortenedFirst(t *testing.T) {
	var steps []step
	for range 8 {
		steps = append(steps, step{ItemCall, "a", "x"}, step{ItemResult, "a", strings.Repeat("y", 9000)})
	}
	tr := play(40_000, steps)
	if n := len(tr.Items()); tr.leftOut > 0 || n != 16 {
		t.Errorf("%d left out, %d left", tr.leftOut, n)
	}
	if first, last := tr.items[1].Text, tr.items[15].Text; len(first) > 2*shortResult || len(last) != 9000 {
		t.Errorf("the oldest result has %d bytes, the newest %d", len(first), len(last))
	}
}

// repeat gives a text over and over.
type repeat struct {
	text string
	left int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	r.left--
	return copy(p, r.text), nil
}

func TestTranscriptHoldsNoMoreThanItMay(t *testing.T) {
	stream := assistantSays(`{"type":"tool_use","id":"a","name":"Read","input":{}}`) +
		userSays(`{"type":"tool_result","tool_use_id":"a","content":"`+strings.Repeat("z", 20_000)+`"}`) +
		assistantSays(`{"type":"tool_use","id":"open","name":"Read","input":{}}`)
	const limit, times = 100_000, 500
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	tr := NewTranscript(limit, untouched)
	size, err := tr.Add("claude", &repeat{stream, times}, false, "a test")
	grown := int64(heap()) - int64(before)
	if err != nil || grown > 8*limit || tr.size > limit {
		t.Errorf("%d bytes are held, %d counted; %v", grown, tr.size, err)
	}
	if size < times*20_000 || size > times*21_000 {
		t.Errorf("the whole is taken for %d bytes", size)
	}
	if tr.leftOut == 0 || !strings.Contains(tr.Note(nil, false), "the oldest steps are left out: ") {
		t.Error("nothing is said of what is left out")
	}
}

func FuzzTranscriptClaude(f *testing.F) { fuzzTranscript(f, "claude") }

func FuzzTranscriptCodex(f *testing.F) { fuzzTranscript(f, "codex") }

func FuzzTranscriptOpencode(f *testing.F) { fuzzTranscript(f, "opencode") }

func FuzzTranscriptCopilot(f *testing.F) { fuzzTranscript(f, "copilot") }

func FuzzTranscriptGrok(f *testing.F) { fuzzTranscript(f, "grok") }

func FuzzTranscriptGeneric(f *testing.F) { fuzzTranscript(f, "generic") }

// fuzzTranscript feeds any bytes: what comes out is repaired, plain and without
// secrets, however little room there is.
func fuzzTranscript(f *testing.F, dialect string) {
	files, err := filepath.Glob(filepath.Join(streams, "*", dialect, "*"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		stream, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(stream, 1000, false)
	}
	const secret = "hunter22"
	f.Add([]byte(assistantSays(`{"type":"text","text":"hun\u001b[0mter22"},{"type":"tool_use","id":"hunter22","name":"x"}`)), 100, true)
	f.Add([]byte(`{"type":"item.started","item":{"id":"1","type":"command_execution","command":"\u001b[1mhunter\u202e22"}}`), 1<<20, false)
	redact := func(s string) string { return strings.ReplaceAll(s, secret, "***") }
	f.Fuzz(func(t *testing.T, stream []byte, limit int, torn bool) {
		limit = min(max(limit, 0), 1<<20)
		notes := make([]string, 2)
		for i := range notes {
			tr := NewTranscript(limit, redact)
			for range 2 {
				if _, err := tr.Add(dialect, bytes.NewReader(stream), torn, "a test"); err != nil {
					t.Fatal(err)
				}
			}
			calls := 0
			for _, e := range tr.items {
				switch {
				case e.gone:
				case e.Kind == ItemResult:
					calls--
				case e.Kind == ItemCall:
					calls++
				}
			}
			if calls != 0 || len(tr.open) != 0 || tr.size > limit {
				t.Errorf("%d calls more than results, %d open, %d bytes of %d", calls, len(tr.open), tr.size, limit)
			}
			notes[i] = tr.Note([]Worked{{Target: string(stream), Cause: "a test"}}, false)
		}
		if notes[0] != notes[1] {
			t.Error("the same stream gives two notes")
		}
		note := notes[0]
		if !utf8.ValidString(note) || strings.IndexFunc(note, record.Hidden) >= 0 || strings.Contains(note, secret) || len(note) > limit+NoteFrame {
			t.Errorf("a note of %d bytes, room for %d: %q", len(note), limit, note)
		}
	})
}
