package handoff

import (
	"encoding/base64"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/agent/record"
)

// image is so many bytes of an image, encoded.
func image(n int) string {
	b, random := make([]byte, n*3/4+3), rand.New(rand.NewPCG(1, 1))
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJ" + base64.StdEncoding.EncodeToString(b)[:n]
}

// heavy is what a line weighs, as simply as can be.
func heavy(line string) (weight int64) {
	if len(line) > record.MaxLine {
		return longWeight
	}
	weight = int64(len(line)) + 1
	for _, part := range strings.Split(line, `"`)[:strings.Count(line, `"`)] {
		if blob(record.Raw(`"`+part+`"`)) != "" {
			weight -= int64(len(part))
		}
	}
	return weight
}

// The newest lines are chosen that weigh no more than they may; the oldest of them is
// chosen to a small part of that.
func TestTheNewestLinesAreChosen(t *testing.T) {
	long := strings.Repeat("x", record.MaxLine+1)
	picture := image(5000)
	piece := rapid.SampledFrom([]string{"", "{}", `{"a":"` + strings.Repeat("b c", 700) + `"}`, `{"data":"` + picture + `","b":"c"}`, picture, long, `"` + strings.Repeat("w", 4000) + `"`, strings.Repeat(`"`, 100)})
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(piece, 1, 40).Draw(t, "lines")
		most := rapid.SampledFrom([]int64{0, 10, 3000, 9000, 40_000, 1 << 30}).Draw(t, "most")
		torn := rapid.Bool().Draw(t, "torn")
		stream := strings.Join(lines, "\n") + "\n"
		var r io.Reader = strings.NewReader(stream)
		if len(stream) < 50_000 {
			r = iotest.OneByteReader(r)
		}
		from, weight, err := Recent(r, torn, most)
		if err != nil {
			t.Fatal(err)
		}
		if weight > most || from > int64(len(stream)) || from > 0 && stream[from-1] != '\n' {
			t.Fatalf("from %d of %d, %d of %d", from, len(stream), weight, most)
		}
		var want int64
		for _, line := range strings.Split(strings.TrimSuffix(stream[from:], "\n"), "\n") {
			if from < int64(len(stream)) {
				want += heavy(line)
			}
		}
		if diff := cmp.Diff(want, weight); diff != "" {
			t.Fatalf("from %d: weight %s", from, diff)
		}
		rest := lines[:len(lines)-strings.Count(stream[from:], "\n")]
		if torn && len(rest) > 0 {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			room := most/markShare + int64(len(rest[len(rest)-1])) + 1
			if next := heavy(rest[len(rest)-1]); weight+next+room <= most {
				t.Fatalf("%d of %d are chosen, and the next line weighs %d", weight, most, next)
			}
		}
	})
}

// An image takes no place of the work before it, neither of what is read nor of what is
// kept, and the record says that it was there.
func TestAnImageTakesNoRoom(t *testing.T) {
	use := func(id string) string {
		return assistantSays(`{"type":"tool_use","id":"` + id + `","name":"Read","input":{"file":"` + id + `"}}`)
	}
	shot := `[{"type":"image","source":{"type":"base64","data":"` + image(300_000) + `"}}]`
	huge := `[{"type":"image","source":{"type":"base64","data":"` + strings.Repeat(image(300_000), 10) + `"}}]`
	b := use("first") + userSays(`{"type":"tool_result","tool_use_id":"first","content":"it said so"}`)
	for range 5 {
		b += use("shot") + userSays(`{"type":"tool_result","tool_use_id":"shot","content":`+shot+`}`)
		b += use("huge") + userSays(`{"type":"tool_result","tool_use_id":"huge","content":`+huge+`}`)
		b += use("data") + userSays(`{"type":"tool_result","tool_use_id":"data","content":"data:image/png;base64,`+image(300_000)+`"}`)
	}
	const most = 100_000
	if from, weight, err := Recent(strings.NewReader(b), false, most); from != 0 || err != nil {
		t.Errorf("%d bytes are left out, %d read; %v", from, weight, err)
	}
	tr := NewTranscript(20_000, untouched)
	if _, err := tr.Add("claude", strings.NewReader(b), false, "a test"); err != nil {
		t.Fatal(err)
	}
	note := tr.Note(nil, false)
	for want, times := range map[string]int{"it said so": 1, "[image]": 5, "[the result is too long to be kept]": 5, "[300106 bytes of data]": 5, "are left out": 0, "iVBOR": 0} {
		if got := strings.Count(note, want); got != times {
			t.Errorf("%q is there %d times, want %d", want, got, times)
		}
	}
	codex := `{"type":"item.completed","item":{"id":"1","type":"mcp_tool_call","tool":"shot","arguments":{},"result":{"content":[{"type":"image","data":"` + image(300_000) + `"}]}}}` + "\n"
	if items := transcribed(t, "codex", codex, ""); !strings.Contains(items[1].Text, `{"type":"image","data":"[300084 bytes of data]"}`) {
		t.Errorf("%.300q", items[1].Text)
	}
}

// What looks like encoded bytes only at first, or is short, is read.
func TestWhatIsNoBlob(t *testing.T) {
	for _, text := range []string{image(100), image(3000) + " and words", image(3000) + `\n`, strings.Repeat("word ", 1000), strings.Repeat("x", 5000), strings.Repeat("日本語", 2000), strings.Repeat("0", 4000)} {
		if got := blob(record.Raw(`"` + text + `"`)); got != "" {
			t.Errorf("%.100s is %s", text, got)
		}
	}
}
