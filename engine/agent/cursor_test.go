package agent

import (
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

func FuzzReaderCursor(f *testing.F) { fuzzReader(f, "cursor") }

const cursorInit = `{"type":"system","subtype":"init","session_id":"c1","model":"Auto"}`

func TestCursorVerdicts(t *testing.T) {
	failed := run.Exit{Code: 1}
	for name, tc := range map[string]struct {
		stream string
		end    End
		want   wanted
	}{
		"a limit": {
			cursorInit,
			End{Exit: failed, Stderr: []byte("ActionRequiredError: You've hit your usage limit Get Cursor Pro for more Agent usage, unlimited Tab, and more.")},
			wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily, model: "Auto", rules: "cursor.stderr.usage_limit"},
		},
		"a plan without the model": {
			cursorInit,
			End{Exit: failed, Stderr: []byte("ActionRequiredError: Named models unavailable Free plans can only use Auto. Switch to Auto or upgrade plans to continue.")},
			wanted{class: run.ClassBilling, model: "Auto", rules: "cursor.stderr.billing"},
		},
		"capacity": {
			cursorInit,
			End{Exit: failed, Stderr: []byte("ConnectError: [resource_exhausted] Error")},
			wanted{class: run.ClassOverloaded, model: "Auto", rules: "cursor.stderr.overloaded"},
		},
		"a limit after an answer": {
			lines(cursorInit, `{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}`),
			End{Exit: failed, Stderr: []byte("You've hit your usage limit")},
			wanted{class: run.ClassIncomplete, model: "Auto", rules: "cursor.eof"},
		},
		"a tool that exceeds its limit, then success": {
			lines(cursorInit, `{"type":"tool_call","subtype":"completed","call_id":"a","tool_call":{"readToolCall":{"result":{"success":{"content":"usage limit reached","exceededLimit":true}}}}}`,
				`{"type":"result","subtype":"success","is_error":false,"result":"usage limit reached"}`),
			End{Exit: failed},
			wanted{class: run.ClassSuccess, model: "Auto", rules: "cursor.result.success"},
		},
		"a failed result": {
			lines(cursorInit, `{"type":"result","subtype":"error","is_error":true,"result":"You've hit your usage limit, try again in 5 minutes"}`),
			End{},
			wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "Auto", 1790856300, run.HowText, "cursor.result.usage_limit"},
		},
		"a failed result with an object": {
			lines(cursorInit, `{"type":"result","subtype":"error","error":{"message":"Authentication required"}}`),
			End{},
			wanted{class: run.ClassAuth, model: "Auto", rules: "cursor.result.auth"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("cursor", tc.stream, atNoon(), tc.end))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCursorSights(t *testing.T) {
	call := func(subtype, call string) string {
		return `{"type":"tool_call","subtype":"` + subtype + `","call_id":"a\nb","tool_call":{` + call + `,"toolCallId":"a","startedAtMs":"1790855999200"},"session_id":"c1"}`
	}
	got := sights(t, "cursor", lines(cursorInit,
		`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"the task"}]},"session_id":"c1"}`,
		`{"type":"thinking","subtype":"delta","text":"Reading."}`, `{"type":"thinking","subtype":"completed"}`,
		call("started", `"shellToolCall":{"args":{"workingDirectory":"","command":"ls -l","path":"/x"}}`),
		call("completed", `"shellToolCall":{"args":{"command":"ls -l"},"result":{"success":{"stdout":"x"}}}`),
		call("started", `"readToolCall":{"args":{"path":"a.txt","limit":3}}`),
		call("started", `"function":{"name":"fetch","arguments":"{}"}`),
		`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]},"session_id":"c1"}`,
		`{"type":"result","subtype":"success","is_error":false,"result":"Done.","usage":{"inputTokens":100,"outputTokens":20,"cacheReadTokens":7,"cacheWriteTokens":3}}`))
	want := []run.Sight{
		{Session: "c1", Model: "Auto"},
		{Served: "text"},
		{Served: "tool", Doing: "shell ls -l"},
		{Served: "tool", Doing: "read a.txt"},
		{Served: "tool", Doing: "fetch"},
		{Served: "text", Message: "Done."},
		{Served: "tokens", Usage: run.Usage{Input: 100, Output: 20, CacheRead: 7, CacheWrite: 3, Unpriced: 130}, Steps: 1, Terminal: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sights (-want +got):\n%s", diff)
	}
}
