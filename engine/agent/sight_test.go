package agent

import (
	"os"
	"path/filepath"
	"testing"
)

// What a refused agent says that it used may be that of questions beside the work, which
// a smaller model answered: it is no sign that the limit is over.
func TestTheUsageOfAFailureIsNoSignThatAModelAnswers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(fixtures, "streams", "gemini", "429aside.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	recorded := string(text)
	const use = `"usage":{"input_tokens":900,"output_tokens":12}`
	for dialect, tc := range map[string]struct{ stream, failure string }{
		"claude":   {claudeInit, `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"usage limit reached",` + use + `}`},
		"qwen":     {"", `{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"error":{"message":"429 x"},` + use + `}`},
		"amp":      {"", `{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"error":"429 x",` + use + `}`},
		"codex":    {`{"type":"thread.started","thread_id":"t1"}`, `{"type":"turn.failed","error":{"message":"You've hit your usage limit."},` + use + `}`},
		"gemini":   {"", recorded},
		"cursor":   {cursorInit, `{"type":"result","subtype":"error","is_error":true,"result":"You've hit your usage limit","usage":{"inputTokens":900,"outputTokens":12}}`},
		"grok":     {"", `{"type":"error","message":"API error (status 429 Too Many Requests): x",` + use + `}`},
		"opencode": {"", `{"type":"error","sessionID":"ses_1","error":{"name":"APIError","data":{"message":"usage limit reached","statusCode":429}},"part":{"tokens":{"input":900,"output":12}}}`},
	} {
		t.Run(dialect, func(t *testing.T) {
			for _, s := range sights(t, dialect, lines(tc.stream, tc.failure)) {
				if s.Served != "" {
					t.Errorf("a sign that a model answers: %+v", s)
				}
			}
		})
	}
}
