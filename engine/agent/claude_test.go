package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// atNoon is the reference of the made streams: 2026-10-01 12:00 UTC.
func atNoon() Reference { return Reference{Now: time.Unix(1790856000, 0)} }

const (
	claudeInit     = `{"type":"system","subtype":"init","session_id":"s1","model":"claude-sonnet-5[1m]"}`
	claudeRejected = `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1790866800,"rateLimitType":"five_hour","isUsingOverage":false}}`
	claudeWords    = `{"type":"assistant","message":{"id":"m1","model":"claude-sonnet-5","content":[{"type":"text","text":"You've hit your session limit · resets 3pm (UTC)"}],"usage":{"input_tokens":5,"output_tokens":7}}}`
	claudeDone     = `{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"You've hit your session limit · resets 3pm (UTC)","total_cost_usd":0.25,"usage":{"input_tokens":5,"output_tokens":9}}`
)

// claudeFailure is a failed result with that status and text.
func claudeFailure(status, text string) string {
	return `{"type":"result","subtype":"success","is_error":true,"api_error_status":` + status + `,"num_turns":1,"result":"` + text + `"}`
}

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func rulesOf(v run.Verdict) string {
	var all []string
	for _, e := range v.Evidence {
		all = append(all, e.Rule)
	}
	return strings.Join(all, " ")
}

func TestRejectedEventFollowedBySuccessTripsNothing(t *testing.T) {
	v := judgeText("claude", lines(claudeInit, claudeRejected, claudeWords, claudeDone), atNoon(), End{})
	want := run.Verdict{
		Class: run.ClassSuccess, Model: "claude-sonnet-5[1m]", Session: "s1",
		Usage:    run.Usage{Input: 5, Output: 9, CostUSD: 0.25},
		Evidence: []run.Evidence{{Line: 4, Rule: "claude.result.success"}},
	}
	if diff := cmp.Diff(want, v); diff != "" {
		t.Errorf("verdict (-want +got):\n%s", diff)
	}
}

func TestClaudeModelOfAFallback(t *testing.T) {
	stream := lines(claudeInit, strings.Replace(claudeWords, "claude-sonnet-5", "claude-haiku-4", 1), claudeDone)
	if v := judgeText("claude", stream, atNoon(), End{}); v.Model != "claude-haiku-4" {
		t.Errorf("model = %q, want the one that answered", v.Model)
	}
}

func TestClaudeUsageWithoutResult(t *testing.T) {
	message := func(id, use string) string {
		return `{"type":"assistant","message":{"id":"` + id + `","model":"claude-sonnet-5","content":[],"usage":` + use + `}}`
	}
	stream := lines(claudeInit,
		message("m1", `{"input_tokens":10,"output_tokens":1}`), message("m1", `{"input_tokens":10,"output_tokens":4,"cache_read_input_tokens":100}`),
		message("m2", `{"input_tokens":"20","output_tokens":1e400,"cache_creation_input_tokens":-5}`))
	want := run.Usage{Input: 30, Output: 4, CacheRead: 100, Unpriced: 134}
	if got := judgeText("claude", stream, atNoon(), End{}).Usage; got != want {
		t.Errorf("usage = %+v, want %+v", got, want)
	}
}

func TestClaudeUsageOfSeveralCycles(t *testing.T) {
	// The second cycle fails without a usage of its own, after a message that has one.
	second := strings.Replace(strings.Replace(claudeWords, "m1", "m2", 1), `"output_tokens":7`, `"output_tokens":70`, 1)
	failure := strings.Replace(claudeFailure("429", "x"), `{`, `{"total_cost_usd":0,`, 1)
	stream := lines(claudeInit, claudeWords, claudeDone, claudeInit, second, failure)
	want := run.Usage{Input: 10, Output: 79, CostUSD: 0.25}
	if got := judgeText("claude", stream, atNoon(), End{}).Usage; got != want {
		t.Errorf("usage = %+v, want %+v", got, want)
	}
}

// sights is what each line of a stream shows, with what the agent does or says by it.
func sights(t *testing.T, dialect, stream string) []run.Sight {
	t.Helper()
	r, err := NewReader(dialect, atNoon())
	if err != nil {
		t.Fatal(err)
	}
	var all []run.Sight
	for line := range strings.SplitAfterSeq(stream, "\n") {
		r.Feed([]byte(line), func(s run.Sight) {
			if s.Passing() && len(all) > 0 {
				all[len(all)-1].Doing, all[len(all)-1].Message = s.Doing, s.Message
				return
			}
			all = append(all, s)
		})
	}
	return all
}

func TestClaudeSights(t *testing.T) {
	retry := func(n, status string) string {
		return `{"type":"system","subtype":"api_retry","attempt":` + n + `,"max_retries":10,"retry_delay_ms":541.3,"error_status":` + status + `,"error":"rate_limit"}`
	}
	delay := 542 * time.Millisecond
	for name, tc := range map[string]struct {
		stream []string
		want   []run.Sight
	}{
		"init":       {[]string{claudeInit}, []run.Sight{{Session: "s1", Model: "claude-sonnet-5[1m]"}}},
		"requesting": {[]string{`{"type":"system","subtype":"status","status":"requesting"}`}, nil},
		"retries": {[]string{retry("1", "429"), retry("2", "429"), retry("3", "529"), retry("4", "null")}, []run.Sight{
			{Limit: true, Retry: run.Retry{Attempt: 1, Max: 10, Delay: delay, Status: 429}},
			{Limit: true, Retry: run.Retry{Attempt: 2, Max: 10, Delay: delay, Status: 429}, Suspect: "it retries after status 429"},
			{Retry: run.Retry{Attempt: 3, Max: 10, Delay: delay, Status: 529}},
			{Limit: true, Retry: run.Retry{Attempt: 4, Max: 10, Delay: delay}, Suspect: "it retries after status 429"},
		}},
		"an answer between retries": {[]string{retry("1", "429"), claudeWords, retry("1", "429")}, []run.Sight{
			{Limit: true, Retry: run.Retry{Attempt: 1, Max: 10, Delay: delay, Status: 429}},
			{
				Served: "text", Model: "claude-sonnet-5", Steps: 1, Usage: run.Usage{Input: 5, Output: 7, Unpriced: 12},
				Message: "You've hit your session limit · resets 3pm (UTC)",
			},
			{Limit: true, Retry: run.Retry{Attempt: 1, Max: 10, Delay: delay, Status: 429}},
		}},
		"rejected": {[]string{claudeRejected}, []run.Sight{{Limit: true, Suspect: "a call was rejected by the five-hour limit"}}},
		"rejected, on credits": {[]string{
			`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","overageStatus":"allowed_warning","isUsingOverage":true}}`,
		}, nil},
		"credits are spent too": {[]string{
			`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","overageStatus":"rejected","isUsingOverage":true}}`,
		}, []run.Sight{{Limit: true, Suspect: "a call was rejected"}}},
		"allowed, without credits": {[]string{
			`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","overageStatus":"rejected","isUsingOverage":false}}`,
		}, []run.Sight{{Served: "allowed"}}},
		"synthetic": {[]string{
			`{"type":"assistant","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"limit"}],"usage":{"output_tokens":0}}}`,
		}, []run.Sight{{Steps: 1, Idle: 1}}},
		"tool": {[]string{
			`{"type":"assistant","message":{"id":"m1","model":"opus","content":[{"type":"tool_use","name":"Bash","input":{"description":"list","command":"ls\n -l"}}],"usage":{"output_tokens":3}}}`,
		}, []run.Sight{{Served: "tool", Model: "opus", Doing: "Bash ls -l", Usage: run.Usage{Output: 3, Unpriced: 3}, Steps: 1}}},
		"partial": {[]string{
			`{"type":"stream_event","event":{"type":"message_start","message":{"id":"m1","model":"opus","usage":{"output_tokens":1}}}}`,
			`{"type":"stream_event","event":{"type":"content_block_start","content_block":{"type":"tool_use","name":"Read","input":{}}}}`,
			`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{"}}}`,
			`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"hi"}}}`,
			`{"type":"assistant","message":{"id":"m1","model":"opus","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":2,"output_tokens":1}}}`,
			`{"type":"stream_event","event":{"type":"message_delta","usage":{"output_tokens":25}}}`,
			`{"type":"stream_event","event":{"type":"message_stop"}}`,
		}, []run.Sight{
			{Served: "tokens", Model: "opus"},
			{Served: "tool", Doing: "Read"},
			{Served: "tool"},
			{Served: "text"},
			{Served: "text", Message: "hi", Usage: run.Usage{Input: 2, Output: 1, Unpriced: 3}, Steps: 1},
			{Served: "tokens", Usage: run.Usage{Input: 2, Output: 25, Unpriced: 27}},
		}},
		"failure":          {[]string{claudeFailure("429", "x")}, []run.Sight{{Terminal: true, Limit: true}}},
		"hostile session":  {[]string{`{"type":"system","subtype":"init","session_id":"--dangerously-skip-permissions"}`}, nil},
		"unknown is quiet": {[]string{`{"type":"new_thing","model":"x","session_id":"s9"}`, `{"level":"warn"}`, "[", "12"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sights(t, "claude", lines(tc.stream...))); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMessageIsBounded(t *testing.T) {
	text := "x" + strings.Repeat(" ä", 5000)
	stream := `{"type":"assistant","message":{"id":"m1","model":"opus","content":[{"type":"text","text":"` + text + `"}]}}` + "\n"
	if got := sights(t, "claude", stream)[0].Message; len(got) > record.MaxDoing || len(got) < record.MaxDoing-8 || string(got) != text[:len(got)] || len(got)%3 != 1 {
		t.Errorf("message has %d bytes: %q", len(got), got)
	}
}

func TestRecordedStreamsServeOnlyWhenAModelAnswered(t *testing.T) {
	for file, want := range map[string]bool{
		"streams/claude/ok.jsonl": true, "streams/claude/oauth-429unified.jsonl": false, "streams/claude/529.jsonl": false,
		"streams/claude/429once.jsonl": true, "streams/codex/ok.jsonl": true, "streams/codex/429.jsonl": false, "streams/codex/tool.jsonl": true,
	} {
		data, err := os.ReadFile(filepath.Join(fixtures, file))
		if err != nil {
			t.Fatal(err)
		}
		served := false
		for _, s := range sights(t, strings.Split(file, "/")[1], string(data)) {
			served = served || s.Served != ""
		}
		if served != want {
			t.Errorf("%s: served = %v, want %v", file, served, want)
		}
	}
}
