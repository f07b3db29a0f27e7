package runfile_test

import (
	"strings"
	"testing"

	"example.com/layover/engine/runfile"
)

// What a run.json of team-harness holds most of is prompts and messages, which are not read.
func BenchmarkDecodeLong(b *testing.B) {
	words := strings.Repeat(`Say \"what\" you do.\n`, 2000)
	turn := `{"index":1,"messages_appended_delta":[{"role":"user","content":"` + words + `"}],"usage":{"prompt_tokens":9}}`
	decode(b, `{"run_id":"r","turns":[`+strings.Repeat(turn+",", 200)+turn+`]}`)
}

func BenchmarkDecodeManyAgents(b *testing.B) {
	agent := `{"id":"agent_1","agent_type":"claude","status":"running","cwd":"/d","spawned_at":"2026-03-01T22:00:00Z","stdout_log":"l","pid":7}`
	decode(b, `{"agents":[`+strings.Repeat(agent+",", 100_000)+agent+`]}`)
}

func decode(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if f, err := runfile.Decode([]byte(text)); err != nil || !f.Known() {
			b.Fatal(err)
		}
	}
}
