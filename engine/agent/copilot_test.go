package agent

import (
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

const (
	copilotStarted = `{"type":"session.start","data":{"sessionId":"c1","selectedModel":"gpt-6"},"timestamp":"2026-10-01T11:59:00.000Z"}`
	copilotSays    = `{"type":"assistant.message","data":{"messageId":"m1","content":"402 You have no quota","toolRequests":[],"outputTokens":3,"model":"gpt-6"}}`
)

func copilotError(data string) string {
	return `{"type":"session.error","data":{` + data + `},"timestamp":"2026-10-01T12:00:00.000Z"}`
}

func copilotResult(code string) string {
	return `{"type":"result","timestamp":"2026-10-01T12:00:00.000Z","sessionId":"c1","exitCode":` + code + `,"usage":{"premiumRequests":7.5}}`
}

func TestCopilotVerdicts(t *testing.T) {
	const prefix = "copilot.error."
	failed := End{Exit: run.Exit{Code: 1}}
	quota := copilotError(`"errorType":"quota","errorCode":"quota_exceeded","message":"402 You have no quota","statusCode":402`)
	limit := func(kind run.Kind, scope run.Scope, rule string) wanted {
		return wanted{class: run.ClassRateLimited, kind: kind, scope: scope, model: "gpt-6", rules: prefix + rule}
	}
	as := func(class run.Class, rules string) wanted { return wanted{class: class, model: "gpt-6", rules: rules} }
	for name, tc := range map[string]struct {
		stream []string
		end    End
		want   wanted
	}{
		"done":                       {[]string{copilotSays, copilotResult("0")}, End{}, as(run.ClassSuccess, "copilot.result.success")},
		"an error that was survived": {[]string{quota, copilotSays, copilotResult("0")}, End{}, as(run.ClassSuccess, "copilot.result.success")},
		"an error, status 0":         {[]string{quota, copilotResult("0")}, End{}, as(run.ClassSuccess, "copilot.result.success")},
		"an error before an answer":  {[]string{quota, copilotSays, copilotResult("1")}, failed, as(run.ClassFailed, "copilot.result.exit.1")},
		"prose":                      {[]string{copilotSays}, failed, as(run.ClassIncomplete, "copilot.eof")},
		"a month's quota":            {[]string{quota, copilotResult("1")}, failed, limit(run.KindUsage, run.ScopeFamily, "quota_exceeded")},
		"an error, no result":        {[]string{quota}, failed, limit(run.KindUsage, run.ScopeFamily, "quota_exceeded")},
		"an error, and killed":       {[]string{quota}, End{Exit: run.Exit{Code: 143}}, as(run.ClassIncomplete, "copilot.eof")},
		"a week": {
			[]string{copilotError(`"errorType":"rate_limit","errorCode":"user_weekly_rate_limited","message":"You've hit your weekly rate limit. Please try again in 3 days 4 hours.","statusCode":429`), copilotResult("1")},
			failed,
			wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "gpt-6", 1790856000 + 76*3600, run.HowText, prefix + "user_weekly_rate_limited"},
		},
		"one model":   {[]string{copilotError(`"errorType":"rate_limit","errorCode":"user_model_rate_limited","message":"x","statusCode":429`), copilotResult("1")}, failed, limit(run.KindThrottle, run.ScopeModel, "user_model_rate_limited")},
		"no code":     {[]string{copilotError(`"errorType":"rate_limit","message":"x"`), copilotResult("1")}, failed, limit(run.KindThrottle, run.ScopeFamily, "429")},
		"new code":    {[]string{copilotError(`"errorType":"quota","errorCode":"user_daily_quota","message":"x"`), copilotResult("1")}, failed, limit(run.KindUsage, run.ScopeFamily, "quota")},
		"no billing":  {[]string{copilotError(`"errorType":"quota","errorCode":"billing_not_configured","message":"x"`), copilotResult("1")}, failed, as(run.ClassBilling, prefix+"billing_not_configured")},
		"too long":    {[]string{copilotError(`"errorType":"context_limit","message":"x"`), copilotResult("1")}, failed, as(run.ClassContextOverflow, prefix+"context_limit")},
		"any query":   {[]string{copilotError(`"errorType":"query","message":"x"`), copilotResult("1")}, failed, as(run.ClassFailed, prefix+"error")},
		"broken off":  {[]string{`{"type":"abort","data":{"reason":"user_abort"}}`, copilotResult("1")}, failed, as(run.ClassCancelled, "copilot.result.aborted")},
		"plainly":     {[]string{copilotResult("2")}, failed, as(run.ClassFailed, "copilot.result.exit.2")},
		"of claude":   {[]string{`{"type":"result","subtype":"success","is_error":false}`}, End{}, as(run.ClassIncomplete, "copilot.eof")},
		"not a count": {[]string{copilotResult(`"x"`)}, End{}, as(run.ClassSuccess, "copilot.result.success")},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("copilot", lines(append([]string{copilotStarted}, tc.stream...)...), atNoon(), tc.end))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
	gone := End{Exit: run.Exit{Code: 1}, Stderr: []byte("Error: No session, task, or name matched 'c1'.\n")}
	if v := judgeText("copilot", "", atNoon(), gone); !SessionGone(v) {
		t.Errorf("verdict = %+v, want one on a session that is gone", v)
	}
}

func TestCopilotSights(t *testing.T) {
	const again = `{"type":"assistant.turn_retry","data":{"turnId":"0","model":"gpt-6","reason":"rate_limit"}}`
	failure := func(status string) string {
		return `{"type":"model.call_failure","data":{"statusCode":` + status + `,"retryAttempt":0}}`
	}
	for name, tc := range map[string]struct {
		stream []string
		want   []run.Sight
	}{
		"started": {[]string{copilotStarted}, []run.Sight{{Session: "c1", Model: "gpt-6"}}},
		"answers": {[]string{
			`{"type":"assistant.message_delta","data":{"deltaContent":"Do"}}`, copilotSays,
			`{"type":"tool.execution_start","data":{"toolCallId":"1","toolName":"bash","arguments":{"command":"ls -l"}}}`,
			`{"type":"assistant.message","data":{"content":"","model":"mini","parentToolCallId":"1","toolRequests":[{}]}}`,
			`{"type":"assistant.usage","data":{"model":"gpt-6","inputTokens":10,"outputTokens":3,"cacheReadTokens":6,"cost":1}}`,
		}, []run.Sight{
			{Served: "text"},
			{Served: "text", Model: "gpt-6", Message: "402 You have no quota", Usage: run.Usage{Output: 3, Unpriced: 3}, Steps: 1},
			{Served: "tool", Doing: "bash ls -l"},
			{Served: "tool", Steps: 1},
			{Served: "tokens", Usage: run.Usage{Input: 4, Output: 3, CacheRead: 6, Unpriced: 13}},
		}},
		"retries": {[]string{
			failure("429"), again, failure("500"), `{"type":"assistant.turn_retry","data":{"reason":"api_error"}}`, again, copilotSays, failure("429"), again,
		}, []run.Sight{
			{Retry: run.Retry{Attempt: 1, Status: 429}},
			{Retry: run.Retry{Attempt: 2, Status: 500}},
			{Retry: run.Retry{Attempt: 3}, Suspect: "it retries after status 429"},
			{Served: "text", Model: "gpt-6", Message: "402 You have no quota", Usage: run.Usage{Output: 3, Unpriced: 3}, Steps: 1},
			{Retry: run.Retry{Attempt: 1, Status: 429}},
		}},
		"the end": {[]string{copilotResult("1")}, []run.Sight{{Session: "c1", Terminal: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sights(t, "copilot", lines(tc.stream...))); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
		})
	}
}
