package handoff

import (
	"fmt"
	"strings"
	"testing"

	"example.com/layover/engine/redact"
)

// BenchmarkTranscript reads what an agent prints when it reads files and edits them.
func BenchmarkTranscript(b *testing.B) {
	code := strings.Repeat(`\tif err := f(x, \"name\"); err != nil { return fmt.Errorf(\"do %d: %w\", n, err) }\n`, 100)
	one := assistantSays(`{"type":"text","text":"I look at it"},{"type":"tool_use","id":"a","name":"Edit","input":{"old":"`+code[:500]+`"}}`) +
		userSays(`{"type":"tool_result","tool_use_id":"a","content":"`+code+`"}`)
	stream := strings.Repeat(one, (16<<20)/len(one))
	r := redact.New([]string{"A_KEY=hunter22hunter22", "B_TOKEN=ghp_0123456789"})
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		t := NewTranscript(300_000, r.String)
		if _, err := t.Add("claude", strings.NewReader(stream), false, "a test"); err != nil {
			b.Fatal(err)
		}
		_ = t.Note(nil, false)
	}
}

// BenchmarkTranscriptOfOpenCalls reads calls that have neither id nor result, with ten
// times as much room the second time, and reports how many times as much each costs then.
func BenchmarkTranscriptOfOpenCalls(b *testing.B) {
	const calls = 200_000
	stream := strings.Repeat(assistantSays(strings.Repeat(`{"type":"tool_use"},`, 99)+`{"type":"tool_use"}`), calls/100)
	var each float64
	for _, room := range []int{150_000, 1_500_000} {
		b.Run(fmt.Sprintf("room=%d", room), func(b *testing.B) {
			for b.Loop() {
				t := NewTranscript(room, func(s string) string { return s })
				if _, err := t.Add("claude", strings.NewReader(stream), false, "a limit"); err != nil {
					b.Fatal(err)
				}
			}
			now := float64(b.Elapsed().Nanoseconds()) / float64(max(b.N, 1))
			if each > 0 {
				b.ReportMetric(now/each, "x-each")
			}
			each = now
		})
	}
}

// BenchmarkTranscriptOfImages reads 128 MiB of output that is images, as the owner does at
// most for one handoff: it looks for the lines to be read, and reads them.
func BenchmarkTranscriptOfImages(b *testing.B) {
	for name, size := range map[string]int{"small": 300_000, "long": 12_000_000} {
		one := assistantSays(`{"type":"tool_use","id":"a","name":"Shot","input":{}}`) +
			userSays(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"base64","data":"`+image(size)+`"}}]}`)
		stream := strings.Repeat(one, (128<<20)/len(one))
		r := redact.New([]string{"A_KEY=hunter22hunter22", "B_TOKEN=ghp_0123456789"})
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			b.ReportAllocs()
			for b.Loop() {
				from, _, err := Recent(strings.NewReader(stream), false, 16<<20)
				if err != nil || from != 0 {
					b.Fatal(from, err)
				}
				t := NewTranscript(300_000, r.String)
				if _, err := t.Add("claude", strings.NewReader(stream), false, "a test"); err != nil {
					b.Fatal(err)
				}
				_ = t.Note(nil, false)
			}
		})
	}
}

// BenchmarkRecent looks through what an agent prints when it edits files.
func BenchmarkRecent(b *testing.B) {
	one := assistantSays(`{"type":"tool_use","id":"a","name":"Edit","input":{"old":"` + strings.Repeat(`\tif err := f(x, \"name\"); err != nil {\n`, 20) + `"}}`)
	stream := strings.Repeat(one, (128<<20)/len(one))
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Recent(strings.NewReader(stream), false, 16<<20); err != nil {
			b.Fatal(err)
		}
	}
}
