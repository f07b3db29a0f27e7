package handoff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/record"
)

func TestTranscriptOfOthers(t *testing.T) {
	call := func(name, text string) Item { return Item{Kind: ItemCall, ID: "a", Name: name, Text: text} }
	result := func(text string, failed bool) Item {
		return Item{Kind: ItemResult, ID: "a", Text: text, Failed: failed}
	}
	says := func(text string) Item { return Item{Kind: ItemText, Text: text} }
	const cut = "[no result: the call was cut off by a test; whether it took effect is not known]"
	const geminiUse = `{"type":"tool_use","tool_name":"shell","tool_id":"a","parameters":{"n":1}}`
	const cursorUse = `{"type":"tool_call","subtype":"started","call_id":"a","tool_call":{"shellToolCall":{"args":{"command":"ls"}}}}`
	cursorDone := func(outcome string) string {
		return `{"type":"tool_call","subtype":"completed","call_id":"a","tool_call":{"shellToolCall":{"args":{"command":"ls"},"result":` + outcome + `}}}`
	}
	for name, tc := range map[string]struct {
		dialect string
		stream  []string
		want    []Item
	}{
		"gemini: a call that fails": {
			"gemini",
			[]string{geminiUse, `{"type":"tool_result","tool_id":"a","status":"error","error":{"type":"x","message":"no such file"}}`},
			[]Item{call("shell", `{"n":1}`), result("no such file", true)},
		},
		"gemini: a text before a call": {
			"gemini",
			[]string{`{"type":"message","role":"assistant","content":"I look","delta":true}`, geminiUse, `{"type":"tool_result","tool_id":"a","status":"success","output":"x"}`},
			[]Item{says("I look"), call("shell", `{"n":1}`), result("x", false)},
		},
		"gemini: cut off within a text": {
			"gemini",
			[]string{geminiUse, `{"type":"message","role":"assistant","content":"so ","delta":true}`, `{"type":"message","role":"assistant","content":"far","delta":true}`},
			[]Item{call("shell", `{"n":1}`), says("so far"), result(cut, true)},
		},
		"gemini: a result that is too long": {
			"gemini",
			[]string{geminiUse, `{"type":"tool_result","tool_id":"a","status":"success","output":"` + strings.Repeat("x", 2*record.MaxLine) + `"}`},
			[]Item{call("shell", `{"n":1}`), result("[the result is too long to be kept]", false)},
		},
		"cursor: parts of a message are not doubled": {
			"cursor",
			[]string{
				`{"type":"assistant","message":{"content":[{"type":"text","text":"I'l"}]},"timestamp_ms":1790856000000}`,
				`{"type":"assistant","message":{"content":[{"type":"text","text":"I'll look"}]},"timestamp_ms":1790856000000,"model_call_id":"m"}`,
				`{"type":"assistant","message":{"content":[{"type":"text","text":"Done"}]}}`,
			},
			[]Item{says("I'll look"), says("Done")},
		},
		"cursor: the output of a command": {
			"cursor",
			[]string{cursorUse, cursorDone(`{"success":{"exitCode":0,"stdout":"a.txt"}}`)},
			[]Item{call("shell", `{"command":"ls"}`), result("a.txt", false)},
		},
		"cursor: a call that is refused": {
			"cursor",
			[]string{cursorUse, cursorDone(`{"rejected":{"reason":"not allowed"}}`)},
			[]Item{call("shell", `{"command":"ls"}`), result(`{"reason":"not allowed"}`, true)},
		},
		"cursor: a call whose start was not told": {
			"cursor",
			[]string{cursorDone(`{"success":{"linesAdded":1}}`)},
			[]Item{call("shell", `{"command":"ls"}`), result(`{"linesAdded":1}`, false)},
		},
		"cursor: an open call": {"cursor", []string{cursorUse}, []Item{call("shell", `{"command":"ls"}`), result(cut, true)}},
		"cursor: a result that is too long": {
			"cursor",
			[]string{cursorUse, cursorDone(`{"success":{"stdout":"` + strings.Repeat("x", 2*record.MaxLine) + `"}}`)},
			[]Item{call("shell", `{"command":"ls"}`), result("[the result is too long to be kept]", false)},
		},
		"amp: a result, and what the user says within the work": {
			"amp",
			[]string{
				`{"type":"user","message":{"content":[{"type":"text","text":"the task"}]}}`,
				`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}]}}`,
				`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}}`,
			},
			[]Item{call("Bash", "{}"), result("ok", false)},
		},
		"qwen: the model speaks of an error": {"qwen", []string{`{"type":"assistant","session_id":"q","message":{"role":"assistant","content":[{"type":"text","text":"[API Error: 429]"}],"usage":{"input_tokens":100,"output_tokens":7}}}`}, []Item{says("[API Error: 429]")}},
	} {
		t.Run(name, func(t *testing.T) {
			got := transcribed(t, tc.dialect, joined(tc.stream...), "a test")
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
