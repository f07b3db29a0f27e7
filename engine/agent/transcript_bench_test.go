package agent

import (
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
