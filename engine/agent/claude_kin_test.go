package agent

import (
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

func FuzzReaderQwen(f *testing.F) { fuzzReader(f, "qwen") }

func FuzzReaderAmp(f *testing.F) { fuzzReader(f, "amp") }

const (
	qwenInit = `{"type":"system","subtype":"init","session_id":"q1","model":"qwen3-coder-plus","qwen_code_version":"0.24.4"}`
	ampInit  = `{"type":"system","subtype":"init","session_id":"T-1","tools":[]}`
)

// qwenSays is a message with that text for which the model used so many tokens.
func qwenSays(text, tokens string) string {
	return `{"type":"assistant","message":{"id":"m-` + tokens + `","role":"assistant","model":"qwen3-coder-plus","content":[{"type":"text","text":"` + text +
		`"}],"usage":{"input_tokens":` + tokens + `,"output_tokens":` + tokens + `}}}`
}

// qwenClaims is a result that claims success with that text.
func qwenClaims(text string) string {
	return `{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"` + text + `","usage":{"input_tokens":10,"output_tokens":1}}`
}

// qwenFails is a failed result with that message.
func qwenFails(message string) string {
	return `{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"error":{"message":"` + message + `"}}`
}

func ampFails(message string) string {
	return `{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"error":"` + message + `"}`
}

func TestVerdictsOfClaudesKin(t *testing.T) {
	const coder, limit = "qwen3-coder-plus", "[API Error: 429 status code (no body)]"
	success := wanted{class: run.ClassSuccess, model: coder, rules: "qwen.result.success"}
	throttle := wanted{class: run.ClassRateLimited, kind: run.KindThrottle, scope: run.ScopeFamily, model: coder, rules: "qwen.result.429"}
	for name, tc := range map[string]struct {
		dialect string
		stream  []string
		want    wanted
	}{
		"qwen: a result that claims success, but the call failed": {"qwen", []string{qwenInit, qwenSays(limit, "0"), qwenClaims(limit)}, throttle},
		"qwen: the same after work":                               {"qwen", []string{qwenInit, qwenSays("I look", "5"), qwenSays(limit, "0"), qwenClaims(limit)}, throttle},
		"qwen: the model itself says so":                          {"qwen", []string{qwenInit, qwenSays(limit, "7"), qwenClaims(limit)}, success},
		"qwen: an error, then an answer":                          {"qwen", []string{qwenInit, qwenSays(limit, "0"), qwenSays("done", "5"), qwenClaims("done")}, success},
		"qwen: a result without the message":                      {"qwen", []string{qwenInit, qwenClaims(limit)}, success},
		"qwen: a failure":                                         {"qwen", []string{qwenInit, qwenSays(limit, "0"), qwenFails(limit)}, throttle},
		"qwen: words in prose, then a vague error": {
			"qwen",
			[]string{qwenInit, qwenSays("usage limit reached", "5"), qwenFails("Loop detected")},
			wanted{class: run.ClassFailed, model: coder, rules: "qwen.result.error"},
		},
		"qwen: the free quota of a day": {
			"qwen",
			[]string{qwenInit, qwenFails("Qwen OAuth quota exceeded: Your free daily quota has been reached.")},
			wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily, model: coder, rules: "qwen.result.quota"},
		},
		"qwen: a quota of five hours": {
			"qwen",
			[]string{qwenInit, qwenFails("[API Error: hour allocated quota exceeded.]")},
			wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily, model: coder, rules: "qwen.result.quota"},
		},
		"qwen: a quota of a minute": {"qwen", []string{qwenInit, qwenFails("[API Error: Allocated quota exceeded, please increase your quota limit.]")}, throttle},
		"qwen: no free quota any more": {
			"qwen",
			[]string{qwenInit, qwenFails("Qwen OAuth free tier has been discontinued as of 2026-04-15.")},
			wanted{class: run.ClassBilling, model: coder, rules: "qwen.result.billing"},
		},
		"claude writes no such messages": {
			"claude",
			[]string{claudeInit, claudeFailure("null", "x"), qwenClaims(limit)},
			wanted{class: run.ClassSuccess, model: "claude-sonnet-5[1m]", rules: "claude.result.success"},
		},
		"amp: a failure": {"amp", []string{ampInit, ampFails("You've hit your usage limit, resets 3pm")}, wanted{
			run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 1790866800, run.HowText, "amp.result.usage_limit",
		}},
		"amp: out of credits": {"amp", []string{ampInit, ampFails("You are out of credits.")}, wanted{class: run.ClassBilling, rules: "amp.result.billing"}},
		"amp: too many turns": {"amp", []string{ampInit, `{"type":"result","subtype":"error_max_turns","is_error":true,"error":"limit reached"}`}, wanted{class: run.ClassFailed, rules: "amp.result.max_turns"}},
		"amp: cut off":        {"amp", []string{ampInit}, wanted{class: run.ClassIncomplete, rules: "amp.eof"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText(tc.dialect, lines(tc.stream...), atNoon(), End{}))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// What qwen writes itself is no sign that a model answers, in whole messages or in parts.
func TestQwenSights(t *testing.T) {
	const limit = "[API Error: 429 status code (no body)]"
	got := sights(t, "qwen", lines(qwenInit,
		`{"type":"system","subtype":"retry","session_id":"q1","data":{"reason":"retry","attempt":1,"maxRetries":10,"delayMs":60000}}`,
		`{"type":"system","subtype":"retry","session_id":"q1","data":{"reason":"retry","discardedToolCalls":0,"preserveText":false}}`,
		`{"type":"stream_event","session_id":"q1","event":{"type":"message_start","message":{"id":"m","model":"qwen3-coder-plus"}}}`,
		`{"type":"stream_event","session_id":"q1","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"`+limit+`"}}}`,
		qwenSays(limit, "0"),
		`{"type":"assistant","message":{"id":"m1","model":"qwen3-coder-plus","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":100,"output_tokens":5,"cache_read_input_tokens":80}}}`,
		`{"type":"result","subtype":"success","is_error":false,"result":"hi","usage":{"input_tokens":300,"output_tokens":9,"cache_read_input_tokens":200}}`,
		`{"type":"result","subtype":"success","is_error":false,"result":"hi","usage":{"input_tokens":310,"output_tokens":10,"cache_read_input_tokens":200}}`))
	want := []run.Sight{
		{Session: "q1", Model: "qwen3-coder-plus"},
		{Retry: run.Retry{Attempt: 1, Max: 10, Delay: 60e9}},
		{Steps: 1, Idle: 1},
		{Served: "text", Message: "hi", Steps: 1, Usage: run.Usage{Input: 20, CacheRead: 80, Output: 5, Unpriced: 105}},
		{Served: "tokens", Usage: run.Usage{Input: 100, CacheRead: 200, Output: 9, Unpriced: 309}, Terminal: true},
		{Served: "tokens", Usage: run.Usage{Input: 110, CacheRead: 200, Output: 10, Unpriced: 320}, Terminal: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sights (-want +got):\n%s", diff)
	}
}

// Messages of amp have neither id nor model: each counts.
func TestAmpSights(t *testing.T) {
	says := func(block string) string {
		return `{"type":"assistant","message":{"type":"message","role":"assistant","content":[` + block +
			`],"usage":{"input_tokens":100,"cache_creation_input_tokens":10,"cache_read_input_tokens":80,"output_tokens":5}},"parent_tool_use_id":null,"session_id":"T-1"}`
	}
	got := sights(t, "amp", lines(ampInit,
		`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"the task"}]},"session_id":"T-1"}`,
		says(`{"type":"tool_use","id":"a","name":"Bash","input":{"cmd":"ls","command":"ls"}}`), says(`{"type":"text","text":"done"}`),
		`{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"T-1"}`))
	used := run.Usage{Input: 10, CacheRead: 80, CacheWrite: 10, Output: 5, Unpriced: 105}
	want := []run.Sight{
		{Session: "T-1"},
		{Served: "tool", Doing: "Bash ls", Steps: 1, Usage: used},
		{Served: "text", Message: "done", Steps: 1, Usage: used.Add(used)},
		{Terminal: true, Usage: used.Add(used)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sights (-want +got):\n%s", diff)
	}
}
